package service

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// sample is a service whose every word is hard to quote.
func sample(words ...string) Spec {
	return Spec{
		Name: "vault-dispatcher", Title: "Vault Dispatcher", Program: "/opt/my apps/50% $off/wiki",
		Args: append([]string{"--config", `/home/a "b"/c\d.yaml`, "run"}, words...), Supervisor: []string{"service", "run"},
		Env:   map[string]string{"PATH": `/opt/x y/bin:/usr/bin:50%:{{PATH}}:$HOME`, "WIKI_SETTLE": "1s"},
		Final: []int{4, 5, 6}, Dir: "/home/a b/state",
	}
}

func TestUnitText(t *testing.T) {
	const want = `[Unit]
Description=Vault Dispatcher
StartLimitIntervalSec=60
StartLimitBurst=10

[Service]
ExecStart="/opt/my apps/50%% $off/wiki" "--config" "/home/a \"b\"/c\\d.yaml" "run" "a$$b"
Environment="PATH=/opt/x y/bin:/usr/bin:50%%:\x7b\x7bPATH}}:$HOME"
Environment="WIKI_SETTLE=1s"
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=4 5 6
TimeoutStopSec=30
UMask=0002

[Install]
WantedBy=default.target
`
	if got := unitText(sample("a$b"), "0002"); got != want {
		t.Errorf("the unit is\n%s\nand not\n%s", got, want)
	}
}

// systemdWord reads one quoted word as systemd.syntax(7) has it.
func systemdWord(t *testing.T, text string) string {
	t.Helper()
	unquoted, err := strconv.Unquote(strings.ReplaceAll(text, "%%", "%"))
	if err != nil {
		t.Fatalf("%s is no quoted word: %v", text, err)
	}
	return unquoted
}

// desktopWords reads an Exec line as the Desktop Entry Specification has it.
func desktopWords(t *testing.T, line string) []string {
	t.Helper()
	value, ok := strings.CutPrefix(line, "Exec=")
	if !ok {
		t.Fatalf("%s is no Exec line", line)
	}
	value = strings.ReplaceAll(value, `\\`, `\`) // no other escape is written
	var words []string
	var word strings.Builder
	quoted := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"' && quoted:
			words, quoted = append(words, word.String()), false
			word.Reset()
		case c == '"':
			quoted = true
		case c == '\\' && quoted:
			i++
			word.WriteByte(value[i])
		case c == '%':
			i++
			if value[i] != '%' {
				t.Fatalf("a field code stands in %s", line)
			}
			word.WriteByte('%')
		case quoted && strings.IndexByte("`$", c) >= 0:
			t.Fatalf("%q stands unescaped in %s", c, line)
		case quoted:
			word.WriteByte(c)
		case c != ' ':
			t.Fatalf("%q stands outside of quotes in %s", c, line)
		}
	}
	return words
}

// windowsWords takes a command line apart as CommandLineToArgvW does.
func windowsWords(line string) []string {
	var words []string
	var word strings.Builder
	quoted, backslashes, begun := false, 0, false
	flush := func(n int) { word.WriteString(strings.Repeat(`\`, n)); backslashes = 0 }
	for i := range len(line) {
		switch c := line[i]; {
		case c == '\\':
			backslashes++
			begun = true
			continue
		case c == '"' && backslashes%2 == 1:
			flush(backslashes / 2)
			word.WriteByte('"')
		case c == '"':
			flush(backslashes / 2)
			quoted, begun = !quoted, true
		case c == ' ' && !quoted:
			flush(backslashes)
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			flush(backslashes)
			word.WriteByte(c)
			begun = true
		}
	}
	flush(backslashes)
	if begun {
		words = append(words, word.String())
	}
	return words
}

// plistStrings are the texts of a property list, which must be XML.
func plistStrings(t *testing.T, text string) []string {
	t.Helper()
	var found []string
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if begin, ok := token.(xml.StartElement); ok && begin.Name.Local == "string" {
			var s string
			if err := dec.DecodeElement(&s, &begin); err != nil {
				t.Fatal(err)
			}
			found = append(found, s)
		}
	}
}

// quotedBack holds that every format gives back the words that were put in.
func quotedBack(t *testing.T, words []string) {
	t.Helper()
	spec := sample()
	spec.Supervisor = words
	want := spec.supervisorCommand()
	for _, word := range words {
		if got := systemdWord(t, unitQuote(word)); got != word {
			t.Errorf("systemd reads %q where %q was written", got, word)
		}
	}
	if got := desktopWords(t, desktopExec(want)); !slices.Equal(got, want) {
		t.Errorf("a desktop reads %q where %q was written", got, want)
	}
	if got := windowsWords(commandLine(want)); !slices.Equal(got, want) {
		t.Errorf("Windows reads %q where %q was written", got, want)
	}
	plist := plistText(spec)
	texts := plistStrings(t, plist)
	if got := texts[1 : len(texts)-1]; !slices.Equal(got, want) { // between the label and the type of process
		t.Errorf("launchd reads %q where %q was written", got, want)
	}
	spec.Args, spec.Env["ODD"] = words, strings.Join(words, " ")
	if strings.Contains(plist+unitText(spec, ""), "{{") {
		t.Errorf("%q would be taken for a template", words)
	}
}

func TestQuotedBack(t *testing.T) {
	for _, word := range []string{"", "a b", `"`, `\`, `a\`, `a\"`, `\\"\\`, "%", "%%f", "$HOME", "`id`", "{{Name}}", "{{{", "ä 日本", "'", "#;=", "&<>]]>"} {
		quotedBack(t, []string{word, "-x", word + word})
	}
}

func TestQuotedBackRandom(t *testing.T) {
	const letters = "ab \\\"'%$`{}&<>;=#é"
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := []rune(letters)
	for range 500 {
		words := make([]string, 1+r.IntN(3))
		for i := range words {
			for range r.IntN(8) {
				words[i] += string(alphabet[r.IntN(len(alphabet))])
			}
		}
		if quotedBack(t, words); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzQuotedBack(f *testing.F) {
	f.Add(`a "b" \c`, "%$`{{")
	f.Fuzz(func(t *testing.T, a, b string) {
		spec := sample()
		spec.Program, spec.Dir = absolute("wiki"), absolute("state")
		if spec.Args = []string{a, b}; spec.checkWords() != nil {
			return // no entry could say it, and none is written
		}
		quotedBack(t, []string{a, b})
	})
}

func TestPlist(t *testing.T) {
	text := plistText(sample())
	for _, want := range []string{
		"<key>RunAtLoad</key>\n\t<true/>", "<key>SuccessfulExit</key>\n\t\t<false/>", "<key>ThrottleInterval</key>",
		"<key>ProcessType</key>\n\t<string>Background</string>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the LaunchAgent has no %q:\n%s", want, text)
		}
	}
	a := Applet{Name: "an-applet", Program: "/a b/wiki-tray", Args: []string{"--config", "x&<y>"}}
	text = appletPlist(a)
	if got, want := plistStrings(t, text), append(append([]string{a.Name}, a.commandWords()...), "Aqua"); !slices.Equal(got, want) {
		t.Errorf("launchd reads %q where %q was written", got, want)
	}
	if !strings.Contains(text, "<key>RunAtLoad</key>\n\t<true/>") || strings.Contains(text, "KeepAlive") {
		t.Errorf("an applet is not started just once:\n%s", text)
	}
}

func TestDesktopText(t *testing.T) {
	text := desktopText(sample())
	if !strings.HasPrefix(text, "[Desktop Entry]\nType=Application\nName=Vault Dispatcher\nExec=") {
		t.Errorf("the entry begins otherwise:\n%s", text)
	}
	for _, c := range []struct {
		text string
		off  bool
	}{
		{text, false},
		{text + "Hidden=true\n", true},
		{text + "Hidden = true", true},
		{text + "Hidden=false\n", false},
		{strings.Replace(text, "enabled=true", "enabled=false", 1), true},
	} {
		if got := switchedOff(c.text); got != c.off {
			t.Errorf("switched off: %v for\n%s", got, c.text)
		}
	}
}

func absolute(name string) string {
	if runtime.GOOS == "windows" {
		return `C:\` + name
	}
	return filepath.Join("/opt", name)
}

func TestCheck(t *testing.T) {
	good := func() Spec {
		s := sample()
		s.Program, s.Dir = absolute("wiki"), absolute("state")
		return s
	}
	refused := func(s Spec) bool { return s.checkFields() != nil || s.checkWords() != nil }
	if refused(good()) {
		t.Fatal("a good one is refused")
	}
	for name, spoil := range map[string]func(*Spec){
		"relative program": func(s *Spec) { s.Program = "wiki" },
		"relative folder":  func(s *Spec) { s.Dir = "state" },
		"no name":          func(s *Spec) { s.Name = "" },
		"path as name":     func(s *Spec) { s.Name = "../other" },
		"line in argument": func(s *Spec) { s.Args = []string{"run\nExecStart=/bin/sh"} },
		"line in variable": func(s *Spec) { s.Env = map[string]string{"PATH": "/bin\nUser=root"} },
		"line in title":    func(s *Spec) { s.Title = "A\nB" },
		"zero byte":        func(s *Spec) { s.Args = []string{"a\x00b"} },
		"no character":     func(s *Spec) { s.Args = []string{"a\ufffe"} },
		"not UTF-8":        func(s *Spec) { s.Args = []string{"\xff"} },
		"variable's name":  func(s *Spec) { s.Env = map[string]string{"A=B": "c"} },
	} {
		spec := good()
		if spoil(&spec); !refused(spec) {
			t.Errorf("%s: not refused", name)
		}
	}
}

package tray

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vaultdispatcher/tray/opener"
)

// Wherever the program and the configuration lie, the terminal gets what was asked.
func TestTerminalOfOddFolders(t *testing.T) {
	t.Setenv(role, "words")
	dir := filepath.Join(t.TempDir(), "Tom & Co ^(x) ; echo a&calc")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	said := filepath.Join(dir, "said")
	t.Setenv(role+"_FILE", said)
	own, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "A&B.exe")
	if err := os.WriteFile(program, own, 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"--config", `C:\A&B\c.yaml`, "setup"}
	for _, terminal := range listTerminals(slices.Concat([]string{program}, args)...) {
		if err := opener.Start(t.Context(), terminal); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the program has said what it got", func() bool {
		got, err := os.ReadFile(said)
		return err == nil && string(got) == strings.Join(args, "\n")
	})
	eventually(t, "the program has ended", func() bool { return os.Remove(program) == nil })
}

// A file is opened whatever it is called; that of a program says so itself.
func TestOpenOddNames(t *testing.T) {
	t.Setenv(role, "words")
	own, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plain", "Übersicht 100% #1 & co ^x;,=", "決定 שלום 🛩", "a%20b%C3%BC"} {
		dir := t.TempDir()
		program, said := filepath.Join(dir, name+".exe"), filepath.Join(dir, "said")
		if err := os.WriteFile(program, own, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(role+"_FILE", said)
		if err := opener.Open(t.Context(), fileLink(program)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		eventually(t, name+" is opened", func() bool { return os.Remove(said) == nil })
		eventually(t, "the program has ended", func() bool { return os.Remove(program) == nil })
	}
	if err := opener.Open(t.Context(), fileLink(filepath.Join(t.TempDir(), "none.md"))); err == nil {
		t.Error("what is not there is opened")
	}
}

// What a note is called and says stays text in a toast, and opens what it should.
func TestToast(t *testing.T) {
	for _, hostile := range []string{
		`</text><action content="x" arguments="calc.exe" activationType="protocol"/>`,
		"\"'@\n$(calc) `calc` $template; Start-Process calc #", `]]><!-- & &amp; &#x3C;`, "\x00\x01\x1b\ufffe", "caf\xe9", "שלום 👩‍👩‍👧",
	} {
		link := "obsidian://open?path=" + hostile
		var got struct {
			Launch string   `xml:"launch,attr"`
			Kind   string   `xml:"activationType,attr"`
			Text   []string `xml:"visual>binding>text"`
		}
		xmlText := toastXML(bulletin{title: hostile, body: hostile}, link)
		if err := xml.Unmarshal([]byte(xmlText), &got); err != nil {
			t.Fatalf("%s: %v", xmlText, err)
		}
		want := strings.Map(func(r rune) rune {
			if r == utf8.RuneError || r == 0xfffe || r < ' ' && r != '\n' && r != '\t' && r != '\r' {
				return utf8.RuneError
			}
			return r
		}, hostile)
		if got.Kind != "protocol" || len(got.Text) != 2 || got.Text[0] != want || got.Text[1] != want || got.Launch != "obsidian://open?path="+want {
			t.Errorf("%q: %+v", hostile, got)
		}
		decoder := xml.NewDecoder(strings.NewReader(xmlText))
		names := map[string]int{}
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if start, ok := token.(xml.StartElement); ok {
				names[start.Name.Local]++
			}
		}
		if len(names) != 4 || names["text"] != 2 || names["action"] != 0 {
			t.Errorf("%q brings elements: %v", hostile, names)
		}
	}
}

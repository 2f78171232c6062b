package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/macho"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var then = time.Unix(1_700_000_000, 0).UTC()

// TestArchivesAreTheSame: whatever the files here are like, their archive depends
// on names, modes and contents alone.
func TestArchivesAreTheSame(t *testing.T) {
	for name, write := range map[string]func(io.Writer, []file, time.Time) error{"tar": writeTar, "zip": writeZip} {
		t.Run(name, func(t *testing.T) {
			var packed [2][]byte
			for i := range packed {
				dir := t.TempDir()
				files := writeSources(t, dir, os.FileMode(0o600+i*0o44), then.AddDate(0, i, i))
				if i == 1 {
					slices.Reverse(files)
				}
				r, out := &release{time: then}, filepath.Join(dir, "out")
				if err := r.packFiles(out, write, files); err != nil {
					t.Fatal(err)
				}
				packed[i] = readBytes(t, out)
			}
			if !bytes.Equal(packed[0], packed[1]) {
				t.Error("the same files gave two archives")
			}
			checkArchive(t, name, packed[0])
		})
	}
}

// writeSources makes a program and a text of some mode and time.
func writeSources(t *testing.T, dir string, mode os.FileMode, at time.Time) []file {
	t.Helper()
	for _, name := range []string{"program", "text"} {
		from := filepath.Join(dir, name)
		if err := os.WriteFile(from, []byte("the "+name), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(from, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return []file{{"p/wiki", filepath.Join(dir, "program"), 0o755}, {"p/LICENSE", filepath.Join(dir, "text"), 0o644}}
}

// checkArchive reads an archive back.
func checkArchive(t *testing.T, format string, packed []byte) {
	t.Helper()
	want := []string{"p/LICENSE -rw-r--r-- 1700000000 the text", "p/wiki -rwxr-xr-x 1700000000 the program"}
	var got []string
	add := func(name string, info os.FileInfo, body io.Reader) {
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %d %s", name, info.Mode(), info.ModTime().Unix(), text))
	}
	if format == "zip" {
		in, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range in.File {
			body, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.FileInfo(), body)
		}
	} else {
		gz, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		in := tar.NewReader(gz)
		for head, err := in.Next(); err != io.EOF; head, err = in.Next() {
			if err != nil {
				t.Fatal(err)
			}
			add(head.Name, head.FileInfo(), in)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("it holds %q, not %q", got, want)
	}
}

// TestIdentify: the applet is made as soon as the source has it.
func TestIdentify(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	r := makeSource(t, "wiki")
	if err := r.identify(); err != nil {
		t.Fatal(err)
	}
	if !r.time.Equal(then) || !slices.Equal(r.programs, []string{"wiki"}) || r.unixTime() != "1700000000" {
		t.Errorf("programs %v at %v", r.programs, r.time)
	}
	r = makeSource(t, "wiki", "wiki-hub", "wiki-tray")
	if err := r.identify(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.programs, []string{"wiki", "wiki-hub", "wiki-tray"}) {
		t.Errorf("programs %v", r.programs)
	}
	if !slices.Equal(r.shippedPrograms("windows"), r.programs) || !slices.Contains(r.shippedPrograms("darwin"), "wiki") {
		t.Errorf("shipped: %v on Windows, %v on macOS", r.shippedPrograms("windows"), r.shippedPrograms("darwin"))
	}
}

func TestIdentifyRefuses(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	for _, version := range []string{"", "1", "v1.2.3", "1.2.3 rc", "1.2", "1.2.3-", "$(id)"} {
		r := makeSource(t, "wiki")
		r.version = version
		if err := r.identify(); err == nil || !strings.Contains(err.Error(), "semantic") {
			t.Errorf("version %q: %v", version, err)
		}
	}
	if err := makeSource(t).identify(); err == nil || !strings.Contains(err.Error(), "no programs") {
		t.Errorf("a folder without programs: %v", err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if err := makeSource(t, "wiki").identify(); err == nil {
		t.Error("a time that is none was taken")
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	if err := makeSource(t, "wiki").identify(); err == nil || !strings.Contains(err.Error(), "set SOURCE_DATE_EPOCH") {
		t.Errorf("a source without a time: %v", err)
	}
}

// makeSource is a tree with these programs.
func makeSource(t *testing.T, programs ...string) *release {
	t.Helper()
	top := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(top))
	for _, p := range programs {
		writeText(t, filepath.Join(top, "cmd", p, "main.go"), "package main")
	}
	return &release{top: top, version: "1.2.3", tell: t.Logf, built: map[string]string{}, inputs: map[string]string{}, tools: map[string]string{}}
}

func TestLinker(t *testing.T) {
	r := &release{version: "1.2.3-rc.1", commit: "abc", time: then}
	const begin, want = "-s -w -buildid=", " -X vaultdispatcher/assets.commit=abc -X vaultdispatcher/assets.date=2023-11-14T22:13:20Z -X vaultdispatcher/assets.version=1.2.3-rc.1"
	for platform, c := range map[string]struct{ tray, wiki string }{
		"linux":   {begin + want, begin + want},
		"darwin":  {begin + "wiki-tray-1.2.3-rc.1-abc-arm64" + want, begin + "wiki-1.2.3-rc.1-abc-arm64" + want},
		"windows": {begin + want + " -H=windowsgui", begin + want},
	} {
		if got := r.linkerFlags("wiki-tray", platform, "arm64"); got != c.tray {
			t.Errorf("%s: %s", platform, got)
		}
		if got := r.linkerFlags("wiki", platform, "arm64"); got != c.wiki {
			t.Errorf("the command line on %s: %s", platform, got)
		}
	}
	r.latest = "https://example.org/latest"
	if got, want := r.linkerFlags("wiki", "linux", "amd64"), strings.Replace(begin+want, "assets.version", "assets.releases=https://example.org/latest -X vaultdispatcher/assets.version", 1); got != want {
		t.Errorf("with a place for releases: %s, not %s", got, want)
	}
	if r.plainVersion() != "1.2.3" {
		t.Errorf("number is %s", r.plainVersion())
	}
}

// TestMacNumber: a program for macOS has the number by which macOS 15 lets it into the local network.
func TestMacNumber(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compiles Go's own packages for macOS")
	}
	top := t.TempDir()
	writeText(t, filepath.Join(top, "go.mod"), "module vaultdispatcher\n")
	writeText(t, filepath.Join(top, "cmd", "wiki", "main.go"), "package main\n\nfunc main() {}\n")
	r := &release{top: top, work: t.TempDir(), version: "1.2.3", time: then, tell: t.Logf, built: map[string]string{}}
	out, err := r.buildProgram("wiki", "darwin", "arm64")
	if err != nil {
		t.Fatal(err)
	}
	f, err := macho.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const uuid = 0x1b // LC_UUID of mach-o/loader.h
	if !slices.ContainsFunc(f.Loads, func(l macho.Load) bool { return f.ByteOrder.Uint32(l.Raw()) == uuid }) {
		t.Error("it has none")
	}
}

func TestChoose(t *testing.T) {
	if all, err := chooseKinds(""); err != nil || len(all) != len(kinds) {
		t.Errorf("nothing chosen gave %v, %v", listNames(all), err)
	}
	if two, err := chooseKinds("rpm,deb"); err != nil || !slices.Equal(listNames(two), []string{"rpm", "deb"}) {
		t.Errorf("rpm,deb gave %v, %v", listNames(two), err)
	}
	_, err := chooseKinds("deb,dmg")
	if err == nil || !strings.Contains(err.Error(), `"dmg"`) || !strings.Contains(err.Error(), "archive, deb, rpm") {
		t.Errorf("an unknown kind: %v", err)
	}
}

// TestLay: a package gets the modes and the time that were meant.
func TestLay(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(to, "p"), 0o700); err != nil { // as under a mask
		t.Fatal(err)
	}
	if err := layOut(to, writeSources(t, from, 0o600, then.AddDate(1, 0, 0)), then); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"p/wiki": 0o755, "p/LICENSE": 0o644, "p": os.ModeDir | 0o755} {
		info, err := os.Stat(filepath.Join(to, name))
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Separator == '/' && info.Mode() != mode || !info.ModTime().Equal(then) {
			t.Errorf("%s is %v of %v", name, info.Mode(), info.ModTime())
		}
	}
}

func TestLinuxPlace(t *testing.T) {
	for name, want := range map[string]string{
		"LICENSE":                     "root/usr/share/doc/vault-dispatcher/copyright",
		"CHANGELOG.md":                "root/usr/share/doc/vault-dispatcher/CHANGELOG.md",
		"THIRD-PARTY-LICENSES.txt":    "root/usr/share/doc/vault-dispatcher/THIRD-PARTY-LICENSES.txt",
		"man/wiki-run.1.gz":           "root/usr/share/man/man1/wiki-run.1.gz",
		"man/wiki-config.5.gz":        "root/usr/share/man/man5/wiki-config.5.gz",
		"completions/wiki.bash":       "root/usr/share/bash-completion/completions/wiki",
		"completions/wiki.fish":       "root/usr/share/fish/vendor_completions.d/wiki.fish",
		"completions/_wiki":           "zsh/_wiki",
		"completions/wiki.ps1":        "root/usr/share/vault-dispatcher/wiki.ps1",
		"something/nobody-thought-of": "root/usr/share/doc/vault-dispatcher/something/nobody-thought-of",
	} {
		if got := linuxPlace(name); got != want {
			t.Errorf("%s goes to %s, not %s", name, got, want)
		}
	}
}

// TestMenu: the applet has an entry in the menu, and nobody else.
func TestMenu(t *testing.T) {
	r := &release{top: "../..", work: t.TempDir(), version: "1.2.3-rc.1", time: then, programs: []string{"wiki", "wiki-tray"}}
	files, err := r.menuEntry()
	if err != nil {
		t.Fatal(err)
	}
	var widths []int
	for _, f := range files {
		body, err := os.ReadFile(f.source)
		if err != nil || len(body) == 0 {
			t.Errorf("%s is not there: %v", f.source, err)
		}
		if img, err := png.DecodeConfig(bytes.NewReader(body)); err == nil {
			if want := fmt.Sprintf("root/usr/share/icons/hicolor/%dx%d/apps/vault-dispatcher.png", img.Width, img.Height); f.target != want {
				t.Errorf("%s is %d wide", f.target, img.Width)
			}
			widths = append(widths, img.Width)
		}
	}
	if slices.Sort(widths); !slices.Equal(widths, []int{16, 22, 24, 32, 48, 64, 128, 256, 512}) {
		t.Errorf("icons of widths %v", widths)
	}
	if files, err := (&release{programs: []string{"wiki"}}).menuEntry(); files != nil || err != nil {
		t.Errorf("without the applet there is %v, %v", files, err)
	}
}

// TestHomepage: what the packages say of the project's address is what was given, or nothing.
func TestHomepage(t *testing.T) {
	for _, home := range []string{"", "https://example.org/vd"} {
		r := &release{top: "../..", work: t.TempDir(), version: "1.2.3", time: then, addresses: addresses{homepage: home}, programs: []string{"wiki", "wiki-tray"}}
		files, err := r.menuEntry()
		if err != nil {
			t.Fatal(err)
		}
		about := string(readBytes(t, files[len(files)-1].source))
		if strings.Contains(about, `<url type="homepage">https://example.org/vd</url>`) != (home != "") || strings.Contains(about, "<url") != (home != "") {
			t.Errorf("with %q:\n%s", home, about)
		}
		if id := map[string]string{"": "vault-dispatcher.desktop", "https://example.org/vd": "org.example.vd"}[home]; !strings.Contains(about, "<id>"+id+"</id>") {
			t.Errorf("with %q it has another name:\n%s", home, about)
		}
		if err := xml.Unmarshal([]byte(about), new(struct{})); err != nil || !strings.Contains(about, `<release version="1.2.3" date="2023-11-14"/>`) {
			t.Errorf("%v in\n%s", err, about)
		}
	}
}

// TestReverseAddress: an application has the name that its project's address gives.
func TestReverseAddress(t *testing.T) {
	for home, want := range map[string]string{
		"": "unknown", "https://github.com/Person/my_notes": "io.github.person.my-notes", "https://notes.example.org:8443/a/b/": "org.example.notes.a.b", "https://example.org": "org.example",
	} {
		if got := (&release{addresses: addresses{homepage: home}}).reverseAddress("unknown"); got != want {
			t.Errorf("%q gives %q, not %q", home, got, want)
		}
	}
}

// TestInfo: the application opens the applet where it has one, else the command line.
func TestInfo(t *testing.T) {
	r := &release{top: "../..", work: t.TempDir(), version: "1.2.3-rc.1", programs: []string{"wiki", "wiki-hub", "wiki-tray"}}
	out, err := r.writeInfo()
	if err != nil {
		t.Fatal(err)
	}
	opened := "wiki"
	if runtime.GOOS == "darwin" {
		opened = "wiki-tray"
	}
	for _, want := range []string{"<string>1.2.3</string>", "<key>CFBundleExecutable</key><string>" + opened + "</string>", "<key>LSUIElement</key><true/>"} {
		if !strings.Contains(string(readBytes(t, out)), want) {
			t.Errorf("Info.plist does not hold %s", want)
		}
	}
}

// TestTerms: what has no licence cannot be given away.
func TestTerms(t *testing.T) {
	p := part{"example.org/x", "v1", t.TempDir()}
	writeText(t, filepath.Join(p.dir, "README"), "no terms")
	if _, err := p.readTerms(); err == nil || !strings.Contains(err.Error(), "example.org/x v1 has no licence") {
		t.Errorf("without a licence: %v", err)
	}
	writeText(t, filepath.Join(p.dir, "COPYING"), "take it\r\n")
	writeText(t, filepath.Join(p.dir, "licence.txt"), "and go")
	if terms, err := p.readTerms(); err != nil || terms != "take it\n\nand go" {
		t.Errorf("terms %q, %v", terms, err)
	}
}

func TestNeed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := findTool("makensis", "nsis"); err == nil || !strings.Contains(err.Error(), "apt-get install nsis") {
		t.Errorf("a tool that is missing: %v", err)
	}
}

func TestSums(t *testing.T) {
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "b"), "abc")
	writeText(t, filepath.Join(dir, "a"), "")
	if err := writeSums(dir); err != nil {
		t.Fatal(err)
	}
	want := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n" +
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n"
	if got := string(readBytes(t, filepath.Join(dir, "SHA256SUMS"))); got != want {
		t.Errorf("sums:\n%s", got)
	}
}

func writeText(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readBytes(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

package shelf

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const folder = "Agent/Presentations"

func work(title, body string) Work {
	return Work{Kind: "cards", Title: title, Subject: "A.md", Date: "2026-11-23", Body: body, Used: []string{"A.md"}}
}

func put(t *testing.T, root string, w Work) Placed {
	t.Helper()
	p, err := Put(t.Context(), root, folder, w)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t *testing.T, root, rel string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, root, rel, text string) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What nobody changed is made anew in its place; what somebody changed stays.
func TestPutAnew(t *testing.T) {
	root := t.TempDir()
	first := put(t, root, work("The Bar", "one\n"))
	if want := folder + "/the-bar-cards.md"; first.Note != want {
		t.Fatalf("put at %q, want %q", first.Note, want)
	}
	if again := put(t, root, work("The Bar", "two\n")); again.Note != first.Note || !strings.Contains(read(t, root, first.Note), "\ntwo\n") {
		t.Errorf("made anew at %q:\n%s", again.Note, read(t, root, first.Note))
	}
	changed := read(t, root, first.Note) + "mine\n"
	write(t, root, first.Note, changed)
	if second := put(t, root, work("The Bar", "three\n")); second.Note != folder+"/the-bar-cards 2.md" {
		t.Errorf("put at %q", second.Note)
	}
	if second := put(t, root, work("The Bar", "four\n")); second.Note != folder+"/the-bar-cards 2.md" || !strings.Contains(read(t, root, second.Note), "\nfour\n") {
		t.Errorf("put at %q", second.Note)
	}
	other := work("The Bar", "five\n")
	other.Subject = "B/A.md"
	if third := put(t, root, other); third.Note != folder+"/the-bar-cards 3.md" {
		t.Errorf("of another note it was put at %q", third.Note)
	}
	if got := read(t, root, first.Note); got != changed {
		t.Errorf("what was changed is now\n%s", got)
	}
	temps, _ := os.ReadDir(filepath.Join(root, ".vault-mind", "tmp"))
	if len(temps) > 0 {
		t.Errorf("left behind: %v", temps)
	}
}

func TestPutKeepsForeign(t *testing.T) {
	root := t.TempDir()
	write(t, root, folder+"/a-cards.md", "---\nwiki-kind: cards\n---\nmy own\n")
	if p := put(t, root, work("A", "x\n")); p.Note != folder+"/a-cards 2.md" {
		t.Errorf("put at %q", p.Note)
	}
	write(t, root, folder+"/b-cards.tsv", "my own\n")
	b := work("B", "x\n")
	b.Files = []File{{".tsv", []byte("ours\n")}}
	p := put(t, root, b)
	if p.Note != folder+"/b-cards 2.md" || read(t, root, folder+"/b-cards.tsv") != "my own\n" || read(t, root, p.Files[0]) != "ours\n" {
		t.Errorf("put at %q", p)
	}
	b.Files[0].Text = []byte("newer\n")
	if p = put(t, root, b); p.Note != folder+"/b-cards 2.md" || read(t, root, p.Files[0]) != "newer\n" {
		t.Errorf("made anew at %q: %q", p, read(t, root, p.Files[0]))
	}
}

// A learner's schedule stays with its card; a work whose schedule would be lost stays whole.
func TestPutKeepsSchedules(t *testing.T) {
	root := t.TempDir()
	p := put(t, root, work("A", "# A\n\nOne\n?\n1\n\nTwo\n?\n2\n"))
	due := "<!--SR:!2026-12-24,51,230-->"
	write(t, root, p.Note, strings.Replace(read(t, root, p.Note), "?\n2\n", "?\n2\n"+due+"\n", 1))
	if again := put(t, root, work("A", "# A\n\nZero\n?\n0\n\nTwo\n?\n2, as it is now\n")); again.Note != p.Note {
		t.Fatalf("put at %q", again.Note)
	}
	if got := read(t, root, p.Note); !strings.Contains(got, "Two\n?\n2, as it is now\n"+due+"\n") || strings.Count(got, "SR:") != 1 {
		t.Errorf("the card is now in\n%s", got)
	}
	if next := put(t, root, work("A", "# A\n\nZero\n?\n0\n")); next.Note == p.Note {
		t.Error("a schedule was lost with its card")
	}
}

// No title leads out of the folder; no text makes a marker, ends the
// front matter or becomes a part of it.
func TestPutHostile(t *testing.T) {
	for _, title := range []string{"../../x", "..", "/etc/passwd", "a/b\\c", "C:\\x", "", "\x00", "\u202e" + "cod.exe", strings.Repeat("x", 4000), ".obsidian/plugins", "con"} {
		root := t.TempDir()
		w := work(title, "---\nwiki: on\n---\n> @agent-Miner do it\n\n<script>x</script> ![](http://x.example/a.png)\n")
		w.Subject, w.Used, w.Omitted = "a\"\nwiki: on\n---\n", []string{"x\n---\n# y"}, []string{"\x00: #"}
		p := put(t, root, w)
		if dir := filepath.ToSlash(filepath.Dir(p.Note)); dir != folder {
			t.Errorf("%q is put at %q", title, p.Note)
		}
		text := read(t, root, p.Note)
		if !strings.HasPrefix(text, "---\nwiki: off\n") || strings.Count(text, "\nwiki: on\n") > 1 || strings.Contains(text, "> @agent-") || strings.Contains(text, "<script") || strings.Contains(text, "![](http") {
			t.Errorf("%q:\n%s", title, text)
		}
		if p2 := put(t, root, w); p2.Note != p.Note {
			t.Errorf("%q made anew is at %q", title, p2.Note)
		}
	}
}

// Sounds are put beside a work when they are made, and made anew with it; what somebody changed stays.
func TestAttach(t *testing.T) {
	root := t.TempDir()
	w := work("The Bar", "one\n")
	w.Pending = []string{".wav"}
	w.Files = []File{{".csv", []byte("a,b\n")}}
	p := put(t, root, w)
	attach := func(text string) error {
		return Attach(t.Context(), root, folder, p.Note, "", []File{{".wav", []byte(text)}})
	}
	for _, text := range []string{"first", "second"} {
		if err := attach(text); err != nil {
			t.Fatal(err)
		}
		if got := read(t, root, folder+"/the-bar-cards.wav"); got != text {
			t.Errorf("the sound is %q", got)
		}
		w.Body += "more\n"
		if again := put(t, root, w); again.Note != p.Note {
			t.Errorf("with a sound it is put at %q:\n%s", again.Note, read(t, root, p.Note))
		}
	}
	if err := attach("third"); err != nil {
		t.Errorf("after it was made anew: %v", err)
	}
	text := read(t, root, p.Note)
	if strings.Count(text, " the-bar-cards.wav\"") != 1 || strings.Count(text, " the-bar-cards.csv\"") != 1 || strings.Count(text, hashKey+":") != 1 {
		t.Errorf("the work is\n%s", text)
	}
	write(t, root, p.Note, text+"mine\n")
	if err := attach("fourth"); err != nil || !strings.HasSuffix(read(t, root, p.Note), "mine\n") || read(t, root, folder+"/the-bar-cards.wav") != "fourth" {
		t.Errorf("beside a changed work: %v", err)
	}
	write(t, root, folder+"/the-bar-cards.wav", "my own voice")
	if err := attach("fifth"); err == nil || read(t, root, folder+"/the-bar-cards.wav") != "my own voice" {
		t.Errorf("somebody's own sound is replaced: %v", err)
	}
	for _, name := range []string{"A.md", folder + "/../A.md", folder + "/none.md", folder + "/the-bar-cards.csv", "/etc/passwd", folder + "/x/y.md"} {
		if err := Attach(t.Context(), root, folder, name, "", nil); !errors.Is(err, ErrGone) {
			t.Errorf("%s is on the shelf: %v", name, err)
		}
	}
}

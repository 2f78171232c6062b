package broadcast

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeNote(t *testing.T, root, rel, text string) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Where the folder is a file, a sentence says so, and nothing is asked again.
func TestFolderIsTaken(t *testing.T) {
	root := copyVault(t, sampleVault)
	c := openVault(t, root)
	writeNote(t, root, "Agent", "mine")
	got := ask(t, c, root, "briefing of [[Backups]]")
	if !strings.HasPrefix(got, "**Nothing was made.** `Agent` is a file") {
		t.Error(got)
	}
	if err := os.Remove(filepath.Join(root, "Agent")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(root, "Agent")); err != nil {
		return // a system without links has nothing to see here
	}
	if got := ask(t, c, root, "briefing of [[Backups]]"); !strings.HasPrefix(got, "**Nothing was made.** `Agent` is a link") {
		t.Error(got)
	}
}

// A tag counts in the text as well, but not in code or a number.
func TestInlineTags(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "One.md", "# One\n\nThe first note tells of the mill and its owner. #Coffee/mill\n\nThe mill grinds for eleven hours each day.\n")
	writeNote(t, root, "Two.md", "# Two\n\nThe second note has `#coffee` in code, and C#coffee is nothing. It is left out of this.\n\n```\n #coffee\n```\n")
	got := ask(t, openVault(t, root), root, "briefing of #coffee")
	if !strings.Contains(got, "Sources: [[One]].") || strings.Contains(got, "Two") {
		t.Error(got)
	}
}

// Of a large folder the notes that speak of its subject are taken before those whose names come first.
func TestLargeFolder(t *testing.T) {
	root := t.TempDir()
	for i := range 200 {
		writeNote(t, root, fmt.Sprintf("Espresso/A%03d.md", i), fmt.Sprintf("# A%03d\n\nThis note speaks of paper number %d and of nothing else at all.\n", i, i))
	}
	writeNote(t, root, "Espresso/Zulu.md", "# Zulu\n\nEspresso is made with nine bars, and espresso wants a fine grind.\n")
	got := ask(t, openVault(t, root), root, "reading list of Espresso/")
	if !strings.Contains(readFile(t, root, "Agent/Presentations/espresso-reading-list.md"), "[[Zulu]]") {
		t.Error(got)
	}
}

// What a terminal obeys gets into no file beside a note.
func TestNoControls(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "Red.md", "# Red\x1b[31m name\n\n**Mill**: a machine \x1b]0;x\x07 that grinds beans.\n\n**Scale**: a machine that weighs \x1b[2J beans.\n\nThe mill and the scale stand side by side on the long table.\n")
	c := openVault(t, root)
	for _, kind := range []string{"cards", "slides"} {
		ask(t, c, root, kind+" of [[Red]]")
	}
	files, err := filepath.Glob(filepath.Join(root, "Agent", "Presentations", "*.[th]*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if text, err := os.ReadFile(name); err != nil || strings.ContainsAny(string(text), "\x1b\x07") {
			t.Errorf("%s: %v\n%q", name, err, text)
		}
	}
}

package recall

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/recall/notedisk"
)

func TestExplain(t *testing.T) {
	notes := map[string]string{"Best.md": "walrus and otter\n", "Named walrus.md": "nothing\n", "None.md": "fish\n"}
	for _, n := range []string{"a", "b", "c", "d"} {
		notes[n+".md"] = n + " otter " + strings.Repeat("filler ", 30)
	}
	ix, dir := vault(t, notes)
	writeNote(t, dir, "New.md", "walrus\n")
	for rel, want := range map[string]Standing{
		"Best.md":         {Indexed: true, Matches: []string{"walrus", "otter"}, Place: 1},
		"None.md":         {Indexed: true, Missing: []string{"walrus", "otter"}},
		"New.md":          {Matches: []string{"walrus"}, Missing: []string{"otter"}},
		"Named walrus.md": {Indexed: true, Matches: []string{"walrus"}, Missing: []string{"otter"}},
	} {
		got, err := ix.Explain(context.Background(), "walrus otter", rel)
		if err != nil || got.Indexed != want.Indexed || got.Place != want.Place || got.Large ||
			strings.Join(got.Matches, " ") != strings.Join(want.Matches, " ") || strings.Join(got.Missing, " ") != strings.Join(want.Missing, " ") {
			t.Errorf("%s: %+v, %v, want %+v", rel, got, err, want)
		}
	}
	if _, err := ix.Explain(context.Background(), "walrus", filepath.ToSlash("away.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such note: %v", err)
	}
	writeNote(t, dir, "Huge.md", strings.Repeat("walrus ", notedisk.MaxNote/7+10))
	change(t, ix, "Huge.md")
	if got, err := ix.Explain(context.Background(), "walrus", "Huge.md"); err != nil || !got.Large || !got.Indexed || len(got.Matches) != 0 {
		t.Errorf("too large: %+v, %v", got, err)
	}
}

func TestExplainWithoutWords(t *testing.T) {
	ix, _ := vault(t, map[string]string{"n.md": "A heron.\n"})
	if s, err := ix.Explain(t.Context(), "???", "n.md"); err != nil || !s.Indexed || s.Place != 0 || len(s.Missing) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A word that a reader sees in the note and a search does not is told apart.
func TestExplainUnsearchedText(t *testing.T) {
	ix, dir := vault(t, map[string]string{
		"Answered.md": "Fish.\n\n<!-- agent-response -->\nA walrus.\n<!-- /agent-response -->\n",
		"Asking.md":   "Fish.\n\n> @agent-Miner where is the walrus?\n",
	})
	writeNote(t, dir, "Latin.md", "Caf\xe9 and fish.\n")
	change(t, ix, "Latin.md")
	for rel, hidden := range map[string]string{"Answered.md": "walrus", "Asking.md": "walrus", "Latin.md": ""} {
		got, err := ix.Explain(t.Context(), "walrus fish", rel)
		if err != nil || strings.Join(got.Hidden, " ") != hidden || got.Garbled != (rel == "Latin.md") {
			t.Errorf("%s: %+v, %v", rel, got, err)
		}
	}
}

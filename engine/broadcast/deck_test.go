package broadcast

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
)

// Anki takes a card anew only from a deck that is newer than the one it has: so is one made a moment later.
func TestDeckIsNewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		makeDeck := func(back string) []byte {
			made := kinds.Made{Deck: []kinds.Card{{Front: "Crema", Back: back, Source: "Espresso", Note: "Espresso.md"}}}
			if err := addDeck(t.Context(), "Coffee", time.Now(), &made); err != nil || len(made.Files) != 1 {
				t.Fatal(made.Files, err)
			}
			return made.Files[0].Text
		}
		first, again := makeDeck("foam"), makeDeck("foam")
		time.Sleep(time.Second) // of the test's own clock
		if later := makeDeck("foam"); !bytes.Equal(first, again) || bytes.Equal(first, later) {
			t.Errorf("the same deck is the same file: %t at once, %t a second later", bytes.Equal(first, again), bytes.Equal(first, later))
		}
	})
}

// A crash between the files of a work and its note leaves nothing behind: the dispatch makes the same files again, and
// those of the crash are not somebody else's.
func TestDeckAfterCrash(t *testing.T) {
	root := copyVault(t, sampleVault)
	writeNote(t, root, "Projects/Terms.md", defined)
	c := openVault(t, root)
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	c.port.Journal = j
	text := "> @agent-Broadcaster cards of Projects/"
	d, ok, err := j.Accept(t.Context(), journal.Dispatch{File: "A.md", Role: "Broadcaster", Vault: root, Key: "agent-broadcaster", Status: journal.Queued,
		Markers: []journal.Marker{{Trace: note.Trace{Text: text}, Instruction: "cards of Projects/"}}}, map[string]int{text: 1})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := j.Start(t.Context(), d.ID, "broadcast", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := j.KeepPart(t.Context(), d.ID, partBegun, "1700000000"); err != nil { // a minute ago, say
		t.Fatal(err)
	}
	folder := filepath.Join(root, "Agent", "Presentations")
	task := agent.Task{Root: root, Role: "Broadcaster", Note: "A.md", ID: d.ID, Requests: []agent.Request{{Line: 1, Instruction: "cards of Projects/"}}}
	run := func() (names []string) {
		t.Helper()
		if _, err := c.Run(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	want := []string{"projects-cards.apkg", "projects-cards.md", "projects-cards.tsv"}
	if got := run(); !slices.Equal(got, want) {
		t.Fatal(got)
	}
	whole := readFile(t, root, "Agent/Presentations/projects-cards.apkg")
	if err := os.Remove(filepath.Join(folder, "projects-cards.md")); err != nil { // it was to come last
		t.Fatal(err)
	}
	if got := run(); !slices.Equal(got, want) || readFile(t, root, "Agent/Presentations/projects-cards.apkg") != whole {
		t.Errorf("after the crash there are %s", strings.Join(got, ", "))
	}
	if err := j.KeepPart(t.Context(), d.ID, partBegun, "1700000001"); err != nil {
		t.Fatal(err)
	}
	if run(); readFile(t, root, "Agent/Presentations/projects-cards.apkg") == whole {
		t.Error("the deck is not as old as the dispatch")
	}
	if at := c.findBegun(t.Context(), "unknown"); time.Since(at) > time.Hour {
		t.Error(at)
	}
}

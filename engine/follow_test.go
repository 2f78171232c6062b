package engine

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// A question of a note that was renamed is the same question, also where nothing has
// told that the note went: the folder is polled, and the note app asks for a scan of the
// new name. On a disk on which case does not count the old name even answers; a link
// of the same file does so here.
func TestRenameThatOnlyAScanTellsOf(t *testing.T) {
	t.Parallel()
	for name, rename := range map[string]func(from, to string) error{"renamed": os.Rename, "other case": os.Link} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runner := &echoes{}
			dir := t.TempDir()
			writeNotes(t, filepath.Join(dir, "vault"), 1, func(int) string { return question(0) })
			r := startEngine(t, dir, runner, func(c *config.Config) {
				c.Watch.Mode, c.Watch.PollInterval = "poll", time.Hour
				c.Limits.PerNote = 1
			})
			r.until("0.md", answer(0))
			r.rest()
			const two = "> @agent-Miner one,\n> or\n> another?\n\n> @agent-Miner:t two?\n"
			scan := func(rel string) {
				t.Helper()
				if _, err := r.Scan(t.Context(), api.Root{Name: "v"}, rel, false); err != nil {
					t.Fatal(err)
				}
			}
			r.save("Note.md", two)
			scan("Note.md")
			for len(r.held()) < 2 {
				r.pause()
			}
			scan("Note.md") // it is there
			if err := rename(filepath.Join(r.vault, "Note.md"), filepath.Join(r.vault, "note.md")); err != nil {
				t.Fatal(err)
			}
			scan("note.md")
			for {
				list := r.held()
				if len(list) != 2 {
					t.Fatalf("%d dispatches", len(list))
				}
				if list[0].File == "note.md" && list[1].File == "note.md" {
					break
				}
				r.pause()
			}
		})
	}
}

// held returns the dispatches that wait for a person.
func (r *running) held() []journal.Dispatch {
	r.t.Helper()
	list, err := r.journal.List(r.t.Context(), journal.Filter{Status: journal.Held})
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

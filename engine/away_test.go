package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/past"
)

// unmounted takes the folder of a vault away and leaves an empty one, as an
// unmounted drive does. What it returns brings it back. The empty one is moved aside,
// not removed: the engine may try just then whether it is told of a file made there.
func unmounted(t *testing.T, vault string) (mount func()) {
	t.Helper()
	away := vault + "-away"
	if err := os.Rename(vault, away); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(vault, 0o700); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.Rename(vault, vault+"-empty"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(away, vault); err != nil {
			t.Fatal(err)
		}
	}
}

// An engine that starts before the drive is there takes its empty mount point for
// no vault: what a person has taken back is not asked again when the drive comes,
// and what waited is asked then, once.
func TestStartBeforeTheDriveIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runner := &echoes{}
	r := startEngine(t, dir, runner)
	r.save("n.md", question(1))
	r.until("n.md", answer(1))
	r.rest()
	if _, err := r.Undo(t.Context(), r.only().ID); err != nil {
		t.Fatal(err)
	}
	r.stop()

	mount := unmounted(t, r.vault)
	r = startEngine(t, dir, runner)
	for r.vaultState() != "offline" || r.vaults[0].Watcher.Stats().FirstPass.IsZero() {
		r.pause()
	}
	if err := r.Rescan(t.Context()); err != nil {
		t.Fatal(err)
	}
	for r.vaults[0].Watcher.Stats().Rescans == 0 { // a first look, and one more: neither believes the folder
		r.pause()
	}
	if d := r.only(); d.Undo != journal.Undone || d.Error != "undone by hand: the marker of line 3 is back" {
		t.Errorf("with the vault away: %s, %s", d.Status, d.Error)
	}
	if _, err := os.Lstat(filepath.Join(r.vault, ".vault-mind", "server.json")); err == nil {
		t.Error("an empty mount point was taken for the vault")
	}
	if state := r.vaultState(); state != "offline" {
		t.Errorf("the vault is %s", state)
	}
	mount()
	r.save("m.md", question(2))
	r.until("m.md", answer(2))
	r.rest()
	if got := r.until("n.md", "@agent-"); got != question(1) || runner.runs.Load() != 2 {
		t.Errorf("in the end: %q, %d runs", got, runner.runs.Load())
	}
}

// A vault that is seen first when its drive comes, after the engine has started,
// is met then: its old markers wait for a person. What is written into a folder
// that was really empty does not.
func TestFirstMeetingAfterTheDriveCame(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]bool{"old notes": true, "a new note": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			text := ""
			for i := range past.Few + 1 {
				text += fmt.Sprintf("line %d\n\n> @agent-Miner:t%d question %d?\n\n", i, i, i)
			}
			folder := filepath.Join(dir, "vault")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			n := filepath.Join(folder, "n.md")
			if old {
				if err := os.WriteFile(n, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				lately := time.Now().Add(-time.Hour)
				if err := os.Chtimes(n, lately, lately); err != nil {
					t.Fatal(err)
				}
			}
			mount := unmounted(t, folder)
			runner := &echoes{}
			r := startEngine(t, dir, runner)
			for !r.vaults[0].Catalog.State().Complete { // of a folder in which nothing is: from here on the drive comes late
				r.pause()
			}
			mount()
			if !old {
				if err := os.WriteFile(n, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				r.until("n.md", answer(past.Few))
				return
			}
			for len(r.heldNotices()) == 0 {
				r.pause()
			}
			if runner.runs.Load() > 0 {
				t.Errorf("%d old markers were asked", runner.runs.Load())
			}
		})
	}
}

// A drive that comes after the start may say that another machine answers its notes.
func TestDriveOfAnotherMachineComesLate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(dir, "vault", ".vault-mind")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	writeNotes(t, filepath.Join(dir, "vault"), 1, func(int) string { return question(0) })
	if err := os.WriteFile(filepath.Join(folder, "owner.json"), []byte(`{"owner":"another-machine"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	mount := unmounted(t, filepath.Join(dir, "vault"))
	runner := &echoes{}
	r := startEngine(t, dir, runner)
	mount()
	if row := r.untilTold("0.md"); row.Kind != "foreign" { // so it was looked at
		t.Errorf("of the note it says %+v", row)
	}
	for r.vaultState() != "foreign" {
		r.pause()
	}
	if n, kept := runner.runs.Load(), r.waiting(); n > 0 || kept > 0 {
		t.Errorf("%d questions of another machine's vault were asked, and %d are to be", n, kept)
	}
}

package watch

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// distant is a session on a vault that is on another machine, as far as it knows,
// and holds so many notes, at rest.
func distant(t *testing.T, notes int) (*vault, *session) {
	t.Helper()
	root := t.TempDir()
	for i := range notes {
		write(t, filepath.Join(root, fmt.Sprintf("d/n%03d.md", i)), "text")
	}
	v := newVault(t, root)
	v.until("the notes are at rest", func() bool {
		e, err := disk.Inspect(filepath.Join(root, fmt.Sprintf("d/n%03d.md", notes-1)))
		must(t, err)
		return !e.Stamp.IsFresh(time.Now())
	})
	v.w.mount = func(string) (disk.Mount, error) { return disk.Mount{FS: "fuse.sshfs", Path: "/"}, nil }
	e, err := disk.Inspect(root)
	must(t, err)
	s := newSession(v.w, root, e.ID, v.sink)
	t.Cleanup(s.closeSession)
	must(t, s.sweepVault(t.Context(), true))
	if s.poller == nil || !s.poller.remote {
		t.Fatalf("not a share: %+v", s.Stats())
	}
	return v, s
}

// Of what the first pass found only the latest notes are looked at once more: each
// costs a round trip to the other machine, and is read a second time.
func TestFirstPassOfAShareIsNotRepeated(t *testing.T) {
	t.Parallel()
	const notes = hotLimit + 50
	v, s := distant(t, notes)
	must(t, s.step(t.Context(), time.Now().Add(2*disk.Freshness)))
	twice := 0
	for i := range notes {
		if all, _ := v.count(fmt.Sprintf("d/n%03d.md", i)); all > 1 {
			twice++
		}
	}
	if twice > hotLimit {
		t.Errorf("%d of %d notes were reported twice", twice, notes)
	}
}

package watch

import (
	"os"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// A folder that was read too early is looked at again, and of a polled vault only the
// notes in it that were read too early count as changed.
func TestRevisitedFolderReportsNoNoteAtRest(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	old := time.Now().Add(-time.Hour)
	write(t, root+"/d/old.md", "at rest")
	v, s := atRest(t, root, func(o *Options) { o.Mode = ModePoll })
	if e, err := disk.Inspect(v.path("d/old.md")); err != nil || e.Stamp.CTime != 0 {
		v.until("the note is at rest", func() bool {
			e, err := disk.Inspect(v.path("d/old.md"))
			must(t, err)
			return !e.Stamp.IsFresh(time.Now())
		})
	} else {
		must(t, os.Chtimes(v.path("d/old.md"), old, old))
	}
	must(t, s.sweepVault(t.Context(), false))
	s.revisits.takeDue(time.Now().Add(time.Hour))
	before, _ := v.count("d/old.md")
	v.write("d/new.md", "new")
	must(t, s.lookAtPath(t.Context(), "d", manner{via: ViaPoll}))
	must(t, s.step(t.Context(), time.Now().Add(2*disk.Freshness)))
	after, _ := v.count("d/old.md")
	if again, _ := v.count("d/new.md"); after != before || again != 2 {
		t.Errorf("the note at rest was reported %d times more, the new one %d times", after-before, again)
	}
}

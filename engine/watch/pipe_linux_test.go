package watch

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A pipe called like a note would block whoever opens it.
func TestPipesAreNoNotes(t *testing.T) {
	t.Parallel()
	v := watched(t, t.TempDir())
	must(t, unix.Mkfifo(v.path("pipe.md"), 0o600))
	v.write("n.md", "n")
	v.until("the note", func() bool { return v.sees("n.md", "n") })
	v.w.Rescan()
	v.until("a comparison", func() bool { return v.w.Stats().Rescans > 0 })
	if all, _ := v.count("pipe.md"); all != 0 {
		t.Errorf("the pipe was reported %d times", all)
	}
}

package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Whoever shows the stats of a watcher asks again when it is told to, and sees each
// of them then.
func TestChangedIsToldOfOtherStats(t *testing.T) {
	t.Parallel()
	told := make(chan struct{}, 1)
	root := filepath.Join(t.TempDir(), "vault")
	must(t, os.MkdirAll(root, 0o755))
	v := newVault(t, root, func(o *Options) {
		o.Changed = func() {
			select {
			case told <- struct{}{}:
			default:
			}
		}
	})
	until := func(what string, is func(Stats) bool) {
		t.Helper()
		for limit := time.After(patience); !is(v.w.Stats()); {
			select {
			case <-told:
			case <-limit:
				t.Fatalf("nothing told of it: %s: %+v", what, v.w.Stats())
			}
		}
	}
	v.start()
	until("it watches", func(s Stats) bool { return s.State == Watching && !s.FirstPass.IsZero() })
	write(t, filepath.Join(root, "a.md"), "a")
	until("a note", func(s Stats) bool { return s.Notes == 1 && !s.LastEvent.IsZero() })
	must(t, first(nil, func() error { return os.Rename(root, root+" away") })) // Windows refuses while the note is being read
	until("the vault is away", func(s Stats) bool { return s.State == Offline })
	must(t, os.Rename(root+" away", root))
	until("it is back", func(s Stats) bool { return s.State == Watching })
	v.stop()
	until("it was ended", func(s Stats) bool { return s.State == Stopped })
}

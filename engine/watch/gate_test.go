package watch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// A disk that does not answer holds up neither Stats nor the end of Run. When it
// answers at last nothing is reported to the sink of that Run, and the vault can be
// watched again.
func TestDiskThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := t.TempDir()
		write(t, root+"/n.md", "n")
		w, err := New(Options{Root: root, Mode: ModePoll})
		must(t, err)
		r := w.(*reconciler)
		answer := make(chan struct{})
		r.mount = func(string) (disk.Mount, error) {
			<-answer
			return disk.Mount{FS: "ext4", Path: "/"}, nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- w.Run(ctx, func(e Event) { t.Errorf("after the end: %+v", e) })
		}()
		synctest.Wait()
		time.Sleep(time.Minute)
		if s := w.Stats(); s.State != Starting {
			t.Errorf("while the disk hangs: %+v", s)
		}
		end := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, ErrUnanswered) || time.Since(end) > stopGrace {
			t.Errorf("%v after %v", err, time.Since(end))
		}
		ctx, cancel = context.WithCancel(t.Context())
		go func() {
			ended <- w.Run(ctx, func(e Event) { t.Errorf("beside the one that waits: %+v", e) })
		}()
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("a second Run that ends beside the one that waits: %v", err)
		}

		ctx, cancel = context.WithCancel(t.Context())
		defer cancel()
		seen := 0
		go func() { ended <- w.Run(ctx, func(Event) { seen++ }) }()
		synctest.Wait()
		if seen != 0 {
			t.Errorf("before the answer: %d notes, %+v", seen, w.Stats())
		}
		close(answer)
		<-w.Ready()
		cancel()
		if err := <-ended; err != nil || seen != 1 {
			t.Errorf("%v, %d notes", err, seen)
		}
		if s := w.Stats(); s.State != Stopped {
			t.Errorf("after the answer: %+v", s)
		}
	})
}

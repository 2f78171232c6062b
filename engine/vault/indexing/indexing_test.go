package indexing

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// slowIndex takes a second for what it is brought up to.
type slowIndex struct{ done []string }

func (s *slowIndex) Update(_ context.Context, rels ...string) error {
	time.Sleep(time.Second)
	s.done = append(s.done, fmt.Sprint(rels))
	return nil
}

func (*slowIndex) Close() error { return nil }

// A question waits for no batch of the index; its note is in the next.
func TestIndexPendingWaitsForNoBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		index := new(slowIndex)
		x, err := Open(t.Context(), Options{Opener: func(string) (Index, error) { return index, nil }, Prepare: func(...string) {}, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go x.Run(ctx)
		x.Add("batch.md", true)
		synctest.Wait()
		begun := time.Now()
		x.IndexPending(ctx, "asking.md")
		if waited := time.Since(begun); waited > 100*time.Millisecond {
			t.Errorf("waited %v for a batch", waited)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if got := fmt.Sprint(index.done); got != "[[batch.md] [asking.md]]" {
			t.Errorf("indexed %s", got)
		}
	})
}

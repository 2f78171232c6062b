package vectors

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/recall/embed"
)

// slowEmbedder gives every query the same vector. While it hangs, queries wait for
// the end of their context.
type slowEmbedder struct {
	embed.Embedder
	hang bool
}

func (e *slowEmbedder) Query(ctx context.Context, _ string) ([]float32, error) {
	if e.hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return []float32{1, 0, 0, 0, 0, 0, 0, 0}, nil
}

// TestSlowQuery lets a query take longer than a search waits.
func TestSlowQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &slowEmbedder{hang: true}
		v := New("index.db", Meaning{Embedder: e, Weight: 1}, nil, slog.New(slog.DiscardHandler), func() {})
		v.space = newSpace(8)
		v.space.addVector(Key{1}, []int8{1, 0, 0, 0, 0, 0, 0, 0}, 1)
		start := time.Now()
		if _, err := v.queryVector(t.Context(), "car"); !errors.Is(err, errSlowQuery) || time.Since(start) != queryWait {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		start = time.Now()
		if _, err := v.queryVector(t.Context(), "another"); !errors.Is(err, errSlowQuery) || time.Since(start) != 0 {
			t.Errorf("the next search: %v after %v", err, time.Since(start))
		}
		if len(v.wake) != 1 {
			t.Error("nobody goes on with the query")
		}
		e.hang = false
		if err := v.answerPending(t.Context()); err != nil {
			t.Fatal(err)
		}
		e.hang = true
		if near, err := v.Nearest(t.Context(), "car", 3); err != nil || len(near) != 1 {
			t.Errorf("the query that was waited for: %v, %v", near, err)
		}
		if _, err := v.queryVector(t.Context(), "a third"); !errors.Is(err, errSlowQuery) {
			t.Errorf("a search after that: %v", err)
		}
		e.hang = false
		<-time.After(muteTime)
		if _, err := v.queryVector(t.Context(), "a fourth"); err != nil {
			t.Errorf("a search after a while: %v", err)
		}
	})
}

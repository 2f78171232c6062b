package engine

import (
	"context"
	"sync/atomic"
	"testing"

	"vaultdispatcher/engine/journal"
)

// leaving is the context of a caller who has gone once something is true.
type leaving struct {
	context.Context
	isGone func() bool
}

func (l leaving) Err() error {
	if l.isGone() {
		return context.Canceled
	}
	return nil
}

// An undo that was recorded is made, also where its caller went before the disk was asked.
func TestUndoWhoseCallerGoesIsMade(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{})
	r.save("n.md", question(1))
	r.until("n.md", answer(1))
	r.rest()
	id := r.only().ID
	var asks atomic.Bool
	isGone := func() bool {
		if !asks.CompareAndSwap(false, true) { // the journal asks the context as well
			return false
		}
		defer asks.Store(false)
		d, err := r.journal.Get(context.Background(), id)
		return err == nil && d.Undo == journal.Undoing
	}
	_, _ = r.Undo(leaving{context.Background(), isGone}, id)
	r.until("n.md", question(1))
}

package writer

import (
	"context"
	"errors"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
)

// An undo that was begun and cannot be made for as long as it is tried is told of: nobody waits for it any more.
func TestUndoThatIsGivenUp(t *testing.T) {
	bubble(t, "given up", func(t *testing.T) {
		var told []string
		k := newDesk(t, func(_ context.Context, d journal.Dispatch, _ int) error {
			if d.Undo == journal.Undoing {
				return errors.New("the note is being written by another program")
			}
			return nil
		})
		defer k.close()
		k.opts.Engine = quietEngine{undoFailed: func(d journal.Dispatch, reason string) {
			k.mu.Lock()
			defer k.mu.Unlock()
			told = append(told, d.ID+": "+reason)
		}}
		d := k.answered("n.md", "one")
		k.Submit(d)
		wait(time.Second)
		undoing, err := k.opts.Journal.BeginUndo(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		k.Submit(undoing)
		wait(10 * time.Minute)
		k.want(d.ID, journal.Queued, "waits to be taken back: the note is being")
		k.mu.Lock()
		if len(told) > 0 {
			t.Errorf("while it is tried: %q", told)
		}
		k.mu.Unlock()
		wait(time.Hour)
		k.want(d.ID, journal.Done, "")
		k.mu.Lock()
		defer k.mu.Unlock()
		if len(told) != 1 || told[0] != d.ID+": the note is being written by another program" {
			t.Errorf("told is %q", told)
		}
	})
}

package writer

import (
	"context"
	"errors"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// An editor that did not notice our write saves its own, older text over it: the
// marker is back on the disk and the answer is gone. The answer is then written
// again from the journal. A person who asks the same once more does not look like that:
// here the answer is gone, the line is where it was, and it happened soon. To get the
// question back there is wiki undo; to get another answer, change the line or ask after
// this time.
const (
	overwrittenWithin = 10 * time.Minute
	mostReapplied     = 5
	firstReapply      = 2 * time.Second // it doubles: 2, 4, 8, 16, 32 s

	writtenOver       = "its answer was written over in the note, and is written again"
	writtenOverAlways = "another program keeps writing over the answer; the answer is kept, and wiki retry writes it again"
)

// Reapply takes from the free markers of a note those whose answer was just written
// over, and has their answers written again. It returns the other markers, and whether
// there were any whose answer was written over.
func (w *Writer) Reapply(ctx context.Context, root, rel string, src []byte, free []note.Marker) (rest []note.Marker, some bool, err error) {
	if len(free) == 0 {
		return free, false, nil
	}
	now := time.Now()
	written, err := w.opts.Journal.WrittenSince(ctx, root, rel, now.Add(-overwrittenWithin))
	if err != nil || len(written) == 0 {
		return free, false, err
	}
	lost, rest := findOverwritten(src, free, written)
	for _, d := range written {
		if len(lost[d.ID]) == 0 {
			continue
		}
		again, reason := timeToReapply(now, d.Reapplied), writtenOver
		if again.IsZero() {
			reason = writtenOverAlways
		}
		d, err := w.opts.Journal.Overwritten(ctx, d.ID, lost[d.ID], again, reason)
		if errors.Is(err, journal.ErrState) {
			continue // another step was faster
		}
		if err != nil {
			return nil, some, err
		}
		some = true
		if d.Status == journal.Queued {
			w.Submit(d)
		}
	}
	return rest, some, nil
}

// timeToReapply says when an answer is written again that was so n times before; the
// zero time is never.
func timeToReapply(now time.Time, n int) time.Time {
	if n >= mostReapplied {
		return time.Time{}
	}
	return now.Add(firstReapply << n)
}

// findOverwritten finds the markers that a note had before their answers were written
// and has again instead of them. It returns their positions by dispatch, and the
// markers that are none of them.
func findOverwritten(src []byte, free []note.Marker, written []journal.Dispatch) (lost map[string][]int, rest []note.Marker) {
	type place struct {
		dispatch string
		position int
	}
	var places []place
	var traces []note.Trace
	var blocks []string
	gone := make(map[string]int) // by block: how many of them are missing
	for _, d := range written {
		for i, m := range d.Markers {
			if len(m.Block.Text) == 0 {
				continue
			}
			block := string(m.Block.Text)
			if _, known := gone[block]; !known {
				gone[block] = -len(note.Runs(src, m.Block.Text))
			}
			gone[block]++
			t := m.Trace
			t.Before, t.After = string(m.Block.Before), string(m.Block.After)
			places, traces, blocks = append(places, place{d.ID, i}), append(traces, t), append(blocks, block)
		}
	}
	lost = make(map[string][]int)
	taken := make(map[int]bool)
	for i, at := range note.Match(free, traces) {
		if at >= 0 && gone[blocks[i]] > 0 && isUnmoved(free[at], traces[i]) {
			gone[blocks[i]]--
			lost[places[i].dispatch] = append(lost[places[i].dispatch], places[i].position)
			taken[at] = true
		}
	}
	for i, m := range free {
		if !taken[i] {
			rest = append(rest, m)
		}
	}
	return lost, rest
}

// isUnmoved reports whether a marker is where it was before its answer was
// written: between the same lines, or beside one of them while the other was
// edited. A neighbour of an answer was never there before.
func isUnmoved(m note.Marker, t note.Trace) bool {
	if m.Before == t.Before && m.After == t.After {
		return true
	}
	return t.IsBeside(m) && (m.Before == t.Before || !note.IsTag(m.Before)) && (m.After == t.After || !note.IsTag(m.After))
}

package writer

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// An editor that did not notice our write saves its own, older text over it: the marker is back
// on the disk and the answer is gone. The answer is then written again from the journal. A person
// who asks the same once more does not look like that: here the answer is gone, the line is where
// it was, it happened soon, and in one save ([findRemoved]). Use wiki undo to get the question
// back, and wiki retry --fresh to get another answer.
const (
	mostReapplied = 5

	writtenOverAlways = "another program keeps writing over the answer; the answer is kept, and wiki retry writes it again"
)

// Reapply removes from the free markers of a note those that have an answer: it writes an answer
// again that was just written over, or that is parked because its place was gone. If answers are
// missing, however old they are, it calls whyBack: if that returns a reason, they are held. It
// returns the other markers, and whether there were any with an answer.
func (w *Writer) Reapply(ctx context.Context, root, rel string, src []byte, free []note.Marker, whyBack func() string) (rest []note.Marker, some bool, err error) {
	young := w.wroteLately(time.Now())
	if len(free) == 0 && !young {
		return free, false, nil
	}
	if len(free) > 0 {
		if free, some, err = w.fetchParked(ctx, root, rel, free); err != nil {
			return free, some, err
		}
	}
	if len(free) == 0 && !young {
		return free, some, nil
	}
	written, err := w.opts.Journal.WrittenInto(ctx, root, rel)
	if err != nil || len(written) == 0 {
		return free, some, err
	}
	now := time.Now()
	recent := leaveOutRemoved(after(written, now.Add(-journal.OverwriteFor)), w.opts.Progress.Rest, now)
	slices.Reverse(recent) // of several that fit, the last one was written over
	text := find.NewText(src)
	lost, rest := findOverwritten(text, free, recent)
	for _, d := range findRemoved(src, text, written, now) {
		if err := w.opts.Journal.RecordRemoved(ctx, d); err != nil {
			return free, some, err
		}
	}
	older, others := findOverwritten(text, rest, slices.DeleteFunc(slices.Clone(written), func(d journal.Dispatch) bool { return len(lost[d.ID]) > 0 }))
	if len(lost)+len(older) == 0 {
		return rest, some, nil
	}
	if why := whyBack(); why != "" {
		maps.Copy(lost, older)
		return others, true, w.holdReverted(ctx, lost, why)
	}
	for _, d := range written {
		if len(lost[d.ID]) == 0 {
			continue
		}
		again, reason := timeToReapply(now, d.Reapplied), journal.WrittenOver
		if again.IsZero() {
			reason = writtenOverAlways
		}
		d, err := w.opts.Journal.RequeueOverwritten(ctx, d.ID, lost[d.ID], again, reason)
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

// after returns the dispatches that ended at a time or later.
func after(list []journal.Dispatch, t time.Time) (late []journal.Dispatch) {
	for _, d := range list {
		if !d.Finished.Before(t) {
			late = append(late, d)
		}
	}
	return late
}

// holdReverted holds dispatches whose answers at these positions are not in their note.
func (w *Writer) holdReverted(ctx context.Context, lost map[string][]int, why string) error {
	for id, positions := range lost {
		if err := w.opts.Journal.HoldReverted(ctx, id, positions, why); err != nil && !errors.Is(err, journal.ErrState) {
			return err
		}
	}
	return nil
}

// timeToReapply says when an answer is written again that was so n times before; the
// zero time is never.
func timeToReapply(now time.Time, n int) time.Time {
	if n >= mostReapplied {
		return time.Time{}
	}
	return now.Add(due.Backoff(1) << n) // it doubles: 2, 4, 8, 16, 32 s
}

// place is one answer of a dispatch.
type place struct {
	dispatch string
	position int
}

// findOverwritten finds the markers that a note had before their answers were written and has
// again instead of them. It returns their positions by dispatch, and the remaining markers.
func findOverwritten(text *find.Text, free []note.Marker, written []journal.Dispatch) (lost map[string][]int, rest []note.Marker) {
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
				gone[block] = -len(text.FindLines(m.Block.Text))
			}
			gone[block]++
			t := m.Trace
			t.Folds = true
			t.Upper, t.Lower = string(m.Block.Upper), string(m.Block.Lower)
			places, traces, blocks = append(places, place{d.ID, i}), append(traces, t), append(blocks, block)
		}
	}
	lost = make(map[string][]int)
	taken := make(map[int]bool)
	for i, at := range find.Match(free, traces) {
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
	return find.IsBetween(m, t) || find.IsBeside(m, t) && (m.Upper == t.Upper || !note.IsTag(m.Upper)) && (m.Lower == t.Lower || !note.IsTag(m.Lower))
}

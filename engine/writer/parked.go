package writer

import (
	"context"
	"errors"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// fetchParked takes from the free markers of a note those that have a parked answer, and
// has it written: a note that was empty for a while parks its answers, and they are not
// to be asked for twice. It returns the other markers, and whether there were some.
func (w *Writer) fetchParked(ctx context.Context, root, rel string, free []note.Marker) (rest []note.Marker, some bool, err error) {
	parked, err := w.opts.Journal.ParkedIn(ctx, root, rel)
	if err != nil || len(parked) == 0 {
		return free, false, err
	}
	for _, d := range parked {
		places := findPlaces(free, d)
		if len(places) == 0 {
			continue
		}
		d, err := w.opts.Journal.RequeueFound(ctx, d.ID)
		if errors.Is(err, journal.ErrState) {
			continue // another step was faster
		}
		if err != nil {
			return free, some, err
		}
		some = true
		w.Submit(d)
		rest = nil
		for i, m := range free {
			if !places[i] {
				rest = append(rest, m)
			}
		}
		free = rest
	}
	return free, some, nil
}

// findPlaces returns which of the free markers are those that a dispatch has not written:
// the same lines between the same neighbours. It needs all of them.
func findPlaces(free []note.Marker, d journal.Dispatch) map[int]bool {
	var traces []note.Trace
	for _, m := range d.Markers {
		if !m.Written {
			m.Folds = true
			traces = append(traces, m.Trace)
		}
	}
	places := make(map[int]bool)
	for i, at := range find.Match(free, traces) {
		if at < 0 || !isUnmoved(free[at], traces[i]) {
			return nil
		}
		places[at] = true
	}
	return places
}

// Restore ends the holds of dispatches whose note git had put back, when the note has all their
// answers again. It returns the claims that are left.
func (w *Writer) Restore(ctx context.Context, src []byte, claims []journal.Claim) ([]journal.Claim, error) {
	ended := make(map[string]bool)
	var text *find.Text // of the note, once it is looked into
	for _, c := range claims {
		if _, known := ended[c.Dispatch]; known || c.Status != journal.Held || !c.Answered {
			continue
		}
		d, err := w.opts.Journal.Get(ctx, c.Dispatch)
		if err != nil {
			return claims, err
		}
		if text == nil {
			text = find.NewText(src)
		}
		if ended[c.Dispatch] = hasAnswers(text, d); !ended[c.Dispatch] {
			continue
		}
		if err := w.opts.Journal.RecordRestored(ctx, d.ID); err != nil && !errors.Is(err, journal.ErrState) {
			return claims, err
		}
	}
	var left []journal.Claim
	for _, c := range claims {
		if !ended[c.Dispatch] {
			left = append(left, c)
		}
	}
	return left, nil
}

// hasAnswers reports whether a note has all answers of a dispatch.
func hasAnswers(text *find.Text, d journal.Dispatch) bool {
	for _, m := range d.Markers {
		if len(m.Block.Text) == 0 || len(text.FindLines(m.Block.Text)) == 0 {
			return false
		}
	}
	return len(d.Markers) > 0
}

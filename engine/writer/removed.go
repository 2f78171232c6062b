package writer

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// A person who deletes an answer, saves, and types its question again in a later save asks anew. One
// save that turns an answer back into its question is an editor's old text. So if a look finds that an
// answer has left its note and its question is not back, the journal remembers this with the answer.
// Saves within one debounce count as one. A note that is empty or gone has lost nothing: programs
// empty a file before they write it, and sync tools delete one before they bring it back.

// noteWritten records when an answer was written. For a while after that, the writer looks for old
// text that is written over it.
func (w *Writer) noteWritten(at time.Time) {
	for last := w.lastWritten.Load(); at.UnixNano() > last && !w.lastWritten.CompareAndSwap(last, at.UnixNano()); {
		last = w.lastWritten.Load()
	}
}

// wroteLately reports whether a note may hold an answer over which old text is written.
func (w *Writer) wroteLately(now time.Time) bool {
	return now.Sub(time.Unix(0, w.lastWritten.Load())) <= journal.OverwriteFor
}

// leaveOutRemoved returns the dispatches without the answers that a person has taken out of the note, by more than a debounce.
func leaveOutRemoved(written []journal.Dispatch, debounce time.Duration, now time.Time) []journal.Dispatch {
	left := slices.Clone(written)
	for n, d := range left {
		left[n].Markers = slices.Clone(d.Markers)
		for i, m := range d.Markers {
			if !m.Removed.IsZero() && now.Sub(m.Removed) >= debounce {
				left[n].Markers[i].Block = note.Block{}
			}
		}
	}
	return left
}

// findRemoved returns the dispatches whose answers have left a note, or are in it again; their markers
// say which. Written holds all dispatches written into the note. A question that is in the note has
// not left it.
func findRemoved(src []byte, text *find.Text, written []journal.Dispatch, now time.Time) (changed []journal.Dispatch) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) == 0 {
		return nil
	}
	wanted := make(map[string]int) // by block, how many there should be
	for _, d := range written {
		for _, m := range d.Markers {
			wanted[string(m.Block.Text)]++
		}
	}
	beside := sync.OnceValues(func() (above, below []string) { return besideBlocks(src) })
	isEdited := func(b note.Block) bool { // its ends are between its neighbours: a person has changed the answer, not taken it out
		above, below := beside()
		return slices.Contains(above, string(b.Upper)) && slices.Contains(below, string(b.Lower))
	}
	for _, d := range after(written, now.Add(-journal.OverwriteFor)) {
		before := d.Markers
		d.Markers = slices.Clone(before)
		for i := range d.Markers {
			m := &d.Markers[i]
			switch n := len(text.FindLines(m.Block.Text)); {
			case n >= wanted[string(m.Block.Text)]:
				m.Removed = time.Time{}
			case n > 0 || len(m.Block.Text) == 0 || len(text.FindLines([]byte(m.Text))) > 0 || isEdited(m.Block):
			case m.Removed.IsZero():
				m.Removed = now
			}
		}
		if !slices.EqualFunc(before, d.Markers, func(a, b journal.Marker) bool { return a.Removed.Equal(b.Removed) }) {
			changed = append(changed, d)
		}
	}
	return changed
}

// besideBlocks returns the lines above and below the response blocks of a note, without those that say nothing.
func besideBlocks(src []byte) (above, below []string) {
	last, wasTag := "", false
	lines := slices.DeleteFunc(note.Lines(src), func(line string) bool { return strings.Trim(line, " \t>") == "" })
	for _, line := range append(lines, "") {
		isTag := note.IsTag(line)
		if isTag {
			above = append(above, last)
		}
		if wasTag {
			below = append(below, line)
		}
		last, wasTag = line, isTag
	}
	return above, below
}

// recallWritten takes up when an earlier engine has written an answer last.
func (w *Writer) recallWritten(ctx context.Context) error {
	ended, err := w.opts.Journal.Ended(ctx, time.Now().Add(-journal.OverwriteFor))
	for _, d := range ended {
		if d.Status == journal.Done {
			w.noteWritten(d.Finished)
		}
	}
	return err
}

package writer

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// A person who deletes an answer, saves, and types its question again in a later save asks
// anew. One save that turns an answer back into its question is an editor's old text. So
// what a look finds to have left its note without its question coming back is remembered
// for as long as old text is written over. Saves within one debounce are one. A note that
// is empty or gone has lost nothing: programs empty a file before they write it, and sync
// tools delete one before they bring it back.

// removals remembers which answers a person has taken out of their notes.
type removals struct {
	rest time.Duration // two saves within it are one

	mu     sync.Mutex            // guards the fields below
	lately map[noteKey]time.Time // notes with young answers, and when the last was written
	since  map[place]time.Time   // answers that are out of their note
}

// place is one answer of a dispatch.
type place struct {
	dispatch string
	position int
}

func newRemovals(rest time.Duration) *removals {
	return &removals{rest: rest, lately: make(map[noteKey]time.Time), since: make(map[place]time.Time)}
}

// noteWritten says that an answer was written into a note. What is too old to matter is forgotten.
func (r *removals) noteWritten(n noteKey, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := now.Add(-overwrittenWithin)
	maps.DeleteFunc(r.lately, func(_ noteKey, at time.Time) bool { return at.Before(old) })
	maps.DeleteFunc(r.since, func(_ place, at time.Time) bool { return at.Before(old) })
	if now.After(r.lately[n]) {
		r.lately[n] = now
	}
}

// Renamed says that a note has another name now.
func (w *Writer) Renamed(root, from, to string) {
	w.removals.mu.Lock()
	at := w.removals.lately[noteKey{root, from}]
	w.removals.mu.Unlock()
	w.removals.noteWritten(noteKey{root, to}, at)
}

// holdsYoung reports whether a note has had an answer so lately that old text over it is told
// from what is typed again.
func (r *removals) holdsYoung(n noteKey, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, known := r.lately[n]
	return known && now.Sub(at) <= overwrittenWithin
}

// leaveOut returns the dispatches without the answers that a person has taken out of the note.
func (r *removals) leaveOut(written []journal.Dispatch, now time.Time) []journal.Dispatch {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := slices.Clone(written)
	for n, d := range left {
		left[n].Markers = slices.Clone(d.Markers)
		for i := range d.Markers {
			if since, out := r.since[place{d.ID, i}]; out && now.Sub(since) >= r.rest {
				left[n].Markers[i].Block = note.Block{}
			}
		}
	}
	return left
}

// observe remembers which answers are out of a note, and forgets those that are in it again.
// written is all that was written into the note; a question that stands in it is none that left.
func (r *removals) observe(src []byte, text *find.Text, written []journal.Dispatch, now time.Time) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) == 0 {
		return
	}
	wanted := make(map[string]int) // by block, how many there should be
	for _, d := range written {
		for _, m := range d.Markers {
			wanted[string(m.Block.Text)]++
		}
	}
	beside := sync.OnceValue(func() neighbours { return besideBlocks(src) })
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range after(written, now.Add(-overwrittenWithin)) {
		for i, m := range d.Markers {
			at := place{d.ID, i}
			switch n := len(text.FindLines(m.Block.Text)); {
			case n >= wanted[string(m.Block.Text)]:
				delete(r.since, at)
			case n > 0 || len(m.Block.Text) == 0 || len(text.FindLines([]byte(m.Text))) > 0 || beside().isEdited(m.Block):
			case r.since[at].IsZero():
				r.since[at] = now
			}
		}
	}
}

// neighbours are the lines above and below the response blocks of a note, without those that say nothing.
type neighbours struct{ above, below map[string]bool }

func besideBlocks(src []byte) neighbours {
	n := neighbours{make(map[string]bool), make(map[string]bool)}
	last, wasTag := "", false
	lines := slices.DeleteFunc(note.Lines(src), func(line string) bool { return strings.Trim(line, " \t>") == "" })
	for _, line := range append(lines, "") {
		isTag := note.IsTag(line)
		if isTag {
			n.above[last] = true
		}
		if wasTag {
			n.below[line] = true
		}
		last, wasTag = line, isTag
	}
	return n
}

// isEdited reports whether the ends of a block stand between its neighbours: a person has
// changed the answer, not taken it out.
func (n neighbours) isEdited(b note.Block) bool {
	return n.above[string(b.Before)] && n.below[string(b.After)]
}

// recallWritten takes up what an earlier engine has written lately.
func (r *removals) recallWritten(ctx context.Context, j *journal.Journal) error {
	ended, err := j.Ended(ctx, time.Now().Add(-overwrittenWithin))
	for _, d := range ended {
		if d.Status == journal.Done {
			r.noteWritten(noteKey{d.Vault, d.File}, d.Finished)
		}
	}
	return err
}

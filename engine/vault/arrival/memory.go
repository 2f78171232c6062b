package arrival

import (
	"bytes"
	"context"
	"slices"
	"time"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// Few is how many markers a vault may hold when it is first watched to be
// answered without a word. More of them were hardly all meant for this program
// today, and could cost their owner money.
const Few = 10

// Journal is what a memory asks of the journal ([journal.Journal]).
type Journal interface {
	Arrival(ctx context.Context, vault, file string) (journal.Arrival, bool, error)
	SetArrival(ctx context.Context, vault string, a journal.Arrival) error
	ArrivalsWithLines(ctx context.Context, vault string, lines []byte) ([]journal.Arrival, error)
	ForgetArrivals(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error
	Claims(ctx context.Context, vault, file string) ([]journal.Claim, error)
	WrittenInto(ctx context.Context, vault, file string) ([]journal.Dispatch, error)
}

// Memory keeps in the journal where the lines of the notes of one vault came from. What was found to come from elsewhere is
// there before Record returns, but for a note into which an answer is just being written. Its fields are set before it is used. One goroutine at a time uses it, but for IsUntrusted and
// Forget.
type Memory struct {
	Journal   Journal
	Root      string                // of the vault
	Untrusted []string              // patterns of notes whose markers wait
	Unpacking time.Duration         // how long a note that has just appeared may go on being written by whoever brought it
	IsGone    func(rel string) bool // reports whether there is no note at a path any more

	departed map[string]bool // notes from elsewhere that are gone
}

// Seen is a look at a note.
type Seen struct {
	Rel   string
	At    time.Time
	New   bool // it was not there before, or somebody tells of it
	Unmet bool // its vault was not met yet
}

// IsUntrusted reports whether the markers that come with a note wait for a person.
func (m *Memory) IsUntrusted(rel string, src []byte) bool {
	return glob.Match(m.Untrusted, rel) || IsClipped(src)
}

// Record returns which lines of a note wait for a person if they are markers, and
// why; it remembers the note as it is now.
func (m *Memory) Record(ctx context.Context, s Seen, src []byte, doc note.Doc) (journal.Arrival, error) {
	untrusted := m.IsUntrusted(s.Rel, src)
	if !untrusted && len(doc.Markers) == 0 {
		return journal.Arrival{}, nil
	}
	a, known, err := m.Journal.Arrival(ctx, m.Root, s.Rel)
	if err != nil {
		return a, err
	}
	if untrusted && !known {
		var early bool
		switch untrusted, early, err = m.isUntrustedItself(ctx, s.Rel, src); {
		case err != nil || !untrusted && len(doc.Markers) == 0:
			return a, err
		case untrusted && early:
			return New(s.Rel, s.At, src), nil // the next look remembers it
		}
	}
	next := a
	switch {
	case untrusted && known:
		if m.departed[s.Rel] {
			a.Seen = s.At // whoever brings it back may bring other lines
		}
		next = Grow(a, s.At.Sub(a.Seen) < m.Unpacking, src, doc.Markers)
	case untrusted:
		next, err = m.findAlike(ctx, s, src, doc.Markers, true)
	case !known && s.Unmet && len(doc.Markers) > Few:
		next = OfVault(s.Rel, s.At, doc.Markers)
	case !known && s.New:
		next, err = m.findAlike(ctx, s, src, doc.Markers, false)
	}
	if err != nil {
		return a, err
	}
	if !bytes.Equal(next.Lines, a.Lines) || !bytes.Equal(next.Came, a.Came) {
		err = m.Journal.SetArrival(ctx, m.Root, next)
	}
	if untrusted && known && err == nil {
		delete(m.departed, s.Rel)
	}
	return next, err
}

// findAlike is what is remembered of a note that may be a known one under a new name: one that
// had the same lines and is gone. Then no line comes with it that had not come before; else it is
// [New] where it is untrusted. What somebody else has written stays theirs in a place that is
// trusted, also as a copy.
func (m *Memory) findAlike(ctx context.Context, s Seen, src []byte, markers []note.Marker, untrusted bool) (journal.Arrival, error) {
	now := New(s.Rel, s.At, src)
	if len(markers) > 0 {
		alike, err := m.Journal.ArrivalsWithLines(ctx, m.Root, now.Lines)
		for _, a := range alike {
			if !untrusted && a.Kind == journal.ForUntrusted || m.IsGone(a.File) {
				a.File = s.Rel
				return a, err
			}
		}
		if err != nil || !untrusted {
			return journal.Arrival{}, err
		}
	}
	return now, nil
}

// isUntrustedItself is IsUntrusted for a note without the answers that were written into it: a source or tag that
// an answer names is none of the note's own. While an answer is being written it may be too early to tell.
func (m *Memory) isUntrustedItself(ctx context.Context, rel string, src []byte) (untrusted, early bool, err error) {
	if !bytes.Contains(src, []byte("<!--")) || glob.Match(m.Untrusted, rel) {
		return true, false, nil
	}
	claims, err := m.Journal.Claims(ctx, m.Root, rel) // before what was written: none is missed in between
	if err != nil {
		return true, false, err
	}
	written, err := m.Journal.WrittenInto(ctx, m.Root, rel)
	untrusted = IsClipped(CutAnswers(src, written))
	return untrusted, slices.ContainsFunc(claims, func(c journal.Claim) bool { return c.Answered }), err
}

// Departed says that a note is gone whose folder has answered.
func (m *Memory) Departed(ctx context.Context, rel string) error {
	_, arrived, err := m.Journal.Arrival(ctx, m.Root, rel)
	if arrived && err == nil {
		if m.departed == nil {
			m.departed = make(map[string]bool)
		}
		m.departed[rel] = true
	}
	return err
}

// Forget forgets what is remembered of notes that have been gone for as long as keep. The caller has seen that the folder
// answers; isGone may touch the disk.
func (m *Memory) Forget(ctx context.Context, now time.Time, keep time.Duration, isGone func(rel string) bool) error {
	return m.Journal.ForgetArrivals(ctx, m.Root, now, keep, isGone)
}

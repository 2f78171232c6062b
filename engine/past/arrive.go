package past

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/origin"
)

// Seen is a look at a note.
type Seen struct {
	Time  time.Time
	New   bool // it was not there before, or another engine or program reports it
	Unmet bool // its vault was not met yet
}

// Arrive returns the lines of the note that wait for a person if they are markers, and remembers
// the present note.
func (l *Look) Arrive(ctx context.Context, s Seen) (Came, error) {
	if !l.isQuoting && !l.Foreign {
		return Came{}, nil
	}
	m, row, foreign := l.memory, l.row, l.Foreign
	if foreign && row.Kind != journal.ForUntrusted {
		is, early, err := m.isForeignItself(ctx, l.rel, l.src)
		if err != nil {
			return Came{}, err
		}
		if is && early { // the next look remembers it
			return Came{journal.ForUntrusted, wordsOf(scanLines(l.src, true, true))}, l.Keep(ctx)
		}
		foreign = is
	}
	lines := l.previous.update(l.src, l.Doc.Markers, foreign || row.Kind == journal.ForUntrusted)
	err := l.findOrigin(ctx, s, &row, &lines, foreign)
	if err != nil {
		return Came{}, err
	}
	if err := l.keep(ctx, row, lines); err != nil {
		return Came{}, err
	}
	m.notes.Edit(l.rel, func(s *noteState) { s.isGone = false })
	m.names.Drop(l.rel)
	return Came{row.Kind, lines.came()}, nil
}

// findOrigin says of the lines which came with the note, and when it came.
func (l *Look) findOrigin(ctx context.Context, s Seen, row *journal.NotePast, lines *Lines, foreign bool) error {
	m, markers := l.memory, l.Doc.Markers
	switch {
	case foreign && row.Kind == journal.ForUntrusted:
		if m.notes.Of(l.rel).isGone || row.IsGone {
			row.Arrival = s.Time // a program that brings it back may bring other lines
		}
		news, err := l.findNews(ctx, *lines)
		if err != nil {
			return err
		}
		lines.grow(news, s.Time.Sub(row.Arrival) < m.Unpacking, markers)
	case foreign:
		known, err := l.findAlike(ctx, row, lines, foreign)
		if err != nil || known {
			return err
		}
		row.Kind, row.Arrival = journal.ForUntrusted, s.Time
		lines.bring(wordsOf(scanLines(l.src, true, true)))
	case row.Kind == "" && s.Unmet && len(markers) > Few:
		row.Kind, row.Arrival = journal.ForOld, s.Time
		lines.bring(wordsOfMarkers(markers))
	case row.Kind == "" && s.New:
		_, err := l.findAlike(ctx, row, lines, foreign)
		return err
	}
	return nil
}

// findNews returns the words of the lines that were not in the note before, except those of
// answers that are written here. While an answer is being written, its block is not known yet.
func (l *Look) findNews(ctx context.Context, lines Lines) (wordSet, error) {
	news := lines.without(l.previous)
	if len(news) == 0 || !bytes.Contains(l.src, []byte("<!--")) {
		return news, nil
	}
	written, isWriting, err := l.memory.readAnswers(ctx, l.rel)
	others := wordsOf(scanLines(cutAnswers(l.src, written), true, !isWriting))
	maps.DeleteFunc(news, func(one uint64, _ bool) bool { return !others[one] })
	return news, err
}

// findAlike takes over the origin of lines from a note that may be this one under its former
// name: one that had the same lines and is gone. Only lines that came with that note count as
// brought then. The lines of other people remain theirs in a trusted place, also in a copy.
// findAlike reports whether it found such a note.
func (l *Look) findAlike(ctx context.Context, row *journal.NotePast, lines *Lines, foreign bool) (bool, error) {
	if len(l.Doc.Markers) == 0 {
		return false, nil
	}
	words := wordsOf(scanLines(l.src, true, true))
	alike, err := l.memory.Journal.PastsAlike(ctx, l.memory.Root, sumOf(words))
	for _, a := range alike {
		if a.File != l.rel && (!foreign || l.memory.IsGone(a.File)) {
			row.Kind, row.Arrival = a.Kind, a.Arrival
			lines.bring(Decode(a.Lines).came())
			return true, err
		}
	}
	return false, err
}

// isForeignItself is IsUntrusted for a note without the answers that were written into it: a
// source or tag in an answer does not count as the note's own. While an answer is being written
// it may be too early to tell.
func (m *Memory) isForeignItself(ctx context.Context, rel string, src []byte) (is, early bool, err error) {
	if !bytes.Contains(src, []byte("<!--")) || glob.Match(m.Untrusted, rel) {
		return true, false, nil
	}
	written, early, err := m.readAnswers(ctx, rel)
	return err != nil || origin.IsClipped(note.NewPage(cutAnswers(src, written))), early, err
}

// readAnswers returns the dispatches whose answers were written into a note, and whether more are
// being written.
func (m *Memory) readAnswers(ctx context.Context, rel string) (written []journal.Dispatch, isWriting bool, err error) {
	claims, err := m.Journal.Claims(ctx, m.Root, rel) // before what was written: none is missed in between
	if err == nil {
		written, err = m.Journal.WrittenInto(ctx, m.Root, rel)
	}
	return written, slices.ContainsFunc(claims, func(c journal.Claim) bool { return c.Answered }), err
}

// alikeOf is what a note from elsewhere is found by under another name.
func alikeOf(kind journal.HoldKind, lines Lines) []byte {
	if kind != journal.ForUntrusted {
		return nil
	}
	words := make(wordSet)
	for _, e := range lines.current {
		if e.words != 0 {
			words[e.words] = true
		}
	}
	return sumOf(words)
}

// cutAnswers returns a note without the blocks that were written into it. Other blocks are kept:
// the author of the note may have typed them.
func cutAnswers(src []byte, written []journal.Dispatch) []byte {
	for _, d := range written {
		for _, m := range d.Markers {
			if len(m.Block.Text) > 0 {
				src = bytes.Replace(src, m.Block.Text, nil, 1)
			}
		}
	}
	return src
}

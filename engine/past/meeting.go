package past

import (
	"context"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// Few is how many markers a vault may hold when it is first watched to be
// answered without a word. More of them were hardly all meant for this program
// today, and could cost their owner money.
const Few = 10

// Meeting is what is in the notes of a vault that is first watched. One goroutine at a time uses it. Its zero value has no note.
type Meeting struct {
	Whole bool // old markers wait however few they are
	notes []metNote
}

// metNote is a note of a vault that is first watched.
type metNote struct {
	rel     string
	kind    journal.HoldKind
	lines   Lines
	markers int // that were there before
}

// AddTheirs adds a note from elsewhere.
func (m *Meeting) AddTheirs(rel string, src []byte, doc note.Doc) {
	lines := Lines{}.update(src, doc.Markers, true)
	lines.bring(wordsOf(scanLines(src, true, true)))
	m.notes = append(m.notes, metNote{rel, journal.ForUntrusted, lines, 0})
}

// AddOld adds a note that had some markers before the vault was given to an engine.
func (m *Meeting) AddOld(rel string, src []byte, doc note.Doc, old []note.Marker) {
	if len(old) > 0 {
		lines := Lines{}.update(src, doc.Markers, false)
		lines.bring(wordsOfMarkers(old))
		m.notes = append(m.notes, metNote{rel, journal.ForOld, lines, len(old)})
	}
}

// StartsEarly reports whether so many markers of a note need not wait until the vault is met, and notes that they start. They are
// few, in all such notes together; most notes have none.
func (m *Memory) StartsEarly(rel string, markers int) bool {
	if markers == 0 {
		return true
	}
	before := m.notes.Of(rel).early
	if m.early-before+markers > Few {
		return false
	}
	now := max(markers, before)
	m.early += now - before
	m.notes.Edit(rel, func(s *noteState) { s.early = now })
	return true
}

// countWaiting returns how many old markers wait, without notes that have had as many early starts. If
// there are at most [Few] and not all markers wait, it returns 0.
func (m *Memory) countWaiting(found Meeting) (waiting int) {
	for _, n := range found.notes {
		if n.markers > m.notes.Of(n.rel).early {
			waiting += n.markers
		}
	}
	if waiting <= Few && !found.Whole {
		return 0
	}
	return waiting
}

// Meet records that the vault was met, with what waits in its notes, and returns how many old markers do.
func (m *Memory) Meet(ctx context.Context, now time.Time, found Meeting) (waiting int, err error) {
	waiting = m.countWaiting(found)
	var rows []journal.NotePast
	for _, n := range found.notes {
		if n.kind == journal.ForOld && (waiting == 0 || n.markers <= m.notes.Of(n.rel).early) {
			continue
		}
		row, known, err := m.read(ctx, n.rel)
		if err != nil {
			return 0, err
		}
		lines, before := n.lines, Decode(row.Lines)
		switch {
		case n.kind == journal.ForOld && row.Kind == journal.ForUntrusted:
			continue // lines known to be another person's remain so
		case n.kind == journal.ForOld && known:
			lines = before
			lines.bring(n.lines.came())
		case known:
			lines = lines.with(before)
			lines.bring(before.came())
		}
		rows = append(rows, journal.NotePast{File: n.rel, Arrival: now, Kind: n.kind, Lines: lines.Bytes(), Alike: alikeOf(n.kind, lines)})
	}
	if err := m.RecordMet(ctx, m.Root, now, rows); err != nil {
		return 0, err
	}
	for _, row := range rows {
		delete(m.pending, row.File)
	}
	return waiting, nil
}

package rewrite

import (
	"bytes"
	"errors"
	"slices"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/sanitize"
)

var errNoLine = errors.New("the line of the question is gone")

// buildBelow puts an answer right below the job's marker, which stays as all else does, and returns the note and the answer's block.
func (t try) buildBelow(answer string) (next []byte, added note.Block, err error) {
	if t.doc.Conflict > 0 {
		return nil, added, ErrConflict
	}
	i := matchPlaces(t.doc.Markers, Job{Places: []Place{{Trace: *t.Anchor}}, Siblings: t.Siblings})[0]
	if i < 0 {
		return nil, added, errNoLine
	}
	m, text, raw := t.doc.Markers[i], t.bared.Text, t.src.Data
	eol := note.LineEnd(text, m.Span)
	at, rawAt := m.Span.End+len(eol), t.bared.Raw(m.Span).End+len(eol)
	m.First, m.Comments, m.Name, m.Span.Start = m.Rest, "", "", m.Span.End // what else is on its line stays there
	block := sanitize.Replies(text, []note.Marker{m}, []string{t.Heading + "\n\n" + answer})[0].New
	if at > len(text) {
		text, raw = slices.Concat(text, []byte(eol)), slices.Concat(raw, []byte(eol))
	}
	edit := note.Edit{Span: note.Span{Start: at, End: at}, New: slices.Concat(block, []byte(eol))}
	if next, err = note.Apply(text, []note.Edit{edit}); err != nil {
		return nil, added, err
	}
	doc := note.Parse(text)
	if err := verify(text, next, doc, []note.Edit{edit}, nil); err != nil {
		return nil, added, err
	}
	if !slices.EqualFunc(doc.Markers, note.Parse(next).Markers, func(a, b note.Marker) bool { return a.Text == b.Text }) {
		return nil, added, ErrUnsafe
	}
	above, _ := find.NearestLines(next, note.Span{Start: at, End: at + len(block)})
	edit.Span = note.Span{Start: rawAt, End: rawAt}
	next, err = editAround(raw, []note.Edit{edit}, next)
	return next, note.Block{Text: bytes.Clone(block), Upper: []byte(above)}, err
}

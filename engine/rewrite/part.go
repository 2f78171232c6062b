package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/merge"
	"vaultdispatcher/engine/note/part"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/sanitize"
)

// This file puts what an agent has made of a part of a note ([part.Part]) in the place of that part. The block in the place
// of the question is a line that says so. Both come in one exchange, and go in one by [Undo].

// Edit is a part of a note that the answer of a place takes the place of.
type Edit struct {
	Name string `json:"name"` // of the part, in words
	Text string `json:"text"` // its text as the agent was shown it

	// The written text, for [Undo]: the bytes before and after, and the nearest lines around them.
	Old   []byte `json:"was,omitempty"`
	New   []byte `json:"now,omitempty"`
	Upper string `json:"before,omitempty"`
	Lower string `json:"after,omitempty"`
}

// errMixed is why a reply is refused that would make something act in a line of the note.
var errMixed = errors.New("together with what is there it would do what an answer may not")

// Fit returns the text by which a reply to dispatch id replaces the text of a part, cleaned like an
// answer. Lines that the part already has do not change. The error says in words why the reply does
// not fit.
func (e Edit) Fit(reply, id string) (string, error) {
	next, err := part.Fit(e.Text, reply)
	if err != nil || next == e.Text {
		return next, err
	}
	harmless := strings.Split(sanitize.Labelled(e.Text, id, 0), "\n")
	clean, err := cleanBeside(e.Text, harmless, next, sanitize.Labelled(next, id, 0))
	if err != nil {
		return "", err
	}
	return clean, part.Check(e.Text, clean)
}

// cleanBeside returns the text clean, with the lines that next shares with there as they are there. It
// refuses a harmless line of there that cleaning would change now: the new lines would make it act.
func cleanBeside(there string, harmless []string, next, clean string) (string, error) {
	a, b := strings.Split(next, "\n"), strings.Split(clean, "\n")
	isNew, _, ok := merge.Changed(a, strings.Split(there, "\n"))
	gone, come, also := merge.Changed(a, b)
	if !ok || !also {
		return "", errMixed
	}
	var out []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && !gone[i] && !come[j] {
			out, i, j = append(out, a[i]), i+1, j+1
			continue
		}
		i2, j2, olds := i, j, 0
		for ; i2 < len(a) && gone[i2]; i2++ {
			if !isNew[i2] {
				olds++
				also = also && !slices.Contains(harmless, a[i2])
			}
		}
		for j2 < len(b) && come[j2] {
			j2++
		}
		switch {
		case !also:
			return "", errMixed
		case olds == 0:
			out = append(out, b[j:j2]...)
		case olds == i2-i:
			out = append(out, a[i:i2]...)
		case i2-i != j2-j:
			return "", errMixed
		default:
			for n := range i2 - i {
				if isNew[i+n] {
					a[i+n] = b[j+n]
				}
			}
			out = append(out, a[i:i2]...)
		}
		i, j = i2, j2
	}
	return strings.Join(out, "\n"), nil
}

// tell is the line of a block that says what an edit has done.
func (e Edit) tell(job Job, reply string) string {
	next, _ := e.Fit(reply, job.ID)
	added, removed := part.Count(e.Text, next)
	if next == e.Text {
		return "The " + e.Name + " stays as it is: nothing was changed."
	}
	approved := "written at once"
	if job.Approve != nil {
		approved = "approved by you"
	}
	return fmt.Sprintf("Edited the %s: %s added, %d removed; %s. `wiki undo %s` takes it back.", e.Name, countWords(added), removed, approved, job.ID)
}

func countWords(n int) string {
	if n == 1 {
		return "1 word"
	}
	return fmt.Sprintf("%d words", n)
}

// FindEdits returns the parts of a note that questions may have replaced, whose markers doc has at
// these indexes. The error says in words why a question has no such part.
func FindEdits(page *note.Page, markers []note.Marker) ([]Edit, error) {
	edits, spans := make([]Edit, len(markers)), make([]note.Span, len(markers))
	for i, m := range markers {
		s, err := part.Find(page, m, "")
		if err != nil {
			return nil, err
		}
		edits[i], spans[i] = Edit{Name: s.Name, Text: s.Text}, s.Span()
		for _, other := range spans[:i] {
			if other.Start < spans[i].End && spans[i].Start < other.End {
				return nil, errors.New("two of its questions would have the same lines replaced; ask them one after the other")
			}
		}
	}
	return edits, nil
}

// editParts puts what the places say in the place of their parts of the note, and returns what was put there, by place. The
// markers that were found are all still there.
func (t try) editParts(doc note.Doc, found []int) (src []byte, made []Edit, err error) {
	text := t.bared.Text
	var all []note.Edit
	for i, at := range found {
		e := t.Places[i].Edit
		if at < 0 || e == nil {
			continue
		}
		next, err := e.Fit(t.Places[i].Answer, t.ID)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrUnfit, err)
		}
		s, err := part.Find(t.bared.Page, doc.Markers[at], e.Text)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrApart, err)
		}
		if next, err = e.breakInQuote(t.bared.Page, s, next); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrUnfit, err)
		}
		next, ok := part.Merge(e.Text, s.Text, next)
		if !ok {
			return nil, nil, ErrApart
		}
		edits, err := s.Edits(next)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrApart, err)
		}
		now, err := note.Apply(s.Bytes(text), shiftEdits(edits, -s.Span().Start))
		if err != nil {
			return nil, nil, fmt.Errorf("build a part of the note: %w", err)
		}
		if made == nil {
			made = make([]Edit, len(found))
		}
		made[i] = Edit{Name: e.Name, Text: e.Text, Old: bytes.Clone(s.Bytes(text)), New: now}
		made[i].Upper, made[i].Lower = find.NearestLines(text, s.Span())
		all = append(all, edits...)
	}
	src, err = applyText(t.bared, all)
	return src, made, err
}

// breakInQuote breaks in the new lines of a clean text what acts in a quote alone, as in an answer there.
func (e Edit) breakInQuote(page *note.Page, s part.Part, next string) (string, error) {
	if s.Prefix == "" {
		return next, nil
	}
	in := note.Marker{First: s.Prefix, Rest: s.Prefix, Span: s.Span()}
	block := sanitize.Replies(page, []note.Marker{in}, []string{next})[0].New
	lines := strings.Split(note.UnifyLineEnds(string(block)), "\n")
	lines = lines[1 : len(lines)-1] // between the comments
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(line, strings.TrimRight(s.Prefix, " ")), " ")
	}
	return cleanBeside(e.Text, nil, next, strings.Join(lines, "\n"))
}

// shiftEdits moves edits.
func shiftEdits(edits []note.Edit, by int) (moved []note.Edit) {
	for _, e := range edits {
		e.Span = note.Span{Start: e.Span.Start + by, End: e.Span.End + by}
		moved = append(moved, e)
	}
	return moved
}

// applyText carries out edits of a note's own text, without its progress comments. Its markers, blocks and properties have to stay.
func applyText(bared progress.Bared, edits []note.Edit) ([]byte, error) {
	if len(edits) == 0 {
		return bared.Source, nil
	}
	next, err := note.Apply(bared.Text, edits)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnsafe, err)
	}
	if err := verify(bared.Page, note.NewPage(next), edits, nil); err != nil {
		return nil, err
	}
	if !slices.Equal(note.Properties(bared.Text), note.Properties(next)) {
		return nil, fmt.Errorf("%w: the properties of the note would change", ErrUnsafe)
	}
	raw := make([]note.Edit, len(edits))
	for i, e := range edits {
		raw[i] = note.Edit{Span: bared.Raw(e.Span), New: e.New}
	}
	return editAround(bared.Source, raw, next)
}

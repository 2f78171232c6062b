package rewrite

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/sanitize"
)

// Run is the place of an answer among those that a question gets which comes again. The zero Run is behind all of them.
type Run struct {
	Below   *note.Trace // the marker that is asked again, below which the answers are; nil = each is below its question
	Heading string      // the first line of an answer below a marker, in italics as those of the others
	Again   string      // without a marker: how each question begins
	First   bool        // the answer is above the others
}

var errNoLine = errors.New("the line of the question is gone")

// buildBelow puts an answer below the job's marker, changes nothing else, and returns the note and the
// answer's block.
func (t try) buildBelow(answer string) (next []byte, added note.Block, err error) {
	if t.bared.Doc().Conflict > 0 {
		return nil, added, ErrConflict
	}
	i := t.findRun()
	if i < 0 {
		return nil, added, errNoLine
	}
	m, text, raw := t.bared.Doc().Markers[i], t.bared.Text, t.src.Data
	eol := note.LineEnd(text, m.Span)
	above := m.Span
	if !t.Run.First {
		above = t.runOf(above)[0]
	}
	at, rawAt := above.End+len(eol), t.bared.Raw(above).End+len(eol)
	m.First, m.Comments, m.Name, m.Span.Start = m.Rest, "", "", m.Span.End // the rest of its line does not move
	block := sanitize.Replies(t.bared.Page, []note.Marker{m}, []string{t.Run.Heading + "\n\n" + answer})[0].New
	if at > len(text) {
		text, raw = slices.Concat(text, []byte(eol)), slices.Concat(raw, []byte(eol))
	}
	edit := note.Edit{Span: note.Span{Start: at, End: at}, New: slices.Concat(block, []byte(eol))}
	if next, err = note.Apply(text, []note.Edit{edit}); err != nil {
		return nil, added, err
	}
	page, after := note.NewPage(text), note.NewPage(next)
	if err := verify(page, after, []note.Edit{edit}, nil); err != nil {
		return nil, added, err
	}
	if !slices.EqualFunc(page.Doc().Markers, after.Doc().Markers, func(a, b note.Marker) bool { return a.Text == b.Text }) {
		return nil, added, ErrUnsafe
	}
	before, _ := find.NearestLines(next, note.Span{Start: at, End: at + len(block)})
	edit.Span = note.Span{Start: rawAt, End: rawAt}
	next, err = editAround(raw, []note.Edit{edit}, next)
	return next, note.Block{Text: bytes.Clone(block), Upper: []byte(before)}, err
}

// runOf returns the answers right below a marker that is asked again, the last one first, and behind them the marker itself.
func (t try) runOf(marker note.Span) []note.Span {
	const marks = "> \t\r\n" // of a quote that all of it is in
	run := []note.Span{marker}
	for _, b := range t.bared.Doc().Blocks {
		if b.Start < run[0].End {
			continue
		}
		_, below, _ := strings.Cut(note.UnifyLineEnds(string(t.bared.Text[b.Start:b.End])), "\n")
		heading, _, _ := strings.Cut(below, "\n")
		if heading = strings.Trim(heading, marks); len(bytes.Trim(t.bared.Text[run[0].End:b.Start], marks)) > 0 || !strings.HasPrefix(heading, "*") || !strings.HasSuffix(heading, "*") {
			break
		}
		run = slices.Insert(run, 0, b)
	}
	return run
}

// IsInRun reports whether the answer of a job is in a note as it was written, and where it comes right below a marker, among
// those that are there. Elsewhere a person has moved it.
func IsInRun(src []byte, job Job) bool {
	t := try{Job: job, bared: progress.Bare(src)}
	spans, err := findBlocks(t.bared.Text, job.Places)
	if err != nil || job.Run.Below == nil {
		return err == nil
	}
	i := t.findRun()
	return i >= 0 && slices.ContainsFunc(t.runOf(t.bared.Doc().Markers[i].Span), func(b note.Span) bool { return b.Start < spans[0].End && spans[0].Start < b.End })
}

// findRun returns which marker is the one below which the answers of the job are, or -1.
func (t try) findRun() int {
	return matchPlaces(t.bared.Doc().Markers, Job{Places: []Place{{Trace: *t.Run.Below}}, Siblings: t.Siblings})[0]
}

// mostPlaces is how many lines like the question are tried.
const mostPlaces = 20

// placesToAppend returns where a question may come into the note with its answer, the best place
// first: above the first of the same question, if it is wanted there, else behind the last line.
// Answers and code may have similar lines too.
func (t try) placesToAppend() (places []int) {
	src, eol := t.src.Data, lineEnd(t.src.Data)
	begins := []byte(strings.TrimSuffix(quoteLines(t.Run.Again, eol), eol) + " (")
	for at := 0; t.Run.Below == nil && t.Run.First && len(places) < mostPlaces; at += len(begins) {
		i := bytes.Index(src[at:], begins)
		if i < 0 {
			break
		}
		at += i
		date, _, _ := bytes.Cut(src[at+len(begins):], []byte(eol))
		if (at == 0 || src[at-1] == eol[len(eol)-1]) && bytes.HasSuffix(date, []byte(")")) {
			places = append(places, at)
		}
	}
	return append(places, len(src))
}

// quoteLines returns a question as the lines of a quote.
func quoteLines(question, eol string) string {
	var b strings.Builder
	for line := range strings.Lines(note.UnifyLineEnds(strings.TrimSpace(question))) {
		b.WriteString(strings.TrimRight("> "+strings.TrimSuffix(line, "\n"), " \t") + eol)
	}
	return b.String()
}

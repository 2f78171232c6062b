package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/headings"
	"vaultdispatcher/engine/rewrite/swap"
)

// Append writes a question without a marker behind the last line of a note, as a quote, and below it
// the answer of the job's one place. If the note already has both, as an earlier call has drafted them
// ([Place.Block]), Append writes nothing: it may be repeated after a crash.
//
// If the job names a marker ([Run.Below]), Append writes only the answer, below that marker, which is
// kept. If the answer cannot be there, it comes behind the last line; if the marker is missing, it
// does so only in a Partial job, and otherwise Missing says so.
//
// Lower of the drafted block is not a line below it: it is the line ends that were missing above it,
// for [Undo].
//
// For log, the note and the intentions the same holds as for [Answer].
func Append(ctx context.Context, job Job, question string, log func(swap.Intention) error) (Result, error) {
	return usual.appendAnswer(ctx, job, question, log)
}

func (p waitPolicy) appendAnswer(ctx context.Context, job Job, question string, log func(swap.Intention) error) (Result, error) {
	answer := job.cleanAnswers()[0]
	return p.takeTurn(ctx, job, log, func(t try) (Result, error) { return t.appendOnce(ctx, question, answer) })
}

// appendOnce is one try of Append.
func (t try) appendOnce(ctx context.Context, question, answer string) (Result, error) {
	res, src := t.res, t.src.Data
	res.Written = []int{0}
	if drafted := t.Places[0].Block.Text; len(drafted) > 0 && len(find.FindLines(t.bared.Text, drafted)) > 0 {
		return res, nil
	}
	if t.Run.Below != nil {
		switch next, block, err := t.buildBelow(answer); {
		case err == nil:
			return t.exchangeDrafted(ctx, next, block, res)
		case errors.Is(err, errNoLine) && !t.Partial:
			res.Written, res.Missing = nil, []int{0}
			return res, t.checkAtRest()
		case !errors.Is(err, errNoLine) && !errors.Is(err, ErrUnsafe):
			return Result{}, err
		}
	}
	var added []byte
	var at int
	var err error
	for _, at = range t.placesToAppend() {
		if added, err = buildAppended(src[:at], src[at:], question, answer); err == nil {
			break
		}
	}
	if err != nil {
		return Result{}, err
	}
	text := bytes.TrimLeft(added, "\r\n")
	block := note.Block{Text: bytes.TrimRight(text, "\r\n"), Lower: added[:len(added)-len(text)]}
	if at < len(src) {
		block.Lower = []byte(lineEnd(src)) // the lines above keep their blank line
	}
	next, begin := slices.Concat(src[:at], added, src[at:]), at+len(added)-len(text)
	if before, _ := find.NearestLines(next, note.Span{Start: begin, End: begin + len(block.Text)}); before != "" {
		block.Upper = []byte(before)
	}
	return t.exchangeDrafted(ctx, next, block, res)
}

// exchangeDrafted is exchange, which tells first what was added.
func (t try) exchangeDrafted(ctx context.Context, next []byte, added note.Block, res Result) (Result, error) {
	if t.Draft != nil {
		t.Draft(Draft{Base: t.src.Data, Blocks: []note.Block{added}})
	}
	return t.exchange(ctx, next, res)
}

// ShowAppended tells job.Approve what [Append] would write into a note that is made for it.
func ShowAppended(job Job, question string) error {
	added, err := buildAppended(nil, nil, question, job.cleanAnswers()[0])
	if err != nil {
		return err
	}
	return job.Approve(nil, added)
}

// widen returns the span of all appended text, with the line ends around it.
func widen(src []byte, b note.Block, s note.Span) note.Span {
	if eol := lineEnd(src[s.Start:s.End]); bytes.HasPrefix(src[s.End:], []byte(eol)) { // behind a \r a later \n is not ours
		s.End += len(eol)
	}
	if s.Start == 0 && len(b.Upper) == 0 && bytes.HasPrefix(src[s.End:], b.Lower) { // at the top its blank line is below
		s.End += len(b.Lower)
		return s
	}
	above, ended := b.Lower, true
	if half := above[:len(above)/2]; len(half) > 0 && bytes.Equal(half, above[len(half):]) { // the first one ends a line that had no end
		if ended = s.End < len(src); ended {
			above = half // something was written below
		}
	}
	// If the blank line is gone, the rest of it ends a person's line.
	if rest, has := bytes.CutSuffix(src[:s.Start], above); has && (!ended || len(rest) == 0 || bytes.HasSuffix(rest, []byte("\n")) || bytes.HasSuffix(rest, []byte("\r"))) {
		s.Start = len(rest)
	}
	return s
}

// WhyNotAppended returns the error of [Append] for the present note, or nil.
func WhyNotAppended(src []byte, question string) error {
	_, err := buildAppended(src, nil, question, "answer")
	return err
}

// buildAppended returns what is written between the lines above and the rest of a note: blank lines, the question as a quote,
// and its response block. Nothing of the note, or of the question, may mean something else by it.
func buildAppended(src, rest []byte, question, answer string) ([]byte, error) {
	eol := lineEnd(slices.Concat(src, rest))
	missing := strings.Repeat(eol, countMissing(string(src)))
	if len(rest) > 0 {
		rest = slices.Concat([]byte(eol), rest) // a blank line is between them
	}
	above := slices.Concat(src, []byte(missing))
	head := slices.Concat(above, []byte(quoteLines(question, eol)+eol))
	if err := keepsMarkers(src, above, head, rest); err != nil {
		return nil, err
	}
	asked := slices.Concat(head, []byte(eol), rest)
	block := note.Respond(asked, note.Marker{Span: note.Span{Start: len(head), End: len(head)}}, headings.Fit(asked, []string{answer})[0])
	next := slices.Concat(head, block.New, []byte(eol), rest)
	if err := verify(note.NewPage(asked), note.NewPage(next), []note.Edit{block}, nil); err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return next[len(src) : len(next)-len(rest)+len(eol)], nil
	}
	return next[len(src):], nil
}

// countMissing counts the line ends that a text lacks so that text written behind it is below a blank
// line, or at the top.
func countMissing(text string) int {
	text = note.UnifyLineEnds(text)
	if strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) == "" && (text == "" || strings.HasSuffix(text, "\n")) {
		return 0
	}
	above, ended := strings.CutSuffix(text, "\n")
	if !ended {
		return 2
	}
	if strings.TrimSpace(above[strings.LastIndexByte(above, '\n')+1:]) == "" {
		return 0
	}
	return 1
}

// keepsMarkers returns an error unless a note with a question before its rest has the same markers,
// and a marker before or behind the question would be read as one. So neither place is in code, in a
// comment or in an answer that has no end.
func keepsMarkers(src, above, asked, rest []byte) error {
	count := func(text []byte, more string) int {
		return len(note.Parse(slices.Concat(text, []byte(more), rest)).Markers)
	}
	const marker = "> @agent-Miner why\n"
	n := count(src, "")
	if count(asked, "") != n || count(above, marker) != n+1 || count(asked, marker) != n+1 {
		return fmt.Errorf("%w: its question would be more than that, or the note ends in code or in a comment", ErrUnsafe)
	}
	return nil
}

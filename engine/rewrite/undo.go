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
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/rewrite/swap"
)

// Why an answer is not taken back.
var (
	ErrEdited    = errors.New("the answer was edited in the note")
	ErrBlockGone = errors.New("the answer is not in the note any more")
	ErrEqual     = errors.New("the same answer stands in the note more than once")
)

// Undo puts the markers of job back in the place of their answers, wherever in the note these are by
// now, all in one write or not at all. It finds an answer by the bytes of its block; apart from line
// ends they must be as written, or Undo returns [ErrEdited] or [ErrBlockGone]. Among several equal
// blocks the neighbours tell the right one, or Undo returns [ErrEqual]; a block that rather belongs to
// another dispatch is left, with [ErrForeign]. Written names the places whose marker is in the note,
// put there now or earlier, and Lines says where these begin. Text that [Append] has written has no
// marker: Undo removes it.
//
// For log, the note and the intentions the same holds as for [Answer].
func Undo(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	return usual.undo(ctx, job, log)
}

func (p waitPolicy) undo(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	return p.takeTurn(ctx, job, log, func(t try) (Result, error) { return t.undoOnce(ctx) })
}

// undoOnce is one try of Undo.
func (t try) undoOnce(ctx context.Context) (Result, error) {
	res := t.res
	for i := range t.Places {
		res.Written = append(res.Written, i)
	}
	spans, refused := findBlocks(t.bared.Text, t.Places)
	if refused != nil {
		if err := t.checkAtRest(); err != nil {
			return Result{}, err
		}
		if gone := errors.Is(refused, ErrBlockGone) && t.Places[0].Text == ""; !gone && !areBack(t.bared.Doc().Markers, t.Job) {
			return Result{}, refused // appended text has no marker that could be back
		}
		res.Lines = linesOf(t.src.Data, t.Job)
		return res, nil
	}
	if err := t.checkOwner(spans); err != nil {
		return Result{}, err
	}
	next, err := buildUndoneBesideComments(t.bared, t.Places, spans)
	if err == nil {
		next, err = undoParts(next, t.Places)
	}
	if err != nil {
		return Result{}, err
	}
	if t.Draft != nil {
		t.Draft(Draft{Base: t.src.Data, Blocks: make([]note.Block, len(t.Places))})
	}
	res.Lines = linesOf(next, t.Job)
	return t.exchange(ctx, next, res)
}

// linesOf returns where the markers of all places begin in a note, from top to bottom; nil if one is
// not found.
func linesOf(src []byte, job Job) []int {
	if job.Places[0].Text == "" { // appended text has no marker
		return nil
	}
	markers := note.Parse(src).Markers
	var lines []int
	for _, i := range matchPlaces(markers, job) {
		if i < 0 {
			return nil
		}
		lines = append(lines, markers[i].Line)
	}
	slices.Sort(lines)
	return lines
}

// areBack reports whether the markers of all places are in the note again.
func areBack(markers []note.Marker, job Job) bool {
	return !slices.Contains(matchPlaces(markers, job), -1)
}

// matchPlaces returns which marker is each place's.
func matchPlaces(markers []note.Marker, job Job) []int {
	var traces []note.Trace
	for _, p := range slices.Concat(job.Places, job.Siblings) {
		traces = append(traces, p.Trace)
	}
	return find.MatchFirst(markers, traces)[:len(job.Places)]
}

// findBlocks returns the span of each place's block.
func findBlocks(src []byte, places []Place) ([]note.Span, error) {
	spans := make([]note.Span, len(places))
	done := make(map[string]bool)
	for _, p := range places {
		if len(p.Block.Text) == 0 {
			return nil, ErrBlockGone
		}
		if done[string(p.Block.Text)] {
			continue
		}
		done[string(p.Block.Text)] = true
		var same []int // the places with this very block, in the order of the note
		for i, other := range places {
			if bytes.Equal(p.Block.Text, other.Block.Text) {
				same = append(same, i)
			}
		}
		slices.SortStableFunc(same, func(a, b int) int { return places[a].Line - places[b].Line })
		runs := find.FindLines(src, p.Block.Text)
		if len(runs) < len(same) {
			return nil, explainAbsence(src, p.Block)
		}
		if len(runs) > len(same) {
			var err error
			if runs, err = chooseRuns(src, places, same, runs); err != nil {
				return nil, err
			}
		}
		for n, i := range same {
			if spans[i] = runs[n]; places[i].Text == "" {
				spans[i] = widen(src, p.Block, runs[n])
			}
		}
	}
	return spans, nil
}

// chooseRuns picks the runs with the neighbours of the places; equally good ones are
// not guessed between.
func chooseRuns(src []byte, places []Place, same []int, runs []note.Span) ([]note.Span, error) {
	var chosen []note.Span
	for _, i := range same {
		best, at, tie := -1, 0, false
		for n, run := range runs {
			if slices.Contains(chosen, run) {
				continue
			}
			switch s := scoreNeighbours(src, run, places[i].Block); {
			case s > best:
				best, at, tie = s, n, false
			case s == best:
				tie = true
			}
		}
		if tie || best <= 0 {
			return nil, ErrEqual
		}
		chosen = append(chosen, runs[at])
	}
	return chosen, nil
}

// sameNeighbour is the weight of a line beside a block that was there when the block was written.
const sameNeighbour = 4

// scoreNeighbours says how many of a block's neighbours are still beside a run. The edge
// of the note is a weak neighbour: it moves with every line that is added there.
func scoreNeighbours(src []byte, run note.Span, b note.Block) int {
	before, after := find.NearestLines(src, run)
	n := 0
	for _, pair := range [][2]string{{before, string(b.Upper)}, {after, string(b.Lower)}} {
		switch {
		case pair[0] != pair[1]:
		case pair[0] == "":
			n++
		default:
			n += sameNeighbour
		}
	}
	return n
}

// explainAbsence tells an answer that was edited from one that is gone: of the first a
// line of its text, or an end of its block between the same neighbours, is left.
func explainAbsence(src []byte, b note.Block) error {
	text := make(map[string]bool)
	for line := range strings.Lines(string(b.Text)) {
		if line = strings.TrimSpace(line); len(line) > 3 && !note.IsTag(line) {
			text[line] = true
		}
	}
	previous := ""
	for line := range strings.Lines(strings.ReplaceAll(string(src), "\r", "\n")) {
		trimmed := strings.TrimSpace(line)
		if text[trimmed] || note.IsTag(trimmed) && previous == string(b.Upper) {
			return ErrEdited
		}
		if trimmed != "" {
			previous = note.Neighbour([]byte(strings.TrimSuffix(line, "\n")))
		}
	}
	return ErrBlockGone
}

// buildUndoneBesideComments is buildUndone for a note with progress comments; these stay.
func buildUndoneBesideComments(bared progress.Bared, places []Place, spans []note.Span) ([]byte, error) {
	next, err := buildUndone(bared.Page, places, spans)
	if err != nil {
		return nil, err
	}
	edits := make([]note.Edit, len(places))
	for i, p := range places {
		raw := bared.Raw(spans[i])
		if raw.End-raw.Start != spans[i].End-spans[i].Start {
			return nil, ErrEdited // a line that looks like a comment of ours is in the answer
		}
		edits[i] = note.Edit{Span: raw, New: restoreText(p, bared.Text[spans[i].Start:spans[i].End])}
	}
	return editAround(bared.Source, edits, next)
}

// restoreText returns the lines of a place as they replace a block: byte for byte as they were, except
// line ends that were changed in the whole block since.
func restoreText(p Place, block []byte) []byte {
	if bytes.Equal(block, p.Block.Text) {
		return []byte(p.Text)
	}
	return []byte(strings.ReplaceAll(note.UnifyLineEnds(p.Text), "\n", lineEnd(block)))
}

// lineEnd returns the first line end of a text, or a line feed if it has none.
func lineEnd(text []byte) string {
	i := bytes.IndexAny(text, "\r\n")
	switch {
	case i < 0 || text[i] == '\n':
		return "\n"
	case i+1 < len(text) && text[i+1] == '\n':
		return "\r\n"
	}
	return "\r"
}

// buildUndone puts the markers' lines in the place of the blocks. Nothing else may
// change, not even in what a parser sees in the rest of the note.
func buildUndone(page *note.Page, places []Place, spans []note.Span) ([]byte, error) {
	src, markers := page.Text, page.Doc().Markers
	edits := make([]note.Edit, len(places))
	for i, p := range places {
		edits[i] = note.Edit{Span: spans[i], New: restoreText(p, src[spans[i].Start:spans[i].End])}
	}
	next, err := note.Apply(src, edits)
	if err != nil {
		return nil, fmt.Errorf("build the note as it was: %w", err)
	}
	if !sameOutside(src, next, edits) {
		return nil, fmt.Errorf("%w: bytes outside the answer would change", ErrUnsafe)
	}
	restored := make(map[int]bool) // where the markers' lines begin by now
	for _, e := range edits {
		at := e.Span.Start
		for _, other := range edits {
			if other.Span.Start < e.Span.Start {
				at += len(other.New) - (other.Span.End - other.Span.Start)
			}
		}
		restored[at] = len(e.New) > 0
	}
	var others []note.Marker
	for _, m := range note.Parse(next).Markers {
		if !restored[m.Span.Start] {
			others = append(others, m)
		}
	}
	if !slices.EqualFunc(others, markers, func(a, b note.Marker) bool { return note.Head(a.Text) == note.Head(b.Text) }) {
		return nil, fmt.Errorf("%w: %d other markers should be left and there would be %d", ErrUnsafe, len(markers), len(others))
	}
	return next, nil
}

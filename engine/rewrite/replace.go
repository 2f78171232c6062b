package rewrite

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/rewrite/swap"
)

// Replace replaces the answers in the note, whose blocks the places have, by those of job: all in one
// write or not at all. It finds blocks as [Undo] does, with its errors. A new answer that is already
// there is not written again. The result has the new blocks, by place.
//
// For log, the note and the intentions the same holds as for [Answer].
func Replace(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	return usual.replace(ctx, job, log)
}

func (p waitPolicy) replace(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	answers := job.cleanAnswers()
	return p.takeTurn(ctx, job, log, func(t try) (Result, error) { return t.replaceOnce(ctx, answers) })
}

// WhyNotReplaced returns the error of [Replace] for the present note, or nil.
func WhyNotReplaced(src []byte, places []Place) error {
	_, err := findBlocks(progress.Bare(src).Text, places)
	return err
}

// replaceOnce is one try of Replace.
func (t try) replaceOnce(ctx context.Context, answers []string) (Result, error) {
	res, text := t.res, t.bared.Text
	spans, refused := findBlocks(text, t.Places)
	if refused != nil {
		if err := t.checkAtRest(); err != nil {
			return Result{}, err
		}
		if res.Blocks = findAnswered(text, t.Places, answers); res.Blocks == nil {
			return Result{}, refused
		}
		return res, nil
	}
	if err := t.checkOwner(spans); err != nil {
		return Result{}, err
	}
	edits, next, err := buildReplaced(t.bared.Page, t.Job, spans, answers)
	if err != nil {
		return Result{}, err
	}
	for i, e := range edits {
		before, after := find.NearestLines(text, spans[i])
		res.Blocks = append(res.Blocks, note.Block{Text: e.New, Upper: []byte(before), Lower: []byte(after)})
		edits[i].Span = t.bared.Raw(e.Span)
	}
	if next, err = editAround(t.src.Data, edits, next); err != nil || bytes.Equal(next, t.src.Data) {
		return res, err
	}
	if t.Draft != nil {
		t.Draft(Draft{Base: t.src.Data, Blocks: make([]note.Block, len(t.Places))}) // the old ones stay known
	}
	return t.exchange(ctx, next, res)
}

// buildReplaced puts the answers in the place of blocks, in the form that they would have in the place
// of the markers.
func buildReplaced(page *note.Page, job Job, spans []note.Span, answers []string) ([]note.Edit, []byte, error) {
	text := page.Text
	undone, err := buildUndone(page, job.Places, spans)
	if err != nil {
		return nil, nil, err
	}
	asked := note.NewPage(undone)
	found := make([]int, len(spans))
	for i, s := range spans {
		at := s.Start
		for n, other := range spans {
			if other.Start < s.Start {
				at += len(restoreText(job.Places[n], text[other.Start:other.End])) - (other.End - other.Start)
			}
		}
		if found[i] = slices.IndexFunc(asked.Doc().Markers, func(m note.Marker) bool { return m.Span.Start == at }); found[i] < 0 {
			return nil, nil, fmt.Errorf("%w: its question would be none in this place", ErrUnsafe)
		}
	}
	edits, _ := buildReplies(asked, cutToPlaces(asked, job, found), found, answers)
	for i := range edits {
		edits[i].Span = spans[i]
	}
	next, err := note.Apply(text, edits)
	if err != nil {
		return nil, nil, fmt.Errorf("build the note with other answers: %w", err)
	}
	return edits, next, verify(page, note.NewPage(next), edits, nil)
}

// findAnswered returns the blocks that hold the answers, written by an earlier call whose end the
// caller never learned of; nil if one of them is missing.
func findAnswered(text []byte, places []Place, answers []string) (blocks []note.Block) {
	lines := note.Lines(text)
	bare, taken := make([]string, len(lines)), make([]bool, len(lines))
	for n, answer := range answers {
		block := note.Lines(note.Respond([]byte("\n"), note.Marker{}, answer).New)
		open := block[0]
		for i, line := range block {
			block[i] = stripSurroundings(line+"\n", open)
		}
		block = slices.DeleteFunc(block, func(line string) bool { return line == "" })
		var full []int // the lines that are not empty
		for i, line := range lines {
			if bare[i] = stripSurroundings(line+"\n", open); bare[i] != "" {
				full = append(full, i)
			}
		}
		at, end := -1, 0
		for i := range len(full) - len(block) + 1 {
			same := func(n int) bool { return bare[full[i+n]] == block[n] && !taken[full[i+n]] }
			for end = 0; end < len(block) && same(end); {
				end++
			}
			if end == len(block) {
				at, end = full[i], full[i+end-1]+1
				break
			}
		}
		if at < 0 {
			return nil
		}
		for i := at; i < end; i++ {
			taken[i] = true
		}
		if named := linesBehind(places[n].Block.Text, open); end+len(named) <= len(lines) && slices.Equal(bare[end:end+len(named)], named) {
			end += len(named)
		}
		b := note.Block{Text: []byte(strings.Join(lines[at:end], "\n"))}
		if runs := find.FindLines(text, b.Text); len(runs) > 0 {
			before, after := find.NearestLines(text, runs[0])
			b = note.Block{Text: bytes.Clone(text[runs[0].Start:runs[0].End]), Upper: []byte(before), Lower: []byte(after)}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// linesBehind returns the lines behind the answer in a block: they keep the question's name for links.
func linesBehind(block []byte, open string) []string {
	lines := strings.Split(note.UnifyLineEnds(string(block)), "\n")
	end := len(lines)
	for end > 0 && !note.IsTag(lines[end-1]) {
		end--
	}
	lines = lines[end:]
	for i, line := range lines {
		lines[i] = stripSurroundings(line+"\n", open)
	}
	return lines
}

// cleanAnswers returns the answers of the places in the form that a note may hold. Their footnotes are
// named by the id and, for several places, the number of the place: the same each time, and no other
// answer's.
func (j Job) cleanAnswers() []string {
	limit := j.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	answers := make([]string, len(j.Places))
	for i, place := range j.Places {
		label := cmp.Or(j.ID, "answer")
		if i > 0 {
			label += "x" + strconv.Itoa(i+1)
		}
		if place.Edit != nil {
			place.Answer = place.Edit.tell(j, place.Answer)
		}
		answers[i] = sanitize.Labelled(place.Answer, label, limit)
	}
	return answers
}

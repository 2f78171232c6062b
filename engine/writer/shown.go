package writer

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/proposal"
)

// With wiki.approve.inNote the comment under a question whose answer waits for a yes shows how the change begins, and a line below
// it decides. Each comment has a mark of its own, which the journal knows together with the proof of that change. It is written
// while no line decides in its note, and is used up by the first that does: so what decides was written below what it decides
// about, and no earlier version of a note decides again.

// showProposal returns the comment about a proposal in a note that shows now. A changed comment is
// still to be written.
func (p *display) showProposal(ctx context.Context, n noteKey, d journal.Dispatch, doc note.Doc, now string) (string, error) {
	shown, err := p.writer.Preview(ctx, d)
	if err != nil {
		return now, nil // until the note is another one
	}
	mark, seen := p.writer.shownMark(ctx, d.ID)
	isDecided := slices.ContainsFunc(doc.Markers, func(m note.Marker) bool { return progress.DecisionOf(m) != "" && string(m.Key()) == d.Key })
	comment, isShown := describeProposal(d.ID, mark, shown), mark != "" && seen == shown.Hash
	switch {
	case now == comment && (isShown || mark == "" && isDecided):
		return comment, nil
	case isDecided:
		mark = ""
	case !isShown:
		mark = rand.Text()[:12]
	}
	p.edit(n, func(s *noteState) { delete(s.stages, d.ID) })
	if isShown && !isDecided { // the comment may still be on its way into the note
		return comment, nil
	}
	return describeProposal(d.ID, mark, shown), p.writer.opts.Journal.KeepPart(ctx, d.ID, journal.PartShown, strings.TrimSpace(mark+" "+shown.Hash))
}

// shownMark returns the mark of the comment that a person may decide about, and the proof of its
// content; without such a comment, both are "".
func (w *Writer) shownMark(ctx context.Context, id string) (mark, seen string) {
	text, err := w.opts.Journal.Part(ctx, id, journal.PartShown)
	mark, seen, is := strings.Cut(text, " ")
	if err != nil || !is {
		return "", ""
	}
	return mark, seen
}

// describeProposal returns the comment about a proposal. It shows how the change begins, without the
// question and the tags of the block.
func describeProposal(id, mark string, shown proposal.Shown) string {
	if mark == "" {
		return progress.Comment(id, "for you to approve; the yes or no in this note was not seen as it was typed and decides nothing, so delete it first")
	}
	var lines []string
	for line := range strings.Lines(shown.Diff) {
		isQuestion := line[0] == '-' && strings.HasPrefix(strings.TrimLeft(line[1:], "> \t"), note.MarkerStart)
		if strings.ContainsAny(line[:1], "+-") && !isQuestion && !note.IsTag(line[1:]) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return progress.Comment(id, "for you to approve by yes or no below ("+mark+"): "+strings.Join(lines, " "))
}

// DecideShown has a person decide about the change that a comment in a note shows, by its proof, where that is what would be
// written now. The step in which they do uses the comment up ([journal.PartShown]); so does whatever else a line says.
func (w *Writer) DecideShown(ctx context.Context, id, comment string, decide func(seen string) error) error {
	mark, seen := w.shownMark(ctx, id)
	if mark == "" {
		return nil
	}
	d, err := w.opts.Journal.Get(ctx, id)
	if err != nil {
		return err
	}
	shown, err := w.Preview(ctx, d)
	if err == nil && shown.Hash == seen && describeProposal(id, mark, shown) == comment {
		if err = decide(seen); err == nil {
			return nil
		}
	}
	return errors.Join(err, w.opts.Journal.KeepPart(ctx, id, journal.PartShown, ""))
}

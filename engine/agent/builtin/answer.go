package builtin

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/note/window"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/wording"
)

// An answer quotes the best piece and names up to also others. So many passages are looked at.
const (
	also   = 3
	looked = 8

	lookedPast = 100 // where some notes are skipped
)

// Shares of the weight of the question's words that a piece has with its headings; the rarer a word, the more it weighs.
const (
	sure  = 0.7
	close = 0.2
	far   = 0.5 // of the best one's value

	named   = 0.9 // a note with so much in its title is named
	fitting = 1.2 // raises what has a number where one is asked for
	saying  = 1.3 // and raises again what says it of the thing
)

// aroundWords is how many words of the lines around a marker are looked for
// when its own line names nothing.
const aroundWords = 8

// What an answer says of who answered it; a note that says the first sentence already has no second one.
const signed = "*Quoted by the built-in Miner; no model wrote this."

const signature = signed + " For written answers choose an agent: `wiki setup`.*"

// answerRequest returns the answer to request i of a task, the notes it is made of, and whether it is that no note says
// anything.
func answerRequest(ctx context.Context, ix *recall.Index, task agent.Task, i int) (text string, sources []string, none bool, err error) {
	req := task.Requests[i]
	query, isThisNote, refusal := readScope(req.Instruction)
	if refusal != "" {
		return refusal, nil, true, nil
	}
	skip := task.Skip
	if isThisNote {
		skip = func(rel string) bool { return rel != task.Note }
	}
	opts := recall.SearchOptions{Exclude: recall.Lines{Note: task.Note, Start: req.Line, End: req.Line + strings.Count(req.Instruction, "\n")}}
	intro := ""
	if len(terms.SearchWords(query)) == 0 {
		if around := linesAround(task.Requests, i); len(terms.SearchWords(around)) > 0 {
			opts.Exclude.Start, opts.Exclude.End = 1, math.MaxInt // the whole note: it is the question
			opts.Rarest = aroundWords
			query = around
			intro = "The line names nothing to look up, so the lines around it were looked up.\n\n"
		}
	}
	var found []candidate
	var q *terms.Query
	for _, query = range slices.Compact([]string{cmp.Or(ownSentence(req.Own), query), query}) {
		if found, q, err = findPieces(ctx, ix, query, opts, skip); err != nil {
			return "", nil, false, err
		}
		if formOf(found, q, terms.KindOf(query)) == surely {
			break
		}
	}
	text, sources, none = writeAnswer(found, q, terms.KindOf(query))
	if progress := indexProgress(ix.State()); progress != "" {
		text += "\n\n" + progress
	}
	return intro + text, sources, none, nil
}

// ownSentence returns the lines of a question before its question mark; "" where they name nothing to look up.
func ownSentence(lines string) string {
	if at := strings.IndexAny(lines, "?？"); at >= 0 {
		lines = lines[:at]
	}
	if len(terms.SearchWords(lines)) == 0 {
		return ""
	}
	return lines
}

// candidate is a piece of a note that may be the answer.
type candidate struct {
	recall.Passage
	page.Piece
	share  float64 // of the question's weight that it has
	called float64 // of that weight, by what the question calls the note
	value  float64 // for sorting

	isSubject bool // the question asks about a name, a heading or a bold term of it
	isStated  bool // it says how what is asked is done, or who does it
}

// findPieces returns pieces that may answer, the best first and at most one of each note, and the terms of the
// question. It leaves out notes that skip names.
func findPieces(ctx context.Context, ix *recall.Index, query string, opts recall.SearchOptions, skip func(rel string) bool) ([]candidate, *terms.Query, error) {
	q, err := ix.Weigh(ctx, query, opts.Rarest)
	if err != nil {
		return nil, nil, err
	}
	opts.Limit, opts.Nearby = looked, true
	if skip != nil {
		opts.Limit = lookedPast
	}
	passages, err := ix.Search(ctx, query, opts)
	if err != nil {
		return nil, nil, err
	}
	if skip != nil {
		passages = slices.DeleteFunc(passages, func(p recall.Passage) bool { return skip(p.Note) })
		passages = passages[:min(len(passages), looked)]
	}
	var out []candidate
	for _, p := range passages {
		around := page.Around{Line: p.Line, Asks: terms.KindOf(query)}
		if p.Note == opts.Exclude.Note {
			around.Start, around.End = opts.Exclude.Start, opts.Exclude.End
		}
		source, err := ix.ReadPage(ctx, p.Note)
		if err != nil {
			continue // it is gone
		}
		source.Reader, source.IsUnique = opts.Exclude.Note, page.NoteLink(p.Note, true, nil, p.Title) == p.NoteLink
		c := candidate{Passage: p}
		if c.take(source, q, query, around); c.Piece.Text != "" { // a note of the name may hold nothing but questions and answers
			out = append(out, c)
		}
	}
	sortPieces(out)
	taken := make(map[string]bool)
	return slices.DeleteFunc(out, func(c candidate) bool {
		twice := taken[c.Note]
		taken[c.Note] = true
		return twice
	}), q, nil
}

// take takes the piece of a page that may answer q, and says how well it does.
func (c *candidate) take(source *page.Page, q *terms.Query, query string, around page.Around) {
	kind, subject := around.Asks, terms.SubjectOf(query)
	isSubject := func(name string) bool {
		name = page.PlainHeading(name)
		last := path.Base(strings.ReplaceAll(name, "___", "/")) // outliners write a/b as a___b.md
		return subject != "" && (terms.IsSame(name, subject) || terms.IsSame(last, subject))
	}
	if c.isSubject = slices.ContainsFunc(source.Names, isSubject); c.isSubject {
		around.Asks = terms.Definition
	}
	for _, name := range source.Names {
		c.called = max(c.called, q.ShareNamed(query, name))
	}
	c.Piece = source.Piece(q, around)
	if c.IsThin {
		c.called, c.isSubject = 0, false
	}
	inNote := append(page.BoldTerms(c.Piece.Text), c.Chunk.Path[max(0, len(c.Chunk.Path)-1):]...)
	c.isSubject = c.isSubject || slices.ContainsFunc(inNote, isSubject)
	c.share = q.ShareOf(c.Piece.Matched)
	names := append(slices.Clone(source.Names), c.Chunk.Path...)
	isMeasured := q.StatesMeasure(kind, c.Piece.Text, string(source.Source), names)
	c.isStated = isMeasured && q.States(c.Piece.Text, names)
	c.value = c.Score * math.Sqrt(max(c.share, close*c.Similarity)) * (1 + 0.3*q.ShareOf(c.Named))
	if kind.IsIn(c.Piece.Text) {
		c.value *= fitting
	}
	if kind.IsMeasure() && isMeasured && kind.IsSaid(c.Piece.Text, q, c.Named) {
		c.value *= saying
	}
	c.Passage.Link = source.ChunkLink(c.Note, source.IsUnique, c.Chunk)
}

// linesAround returns the lines around request i, which may be printed with an
// earlier request.
func linesAround(requests []agent.Request, i int) string {
	text := requests[i].Context
	if see := requests[i].See; see > 0 && see <= len(requests) {
		text = requests[see-1].Context
	}
	return window.Surroundings(text)
}

// writeAnswer writes what the pieces say in one of the forms.
func writeAnswer(found []candidate, q *terms.Query, kind terms.Kind) (text string, sources []string, isNone bool) {
	var b strings.Builder
	is, unknown := formOf(found, q, kind), q.UnknownWords()
	switch is {
	case none:
		if len(unknown) > 0 {
			return "**" + noNoteHas(unknown) + "**", nil, true
		}
		return "**No note answers this.**", nil, true
	case closest:
		b.WriteString("**No note says it in these words; closest:**\n\n")
	case surely:
		b.WriteString("**From your notes**\n\n")
	}
	best := found[0]
	sources = []string{best.Note}
	for line := range strings.Lines(best.Piece.Text) {
		if line != "\n" {
			line = " " + line
		}
		b.WriteString(">" + strings.TrimSuffix(line, "\n") + "\n")
	}
	fmt.Fprintf(&b, ">\n> — %s", best.Link)
	if is == closest {
		if len(unknown) > 0 {
			b.WriteString("\n\n" + noNoteHas(unknown))
		}
		return b.String(), sources, false
	}
	var links []string
	for _, c := range found[1:] {
		isNamed := q.ShareOf(c.Named) >= named // its title answers
		if len(links) < also && (isNamed || c.share >= sure && c.value >= far*best.value) {
			links, sources = append(links, c.Link), append(sources, c.Note)
		}
	}
	if len(links) > 0 {
		b.WriteString("\n\nAlso in: " + strings.Join(links, ", "))
	}
	return b.String(), sources, false
}

func noNoteHas(words []string) string { return "No note has " + inWords(words) + "." }

// inWords lists words in quotation marks; tokens of a query hold letters and
// digits only, so none can act as markup.
func inWords(words []string) string {
	const most = 12
	var out []string
	for _, w := range words[:min(most, len(words))] {
		out = append(out, "“"+w+"”")
	}
	list := strings.Join(out, ", ")
	if n := len(words) - most; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
}

// indexProgress says that the index has not read the whole vault yet.
func indexProgress(s recall.State) string {
	if s.Complete || s.Pending == 0 {
		return ""
	}
	return fmt.Sprintf("The vault is still being read: %s of %s so far, so more may be found later.",
		wording.Number(s.Notes), wording.Count(s.Notes+s.Pending, "note"))
}

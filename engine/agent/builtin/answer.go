package builtin

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/wording"
)

// In the questions measured, passages with half of a question's words included most
// right answers, and those with seven tenths few wrong ones. Words weigh unequally:
// where the rare ones are missing, the common half of a question is no answer to it.
const (
	enough = 0.5 // of the terms
	strong = 0.7
	heavy  = 0.3 // of their weight
)

// An answer shows up to quotes passages, and a refusal names up to nearest notes. A
// passage far below the best one is left out.
const (
	quotes  = 3
	nearest = 3
	far     = 0.35
)

// aroundWords is how many words of the lines around a marker are looked for
// when its own line names nothing.
const aroundWords = 8

const signature = "*Quoted by the built-in Miner; no model wrote this. For written answers choose an agent under `wiki.agents`.*"

// answerRequest returns the answer to request i of a task.
func answerRequest(ctx context.Context, ix *recall.Index, task agent.Task, i int) (string, error) {
	req := task.Requests[i]
	query := req.Instruction
	opts := recall.SearchOptions{Limit: 2 * quotes, Exclude: recall.Lines{Note: task.Note, From: req.Line, To: req.Line}}
	intro := ""
	if len(terms.SearchWords(query)) == 0 {
		if around := linesAround(task.Requests, i); len(terms.SearchWords(around)) > 0 {
			opts.Exclude.From, opts.Exclude.To = 1, math.MaxInt // the whole note: it is the question
			opts.Rarest = aroundWords
			query = around
			intro = "The line names nothing to look up, so the lines around it were looked up.\n\n"
		}
	}
	passages, err := ix.Search(ctx, query, opts)
	if err != nil {
		return "", err
	}
	var body string
	if shown := choosePassages(passages); len(shown) > 0 {
		body = quotePassages(shown)
	} else if body, err = refuseWithNearest(ctx, ix, query, opts); err != nil {
		return "", err
	}
	return intro + body + "\n\n" + indexProgress(ix.State()) + signature, nil
}

// linesAround returns the lines around request i, which may be printed with an
// earlier request.
func linesAround(requests []agent.Request, i int) string {
	text := requests[i].Context
	if see := requests[i].See; see > 0 && see <= len(requests) {
		text = requests[see-1].Context
	}
	return note.Surroundings(text)
}

func shareOfTerms(p recall.Passage) float64 { return float64(p.Matched) / float64(max(p.Terms, 1)) }

func isAnswer(p recall.Passage) bool {
	return p.Text != "" && shareOfTerms(p) >= enough && p.Share >= heavy
}

// weightedScore returns the score of a passage, lower where the passage lacks much of
// the question.
func weightedScore(p recall.Passage) float64 { return p.Score * math.Sqrt(p.Share) }

// choosePassages chooses the passages that are shown.
func choosePassages(passages []recall.Passage) []recall.Passage {
	var shown []recall.Passage
	top := 0.0
	for _, p := range passages {
		if isAnswer(p) {
			top = max(top, weightedScore(p))
		}
	}
	for _, p := range passages {
		if isAnswer(p) && weightedScore(p) >= far*top && len(shown) < quotes {
			shown = append(shown, p)
		}
	}
	return shown
}

func quotePassages(passages []recall.Passage) string {
	notes := make(map[string]bool)
	for _, p := range passages {
		notes[p.Note] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**From your notes** (%s, %s)", wording.Count(len(passages), "passage"), wording.Count(len(notes), "note"))
	for _, p := range passages {
		b.WriteString("\n\n")
		for line := range strings.Lines(p.Text) {
			b.WriteString(strings.TrimRight("> "+strings.TrimRight(line, "\n"), " ") + "\n")
		}
		fmt.Fprintf(&b, ">\n> — %s · %s", p.Link, describeMatch(p))
	}
	return b.String()
}

func describeMatch(p recall.Passage) string {
	of := fmt.Sprintf("%d of %s%s", p.Matched, wording.Count(p.Terms, "term"), describePlaces(p))
	if shareOfTerms(p) < strong {
		return "weak match, " + of
	}
	return "matches " + of
}

// describePlaces says which of the matched terms the reader will not find in the
// quote.
func describePlaces(p recall.Passage) string {
	var places []string
	for _, in := range []struct {
		terms int
		place string
	}{{p.InTitle, "title"}, {p.InHeading, "heading"}, {p.InTags, "tags"}} {
		if in.terms > 0 {
			places = append(places, in.place)
		}
	}
	where := "in the " + strings.Join(places, " and ")
	switch n := p.InTitle + p.InHeading + p.InTags; {
	case n == 0:
		return ""
	case n < p.Matched:
		return fmt.Sprintf(", %d of them %s", n, where)
	case n == 1:
		return ", " + where
	default:
		return ", all " + where
	}
}

// refuseWithNearest says that the vault holds no answer and what comes nearest.
func refuseWithNearest(ctx context.Context, ix *recall.Index, query string, opts recall.SearchOptions) (string, error) {
	opts.Nearby = true
	passages, err := ix.Search(ctx, query, opts)
	if err != nil {
		return "", err
	}
	lines := []string{"**No passage in the vault answers this.**"}
	var links []string
	for _, p := range passages {
		if len(links) < nearest && !slices.Contains(links, p.NoteLink) {
			links = append(links, p.NoteLink)
		}
	}
	if len(links) > 0 {
		lines = append(lines, "Nearest: "+strings.Join(links, ", "))
	}
	if opts.Rarest == 0 {
		missing, err := ix.Unknown(ctx, query)
		if err != nil {
			return "", err
		}
		if len(missing) > 0 {
			lines = append(lines, "In no note: "+inWords(missing))
		}
	}
	return strings.Join(lines, "\n\n"), nil
}

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
	if s.Ready || s.Pending == 0 {
		return ""
	}
	return fmt.Sprintf("The vault is still being read: %d of %s so far, so more may be found later.\n\n",
		s.Notes, wording.Count(s.Notes+s.Pending, "note"))
}

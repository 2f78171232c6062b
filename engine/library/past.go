package library

import (
	"context"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/sharing"
)

// question is one that was asked in a note.
type question struct {
	Cite   string `json:"cite"`
	Vault  string `json:"vault,omitempty"`
	Note   string `json:"note"`
	Role   string `json:"role"`
	Time   string `json:"at"`
	Status string `json:"status"`
	Asked  string `json:"asked"`
	Answer string `json:"answer,omitempty"`
}

type asked struct {
	shelf    *shelf
	dispatch journal.Dispatch
}

// pastReach is how many dispatches a call looks at.
const pastReach = 500

func (l *Library) listQuestions(ctx context.Context, c *call) (any, error) {
	if l.History == nil {
		return nil, mcp.Refusal("What was asked is known to the running engine alone; start it with wiki run, or wiki service start.")
	}
	filter := journal.Filter{Query: c.Query, Limit: pastReach}
	shelves := c.shelves
	if c.Note != "" {
		s, rel, err := c.findNote(ctx, c.Note)
		if err != nil {
			return nil, err
		}
		filter.File, shelves = rel, []*shelf{s}
	}
	var all []asked
	for _, s := range shelves {
		filter.Vault = s.Root
		found, err := l.History.List(ctx, filter)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if s.isSeen(ctx, d.File) && (c.scope.Private || l.Rules.MayLeave(journal.Exchange{File: d.File, Role: d.Role, Runner: d.Runner, Recipe: d.Recipe})) {
				all = append(all, asked{s, d})
			}
		}
	}
	tryDisks(ctx, shelves)
	slices.SortStableFunc(all, func(a, b asked) int { return b.dispatch.Created.Compare(a.dispatch.Created) })
	return fillList(c, len(all), func(n int) (question, int, bool) { return l.tellQuestion(ctx, c, all[n]) }), nil
}

// tellQuestion returns a question with its answer, if the client may know it. While some notes are private, the
// answer must still be in a note that is not private, because it may have been moved.
func (l *Library) tellQuestion(ctx context.Context, c *call, a asked) (question, int, bool) {
	d, err := l.History.Get(ctx, a.dispatch.ID)
	if err != nil {
		return question{}, 0, false
	}
	p, err := a.shelf.readPage(ctx, d.File)
	if err != nil {
		return question{}, 0, false
	}
	hide := !c.scope.Private && l.Rules.HideNotes()
	q := question{Vault: c.vaultName(a.shelf), Note: d.File, Role: d.Role, Time: d.Created.Local().Format(time.DateTime), Status: string(d.Status)}
	line := 0
	var questions, answers []string
	for i, m := range d.Markers {
		if i == 0 {
			line = m.Line
		}
		questions = append(questions, m.Instruction)
		if m.Answer == "" || hide && !sharing.HoldsBlock(p.Source, m.Block.Text) {
			continue
		}
		answers = append(answers, m.Answer)
	}
	if hide && !holdsAny(p.Source, questions, answers) {
		return question{}, 0, false
	}
	for _, source := range d.Recipe.Sources {
		if hide && !a.shelf.isSeen(ctx, source) {
			return question{}, 0, false
		}
	}
	q.Cite = a.shelf.citeNote(ctx, d.File, headsOf(p, line))
	q.Asked, q.Answer = cleanText(strings.Join(questions, "\n\n")), cleanText(strings.Join(answers, "\n\n"))
	return q, len(q.Asked) + len(q.Answer) + 200, true
}

// holdsAny reports whether a note holds an answer or, without answers, the question.
func holdsAny(src []byte, questions, answers []string) bool {
	return len(answers) > 0 || slices.ContainsFunc(questions, func(q string) bool {
		first, _, _ := strings.Cut(q, "\n")
		return strings.Contains(string(src), first)
	})
}

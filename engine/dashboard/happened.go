package dashboard

import (
	"context"
	"path"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/api/teaser"
	"vaultdispatcher/engine/note/wikilink"
)

// noteRows are questions of one note, the newest first.
type noteRows struct {
	Vault, File string // no File: asked in no note
	Rows        []questionRow
}

// questionRow is one question and what became of it.
type questionRow struct {
	rows.Question
	Says string // the first words of its answer
	Made string // the page of what was made of it; "" = nothing was
}

// groupByNote makes one row of each question, those of a note together, at the place of its newest.
func groupByNote(ctx context.Context, backend api.Backend, list []api.Dispatch) (groups []*noteRows) {
	byNote := make(map[noteName]*noteRows)
	for _, one := range list {
		name := noteName{one.Vault, one.File}
		g := byNote[name]
		if g == nil {
			g = &noteRows{Vault: one.Vault, File: one.File}
			byNote[name], groups = g, append(groups, g)
		}
		g.Rows = append(g.Rows, rowsOf(ctx, backend, one)...)
	}
	return groups
}

// rowsOf are the questions of a dispatch with their answers.
func rowsOf(ctx context.Context, backend api.Backend, one api.Dispatch) (all []questionRow) {
	whole, err := backend.Dispatch(ctx, one.ID)
	for i, q := range rows.Of(one, "") {
		row := questionRow{Question: q}
		if err == nil && i < len(whole.Answers) { // else it was deleted meanwhile
			row.Says, row.Made = teaser.OfAnswer(q.Text, whole.Answers[i].Answer), madeIn(q, whole.Answers[i].Answer)
		}
		all = append(all, row)
	}
	return all
}

// madeIn is the page of what an answer of the Broadcaster shows first; that of its note leads there.
func madeIn(q rows.Question, answer string) string {
	for l, ok := wikilink.Next(answer, 0); ok; l, ok = wikilink.Next(answer, l.End) {
		if l.IsEmbed && q.Runner == "broadcast" && q.Outcome() == "done" {
			return noteAddress(q.Vault, "[["+strings.TrimSuffix(l.To, path.Ext(l.To))+"]]")
		}
	}
	return ""
}

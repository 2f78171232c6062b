package dashboard

import (
	"cmp"
	"context"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
)

// noteRows are questions of one note, the newest first.
type noteRows struct {
	Vault, File string // no File: asked in no note
	Rows        []questionRow
}

// questionRow is one question and what became of it.
type questionRow struct {
	api.Dispatch
	Text string // the question
	Says string // the first words of its answer
	Line int    // where its page tells of it; 0 = at the top
}

// groupByNote makes one row of each question, those of a note together, at the place of its newest.
func (d *Dashboard) groupByNote(ctx context.Context, list []api.Dispatch) (groups []*noteRows) {
	byNote := make(map[noteName]*noteRows)
	for _, one := range list {
		name := noteName{one.Vault, one.File}
		g := byNote[name]
		if g == nil {
			g = &noteRows{Vault: one.Vault, File: one.File}
			byNote[name], groups = g, append(groups, g)
		}
		g.Rows = append(g.Rows, d.rowsOf(ctx, one)...)
	}
	return groups
}

// rowsOf are the questions of a dispatch.
func (d *Dashboard) rowsOf(ctx context.Context, one api.Dispatch) (rows []questionRow) {
	whole, err := d.backend.Dispatch(ctx, one.ID)
	if err != nil || len(whole.Answers) == 0 { // it was deleted meanwhile
		return []questionRow{{Dispatch: one, Text: cmp.Or(one.Instruction, one.ID)}}
	}
	for _, a := range whole.Answers {
		rows = append(rows, questionRow{Dispatch: one, Line: a.Line,
			Text: cmp.Or(wording.Shorten(wording.Line(a.Instruction), 200), one.ID), Says: firstWords(a.Answer)})
	}
	return rows
}

// At is when the row came to what it says.
func (r questionRow) At() time.Time {
	if r.FinishedAt != nil {
		return *r.FinishedAt
	}
	return r.CreatedAt
}

// firstWords are the first words of an answer that say something: no heading, and none of the signs of markdown.
func firstWords(answer string) string {
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(strings.TrimLeft(line, " \t>-+"))
		isTitle := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**From your notes")
		isElse := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "![[")
		if line != "" && !isTitle && !isElse {
			return wording.Shorten(wording.Line(strings.NewReplacer("**", "", "`", "", "[[", "", "]]", "").Replace(line)), 160)
		}
	}
	return wording.Shorten(wording.Line(answer), 160)
}

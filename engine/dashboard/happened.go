package dashboard

import (
	"cmp"
	"context"
	"math/bits"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/wording"
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
			row.Says = firstWords(q.Text, whole.Answers[i].Answer)
		}
		all = append(all, row)
	}
	return all
}

// source are links that only number where a sentence was taken from.
var source = lazyregexp.New(`\s*\((?:\[\[[^\[\]\n|]*\|\d+\]\](?:, )?)+\)|\s*\[\[[^\[\]\n|]*\|\d+\]\]`)

// firstWords are the line of an answer that has most words of its question, as it is read: no heading, no code, no table and
// none of the signs of markdown.
func firstWords(question, answer string) (says string) {
	asked, best := terms.Parse(question), -1
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(strings.TrimLeft(line, " \t>-+"))
		isTitle := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**From your notes")
		isElse := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "|")
		if line == "" || isTitle || isElse {
			continue
		}
		line = source().ReplaceAllString(line, "")
		plain := material.Plain(strings.TrimPrefix(line, "* "))
		if n := bits.OnesCount64(asked.Mask(plain)); n > best && plain != "" {
			says, best = plain, n
		}
	}
	return wording.Shorten(wording.Line(cmp.Or(says, answer)), 160)
}

package engine

import (
	"slices"
	"time"

	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/writer"
)

// This file tells what was asked and is not taken up: what the looks at notes have found, and
// what waits for a person. None of it touches a vault's disk.

// AddFacts adds to the facts about a note who answers its questions, and who may not be told them.
func (e *Engine) AddFacts(f *rules.Facts, name func() string) {
	unanswered := rules.Each(func(m note.Marker) untaken.Row {
		if _, _, err := e.roles.Find(m.Role); err != nil {
			return untaken.Unanswered(syserr.Plain(err), m, e.config.Roles())
		}
		return untaken.Row{}
	})
	f.Unanswered, f.Private = unanswered, rules.Each(func(m note.Marker) string {
		if unanswered(m).Kind != "" {
			return "" // nobody is told
		}
		return e.roles.Rules.WhyNotAsked(m.Role, name())
	})
}

// KeepUntaken remembers what of a note is not taken up, as a save has it that was noticed first, and
// tells what is new. It returns when there will be more.
func (e *Engine) KeepUntaken(root, rel string, rows []untaken.Row, first time.Time) time.Time {
	fresh, next := e.untaken.Keep(root, rel, rows, first, time.Now(), max(e.config.Debounce, e.config.Settle))
	e.writer.Looked(root, rel, len(rows) > 0)
	for _, row := range fresh {
		if row.IsNews() {
			e.news(news.OfUntaken(e.vaults.NameOf(root), row))
		}
	}
	return next
}

// MissedIn returns the lines of a note under which it may stand that they are not taken up. What is
// left to another machine, or not said on purpose, is not.
func (e *Engine) MissedIn(root, rel string, text []byte) (lines []writer.Missed, known bool) {
	v := e.vaults.At(root)
	if v == nil || v.WhyIdle() != "" {
		return nil, false
	}
	doc := note.Parse(text)
	rows := untaken.Find(text, doc, e.config.Roles())
	var facts rules.Facts
	e.AddFacts(&facts, func() string { return rel })
	rows = append(rows, rules.JudgeAll(doc.Markers, &facts).Rows()...)
	told := e.untaken.Unasked(root, rel)
	for _, row := range rows {
		say := slices.ContainsFunc(told, row.IsSame)
		if !row.Hidden && row.Text != "" { // an answer without an end has none
			lines = append(lines, writer.Missed{Line: row.Line, Reason: row.Reason, Say: say})
		}
	}
	return lines, true
}

package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/untaken/board"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/wording"
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

// listUntaken returns how much is not taken up, and the first of it: lines that are no markers
// and markers that nobody answers, then vaults that are not watched, then what is held.
func (e *Engine) listUntaken(ctx context.Context, held int) (count int, first []api.Untaken, err error) {
	for _, v := range e.vaults.Opened() {
		n, rows := e.untaken.List(v.Root)
		count += n
		for _, row := range rows {
			first = append(first, untakenRecord(v.Name, row))
		}
	}
	for _, v := range e.vaults {
		if !v.IsWatched() {
			count++
			first = append(first, untakenRecord(v.Name, pausedRow(v)))
		}
	}
	count += held
	if len(first) < board.MostShown && held > 0 {
		list, err := e.journal.List(ctx, journal.Filter{Status: journal.Held, Limit: board.MostShown})
		if err != nil {
			return 0, nil, fmt.Errorf("list what is held: %w", err)
		}
		for _, d := range list {
			first = append(first, untakenRecord(e.vaults.NameOf(d.Vault), heldRow(d)))
		}
	}
	return count, first[:min(len(first), board.MostShown)], nil
}

// pausedRow says that nobody looks at a vault.
func pausedRow(v *vault.Vault) untaken.Row {
	return untaken.Row{Kind: untaken.Paused, Reason: "the vault " + v.Name + " is paused, so what is saved in it is found when it is watched again; wiki watcher start does that now"}
}

// heldRow says why a dispatch waits.
func heldRow(d journal.Dispatch) untaken.Row {
	row := untaken.Row{Kind: untaken.Held, File: d.File, Reason: d.Error}
	if len(d.Markers) > 0 {
		row.Line, row.Text = d.Markers[0].Line, wording.Shorten(wording.Line(note.Head(d.Markers[0].Text)), 80)
	}
	if len(d.Markers) > 1 {
		row.Reason += fmt.Sprintf(" (%d questions)", len(d.Markers))
	}
	return row
}

func untakenRecord(vault string, row untaken.Row) api.Untaken {
	kind := string(row.Kind)
	if row.Hidden {
		kind = "hidden"
	}
	return api.Untaken{Vault: vault, File: row.File, Line: row.Line, Text: row.Text, Reason: row.Reason, Mend: row.Mend, Kind: kind, Quiet: !row.IsNews()}
}

// missesOf returns the lines of a note that a scan has just found to be no markers.
func missesOf(rows []untaken.Row) []api.Miss {
	misses := []api.Miss{}
	for _, row := range rows {
		if row.Kind == untaken.Miss {
			misses = append(misses, api.Miss{Line: row.Line, Text: row.Text, Reason: row.Reason, Mend: row.Mend})
		}
	}
	return misses
}

// untakenNotices are one notice for each note with questions that are not taken up, but not
// of those that were put there on purpose.
func (e *Engine) untakenNotices() (rows []api.Notice) {
	for _, v := range e.vaults.Opened() {
		_, list := e.untaken.List(v.Root)
		for len(list) > 0 {
			first := list[0]
			differs := func(r untaken.Row) bool {
				return r.File != first.File || r.Kind != first.Kind || first.Kind == untaken.Private && r.Reason != first.Reason
			}
			n := slices.IndexFunc(list, differs)
			if n < 0 {
				n = len(list)
			}
			list = list[n:]
			switch {
			case first.Hidden:
			case first.Kind == untaken.Private:
				rows = append(rows, api.NewNotice(api.NoticePrivate, "vault", v.Name, "file", first.File, "reason", first.Reason, "count", n))
			case first.Kind == untaken.Miss || first.Kind == untaken.Role || first.Kind == untaken.ReadOnly || first.Kind == untaken.Place:
				rows = append(rows, api.NewNotice(api.NoticeUntaken, "vault", v.Name, "file", first.File, "kind", first.Kind, "reason", first.Reason, "line", first.Line, "count", n))
			}
		}
	}
	return rows
}

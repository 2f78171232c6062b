package vault

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/vault/templates"
)

// This file has the questions of a note judged: it finds the facts that the rules of
// engine/vault/rules ask about, as a look learns them. Nothing that is asked is silent: each look
// says what is not taken up, and why.

// noteFacts are what the rules may ask about one note during one look. A fact that touches the
// disk or the journal is found out when a rule asks, and once.
type noteFacts struct {
	rules.Facts
	parts func() templates.Parts // of the note
	err   error                  // of the first fact that could not be found out
}

// newFacts returns the facts about a note that are known before its claims are: the agents of its
// questions. A note that has a private name too is private by that one; to find it touches the
// disk, and walks the vault at most once.
func (v *Vault) newFacts(s Save) *noteFacts {
	f := &noteFacts{Facts: rules.Facts{Request: s.Urgent, Vault: v.Name, Paused: !v.Watching.IsOn(), PerNote: v.opts.Config.Limits.PerNote, Burst: v.opts.Config.Limits.Burst}}
	if v.opts.Config.Approve.InNote {
		f.Decision = func(m note.Marker) bool { return progress.DecisionOf(m) != "" }
	}
	v.engine.AddFacts(&f.Facts, sync.OnceValue(func() string { return copies.FindNames(v.Root, v.opts.Private).NameOf(s.Rel) }))
	return f
}

// add adds the facts that are known when the claims of the note are: free are the markers that
// have none, came the lines that came with it. The caller holds the vault's mu.
func (f *noteFacts) add(ctx context.Context, v *Vault, rel string, seen Looked, free []note.Marker, came past.Came) {
	f.Time, f.Doc = time.Now(), seen.Doc
	f.NoNote = sync.OnceValue(func() string {
		if f.Request {
			return v.disk.WhyNotAsked(rel)
		}
		return v.disk.WhyNoNote(rel)
	})
	f.ReadOnly = sync.OnceValue(func() string { return v.disk.WhyReadOnly(rel) })
	f.Template = sync.OnceValue(func() rules.Template {
		named, _ := v.templates.Of(rel)
		return rules.Template(named)
	})
	f.parts = sync.OnceValue(func() templates.Parts { return templates.FindParts(seen.Page) })
	f.Part = func(m note.Marker) rules.Part {
		part, _ := f.parts().At(m.Line)
		return rules.Part{Line: part.Line, Sign: part.Sign}
	}
	f.Copy = sync.OnceValue(func() rules.Copy {
		found, err := v.copied.Find(ctx, rel, seen.Page.Text)
		f.err = cmp.Or(f.err, err)
		return rules.Copy(found)
	})
	f.Version = sync.OnceValue(func() rules.Version {
		original, by, again := v.copied.FindVersion(rel, v.settling.Wait)
		if again > 0 {
			return rules.Version{Original: original, Program: by, Expiry: time.Now().Add(again)}
		}
		return rules.Version{Original: original, Program: by}
	})
	f.Refused = sync.OnceValue(func() string { v.Condition.compare(); return v.Condition.WhyRefused() })
	f.Foreign = v.Condition.WhyForeign
	alike := sync.OnceValues(func() (string, func(note.Marker) bool) {
		original, list, err := v.copied.FindAlike(ctx, rel, seen.Page.Text, free)
		f.err = cmp.Or(f.err, err)
		return original, isAmong(list)
	})
	f.Alike = func(m note.Marker) string {
		if original, is := alike(); is(m) {
			return original
		}
		return ""
	}
	f.Origin = func(m note.Marker) journal.HoldKind {
		if came.Holds(note.Head(m.Text)) {
			return cmp.Or(came.Kind, journal.ForUntrusted)
		}
		return ""
	}
}

// isAmong returns a function that reports whether a marker of a note is in markers.
func isAmong(markers []note.Marker) func(m note.Marker) bool {
	spans := make(map[note.Span]bool, len(markers))
	for _, m := range markers {
		spans[m.Span] = true
	}
	return func(m note.Marker) bool { return spans[m.Span] }
}

func isNotAmong(markers []note.Marker) func(m note.Marker) bool {
	is := isAmong(markers)
	return func(m note.Marker) bool { return !is(m) }
}

// settle judges the questions again that are not refused: which have settled by now, and are
// those of no other note. It has lost answers written again, and the note looked at again when a
// question is to be judged or told of. again says that questions have moved here: the note has to
// be looked at anew. The caller holds mu.
func (v *Vault) settle(ctx context.Context, s Save, seen Looked, f *noteFacts, now, told time.Time) (again bool, err error) {
	free, err := v.reapplyAnswers(ctx, s, seen.Page.Text, seen.Questions.Markers(rules.Wait, rules.Hold, rules.Start))
	if err != nil {
		return false, err
	}
	ready, next := v.settling.SettleMarkers(s.Rel, free, s.Time, now)
	f.Overwritten, f.Unsettled, f.SettleDue = isNotAmong(free), isNotAmong(ready), next
	v.bulk.Count(ctx, s.Rel, s.Trigger == "scan", free)
	seen.Questions.Again(&f.Facts)
	v.notes.lookAt(s, pickEarlier(seen.Questions.Next(), pickEarlier(told, v.follower.Undecided())))
	looked := follow.Looked{Rel: s.Rel, Page: seen.Page, Doc: seen.Doc, Urgent: s.Urgent, Recheck: func(at time.Time) { v.notes.lookAt(s, at) }}
	left, again, err := v.follower.TakeMoved(ctx, looked, seen.Questions.Markers(rules.Hold, rules.Start))
	f.Stray, f.Bulk = isNotAmong(left), rules.Each(func(m note.Marker) bool { return v.bulk.IsOfBurst(s.Rel, m) })
	seen.Questions.Again(&f.Facts)
	return again, err
}

// foreseeGroups tells the engine which groups start when they have settled, if nothing changes. The caller holds mu.
func (v *Vault) foreseeGroups(ctx context.Context, s Save, seen Looked, f *noteFacts, src []byte, came past.Came) {
	then, soon := f.Facts, Settled{Save: s, Page: seen.Page, Doc: seen.Doc}
	if !f.SettleDue.IsZero() && !s.Crowded {
		questions := slices.Clone(seen.Questions)
		then.Unsettled, then.Stray = nil, nil
		questions.Again(&then)
		soon.Groups = admitGroups(questions, src, came)
	} else if len(seen.Questions.Markers(rules.Start)) > 0 {
		return // they start now
	}
	v.engine.ForeseeGroups(ctx, v, soon, f.SettleDue)
}

// reapplyAnswers has answers written again that were written over, and returns the free markers
// that have none. The caller holds mu.
func (v *Vault) reapplyAnswers(ctx context.Context, s Save, src []byte, free []note.Marker) ([]note.Marker, error) {
	free, some, err := v.writer.Reapply(ctx, v.Root, s.Rel, src, free, func() string {
		if s.Trigger != "scan" { // there a person wants answers
			v.arrivals.GoBack(s.Rel, time.Now())
		}
		return v.bulk.WhyBack(s.Rel)
	})
	if some {
		v.follower.Track(s.Rel)
	}
	return free, err
}

// pickEarlier returns the earlier of two times; the zero time does not count.
func pickEarlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// keepUntaken remembers what of a note is not taken up: its near misses, and these rows. Old
// notes make no news: the first pass reads all of them. It returns when to look again, for lines
// that may still be being typed; zero is never. The caller holds mu.
func (v *Vault) keepUntaken(s Save, src []byte, f *noteFacts, refused []untaken.Row) time.Time {
	rows := append(untaken.Find(src, f.Doc, v.opts.Config.Roles()), refused...)
	isModel := len(rows) > 0 && (f.Doc.Drawing || f.Template().Path != "" || f.parts().IsWhole())
	for i := range rows {
		rows[i].Old = v.memory.IsOld(s.Rel)
		rows[i].Hidden = rows[i].Hidden || isModel
	}
	next := v.engine.KeepUntaken(v.Root, s.Rel, rows, s.Time)
	if len(rows) > 0 && !v.disk.IsNote(s.Rel) {
		return time.Time{} // it is looked at when a person asks, and at no other time
	}
	return next
}

// admitGroups sorts the settled questions into groups, by the rules that hold or start them:
// lines that came with the note are in no group with later ones, and are not asked as a part of
// them. A repeated question is in a group of its own.
func admitGroups(questions rules.Questions, src []byte, came past.Came) (all []Admitted) {
	lines := note.Lines(src)
	for _, r := range rules.List {
		if r.Act != rules.Hold && r.Act != rules.Start {
			continue
		}
		var markers []note.Marker
		reason := "" // of what is held
		for _, q := range questions {
			if q.Rule != r.Name {
				continue
			}
			if !came.Holds(note.Head(q.Text)) {
				q.Marker = came.CutForeign(lines, q.Marker)
			}
			if r.Hold != "" {
				reason = q.Reason()
			}
			if _, again := rules.PlanOf(q.Instruction); again {
				all = append(all, Admitted{Group: note.GroupMarkers([]note.Marker{q.Marker})[0], Hold: r.Hold, Reason: reason})
			} else {
				markers = append(markers, q.Marker)
			}
		}
		for _, g := range note.GroupMarkers(markers) {
			all = append(all, Admitted{Group: g, Hold: r.Hold, Reason: reason})
		}
	}
	return all
}

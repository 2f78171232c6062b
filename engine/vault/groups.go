package vault

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/arrival"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/templates"
)

// This file says which of a note's questions start, which wait for a person, and which are not
// taken up. Nothing that is asked is silent: each look says what is not taken up, and why.

// keepAnswerable returns the markers that somebody may answer, and a row that says why for each
// other one: nobody answers its role, or who does may not be told of the note. These stay in the
// note untouched. A marker whose line is in waits is kept though nobody answers its role, because
// it waits for a person first. A note that has a private name too is refused by that one, as of when
// names was asked first in this look; to find it touches the disk.
func (v *Vault) keepAnswerable(rel string, names *copies.Names, markers []note.Marker, waits arrival.Lines) (some []note.Marker, refused []untaken.Row) {
	if len(markers) > 0 {
		rel = names.NameOf(rel)
	}
	for _, m := range markers {
		row := v.engine.WhyUntaken(rel, m)
		if row.Kind == "" || row.Kind == untaken.Role && waits.Holds(note.Head(m.Text)) {
			some = append(some, m)
		} else {
			refused = append(refused, row)
		}
	}
	return some, refused
}

// How soon a note is looked at again that nobody may tell of.
const (
	lookForOwner = 30 * time.Second // its markers are left to another machine, and it may have become ours
	lookForCopy  = 30 * time.Second // it is a copy of another note, which may go
	lookForNamed = 10 * time.Minute // its name says that it is one, and a watcher tells when the other one goes ([Vault.reviewCopies])
)

// keepStartable returns free where questions of the note may start now. Otherwise it returns
// none, what to say of them, and how soon they may be able to; zero is when the note changes. What a
// person asks for counts in a note that only has the name of a copy; where that is one of a program's, nothing else does,
// and nothing is said, for nobody looks whether it goes. The caller holds mu.
func (v *Vault) keepStartable(ctx context.Context, s Save, src []byte, doc note.Doc, free []note.Marker) (startable []note.Marker, rows []untaken.Row, later time.Duration, err error) {
	if len(free) == 0 {
		return nil, nil, 0, nil
	}
	rel := s.Rel
	if !s.Now && !v.disk.IsNote(rel) {
		return nil, nil, 0, nil
	}
	if why := v.disk.WhyReadOnly(rel); why != "" { // no agent is asked for an answer that has no place
		return nil, untaken.Markers(untaken.ReadOnly, why, free), 0, nil
	}
	if why, later := v.templates.WhyNoProse(rel, doc); why != "" && !s.Now {
		return nil, untaken.Markers(untaken.Place, why, free), later, nil
	}
	if !s.Now {
		var models []untaken.Row
		if free, models = keepProse(src, free); len(free) == 0 {
			return nil, models, 0, nil
		}
		defer func() { rows = append(rows, models...) }()
	}
	why, err := v.copied.Why(ctx, rel, src)
	again := lookForCopy
	if why == "" && err == nil && !s.Now {
		if named, soon := v.copied.WhyNamed(rel, v.settling.Wait); named != "" {
			why, again = named, cmp.Or(soon, lookForNamed)
		}
	}
	if why != "" || err != nil {
		return nil, untaken.Markers(untaken.Copy, why, free), again, err
	}
	v.compareFolder()
	if why := v.WhyIdle(); why != "" {
		return nil, untaken.Markers(untaken.Foreign, why, free), lookForOwner, nil
	}
	if s.Now {
		return free, nil, 0, nil
	}
	own, alike, err := v.copied.FindAlike(ctx, rel, src, free)
	if len(alike) == 0 || err != nil {
		return own, nil, 0, err
	}
	for _, a := range alike {
		rows = append(rows, untaken.Markers(untaken.Copy, a.Why, []note.Marker{a.Marker})...)
	}
	return own, rows, lookForCopy, nil
}

// keepProse returns the markers that are in no template in their note, and rows for the others, which were put there on
// purpose.
func keepProse(src []byte, markers []note.Marker) (prose []note.Marker, rows []untaken.Row) {
	parts := templates.FindParts(src)
	for _, m := range markers {
		why := parts.Why(m.Line)
		if why == "" {
			prose = append(prose, m)
			continue
		}
		row := untaken.Markers(untaken.Place, why, []note.Marker{m})[0]
		row.Hidden = true
		rows = append(rows, row)
	}
	return prose, rows
}

// keepUntaken remembers what of a note is not taken up: its near misses, and these markers. What
// is found in an old note when every note is read once is no news. It returns when to look
// again, for what may still be being typed; zero is never. The caller holds mu.
func (v *Vault) keepUntaken(s Save, src []byte, doc note.Doc, markers []untaken.Row) time.Time {
	rows := append(untaken.Find(src, doc, v.opts.Config.Roles()), markers...)
	isModel := len(rows) > 0 && v.templates.IsModel(s.Rel, doc, templates.FindParts(src))
	for i := range rows {
		rows[i].Old = v.questions.IsOld(s.Rel)
		rows[i].Hidden = rows[i].Hidden || isModel
	}
	next := v.engine.KeepUntaken(v.Root, s.Rel, rows, s.Seen)
	if len(rows) > 0 && !v.disk.IsNote(s.Rel) {
		return time.Time{} // it is looked at when a person asks, and at no other time
	}
	return next
}

// admitGroups sorts markers that have settled into groups and says which of them wait
// for a person. Markers that came with the note are no group with those that were
// written later.
func (v *Vault) admitGroups(rel string, src []byte, doc note.Doc, ready []note.Marker, came journal.Arrival) []Admitted {
	var strange, many, own []note.Marker
	var lines []string
	if len(came.Came) > 0 {
		lines = note.Lines(src)
	}
	for _, m := range ready {
		if arrival.Lines(came.Came).Holds(note.Head(m.Text)) {
			strange = append(strange, m)
			continue
		}
		asked := arrival.AskOwnWords(lines, m, came.Came)
		if v.bulk.IsOfBurst(rel, m) {
			many = append(many, asked)
		} else {
			own = append(own, asked)
		}
	}
	var all []Admitted
	for _, g := range note.GroupMarkers(strange) {
		all = append(all, Admitted{g, came.Kind, came.Reason})
	}
	for _, g := range note.GroupMarkers(many) {
		all = append(all, Admitted{g, journal.ForBurst, v.bulk.Why()})
	}
	most := v.opts.Config.Limits.PerNote
	for _, g := range note.GroupMarkers(own) {
		a := Admitted{Group: g}
		if most > 0 && len(doc.Markers) > most {
			a.Hold = journal.ForLimit
			a.Reason = fmt.Sprintf("the note holds %d markers, more than wiki.limits.perNote (%d)", len(doc.Markers), most)
		}
		all = append(all, a)
	}
	return all
}

// findNew returns what tells whether a note came while no engine ran, or just before the last
// one ended: its index does not know it, or not for long. Of what is not indexed the journal tells,
// as far as it had quotes. Where the vault was not met yet, or nothing is known of the last engine,
// no note is new. The caller does not hold mu.
func (v *Vault) findNew(ctx context.Context) func(rel string) bool {
	if !v.isMet() || v.index.State().Notes == 0 {
		return func(string) bool { return false }
	}
	indexed, err := v.index.LongKnown(ctx, burst.Within)
	var quoting map[string]uint64
	if len(v.opts.Config.Index.Exclude) > 0 && err == nil {
		quoting, err = v.opts.Journal.StandingSums(ctx, v.Root)
	}
	if err != nil {
		if ctx.Err() == nil {
			v.log.Warn("read what the last engine knew", "error", err)
		}
		return func(string) bool { return false }
	}
	known := setOf(indexed)
	for rel := range quoting {
		known[rel] = known[rel] || v.isUnindexed(rel)
	}
	return func(rel string) bool { return !known[rel] }
}

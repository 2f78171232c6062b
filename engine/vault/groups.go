package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/githead"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/arrival"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/folder"
)

// This file says which of a note's questions start, which wait for a person, and which are not
// taken up. Nothing that is asked is silent: each look says what is not taken up, and why.

// keepAnswerable returns the markers that somebody may answer, and a row that says why for each
// other one: nobody answers its role, or who does may not be told of the note. These stay in the
// note untouched. A marker whose line is in waits is kept though nobody answers its role, because
// it waits for a person first. A note that has a private name too is refused by that one; to find
// it touches the disk.
func (v *Vault) keepAnswerable(rel string, markers []note.Marker, waits arrival.Lines) (some []note.Marker, refused []untaken.Row) {
	if len(markers) > 0 {
		rel = copies.FindNames(v.Root, v.opts.Private).NameOf(rel)
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

// reviewCopies has the notes indexed again that may be second versions of one that has changed, and those looked at whose
// name says so: whether others are copies may depend on what the one that went is called now.
func (v *Vault) reviewCopies(original string) {
	for _, rel := range v.doubles.Of(original) {
		v.unindexed.Add(rel)
		if copies.IsNamed(rel, original) {
			_ = v.whileLocked(func() error { v.lookAgain(rel); return nil })
		}
	}
}

// keepStartable returns free where questions of the note may start now. Otherwise it returns
// none, what to say of them, and how soon they may be able to; zero is when the note changes. What a
// person asks for counts in a note that only has the name of a copy; where that is one of a program's, nothing else does,
// and nothing is said, for nobody looks whether it goes. The caller holds mu.
func (v *Vault) keepStartable(ctx context.Context, s Save, src []byte, doc note.Doc, free []note.Marker) ([]note.Marker, []untaken.Row, time.Duration, error) {
	if len(free) == 0 {
		return nil, nil, 0, nil
	}
	rel := s.Rel
	if !s.Now && !v.IsNote(rel) {
		return nil, nil, 0, nil
	}
	if why := v.WhyReadOnly(rel); why != "" { // no agent is asked for an answer that has no place
		return nil, untaken.Markers(untaken.ReadOnly, why, free), 0, nil
	}
	if why, later := v.whyNoProse(rel, doc); why != "" && !s.Now {
		return nil, untaken.Markers(untaken.Place, why, free), later, nil
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
	var rows []untaken.Row
	for _, a := range alike {
		rows = append(rows, untaken.Markers(untaken.Copy, a.Why, []note.Marker{a.Marker})...)
	}
	return own, rows, lookForCopy, nil
}

// keepUntaken remembers what of a note is not taken up: its near misses, and these markers. What
// is found in an old note when every note is read once is no news. It returns when to look
// again, for what may still be being typed; zero is never. The caller holds mu.
func (v *Vault) keepUntaken(s Save, src []byte, doc note.Doc, markers []untaken.Row) time.Time {
	rows := append(untaken.Find(src, doc, v.opts.Config.Roles()), markers...)
	isModel := len(rows) > 0 && v.isModel(s.Rel, doc)
	for i := range rows {
		rows[i].Old = v.questions.IsOld(s.Rel)
		rows[i].Hidden = rows[i].Hidden || isModel
	}
	next := v.engine.KeepUntaken(v.Root, s.Rel, rows, s.Seen)
	if len(rows) > 0 && !v.IsNote(s.Rel) {
		return time.Time{} // it is looked at when a person asks, and at no other time
	}
	return next
}

// keepUnread remembers why a note could not be read, or that there is none. It returns when to look
// again, so that it is told; zero is never.
func (v *Vault) keepUnread(s Save, err error) time.Time {
	var rows []untaken.Row
	switch {
	case errors.Is(err, folder.ErrLarge):
		rows = []untaken.Row{{Kind: untaken.Unread, Reason: fmt.Sprintf("the note is larger than %d MiB, so nothing in it is read; split it into smaller notes", folder.MaxNote>>20), Old: v.questions.IsOld(s.Rel), Lasts: true}}
	case !isNotExist(err) && !v.isNoNote(s.Rel, err):
		rows = []untaken.Row{{Kind: untaken.Unread, Reason: "the note cannot be looked at now and is tried again: " + syserr.Plain(err)}}
	}
	return v.engine.KeepUntaken(v.Root, s.Rel, rows, s.Seen)
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
		if v.isOfBurst(rel, m) {
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
		all = append(all, Admitted{g, journal.ForBurst, v.whyBurst()})
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

// What somebody else brings into a watched vault (a clone, an archive, a shared folder)
// comes many at once. A person writes one question after the other; so more than
// wiki.limits.burst of them that came with new notes within a minute wait for a person.
// What git changes in known notes counts as well, and so do notes that go back to questions
// whose answers they had: a backup or a sync tool has put an earlier state there.

// whyBurst is why a marker is held, in words a person reads.
func (v *Vault) whyBurst() string {
	return fmt.Sprintf("came with more than wiki.limits.burst (%d) in a minute", v.opts.Config.Limits.Burst)
}

// findNew returns what tells whether a note came while no engine ran, or just before the last
// one ended: its index does not know it, or not for long. Of what is not indexed the journal tells,
// as far as it had quotes. Where the vault was not met yet, or nothing is known of the last engine,
// no note is new. The caller does not hold mu.
func (v *Vault) findNew(ctx context.Context) func(rel string) bool {
	if !v.isMet() || v.Index.State().Notes == 0 {
		return func(string) bool { return false }
	}
	indexed, err := v.Index.LongKnown(ctx, burst.Within)
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
	known := make(map[string]bool)
	for _, rel := range indexed {
		known[rel] = true
	}
	for rel := range quoting {
		known[rel] = known[rel] || v.isUnindexed(rel)
	}
	return func(rel string) bool { return !known[rel] }
}

// countArrivals counts the free markers of a note that were not looked at before, but
// those that a note app tells of. The caller holds mu.
func (v *Vault) countArrivals(ctx context.Context, s Save, free []note.Marker) {
	now := time.Now()
	for _, m := range free {
		came := v.settling.Arrival(s.Rel, m)
		switch {
		case s.Trigger == "scan":
			v.arrivals.Withdraw(came)
			v.settling.KeepArrival(s.Rel, m, new(burst.Arrival))
		case came == nil:
			young := v.arrivals.IsYoung(s.Rel, now, min(burst.Within, v.unpackingTime()))
			v.settling.KeepArrival(s.Rel, m, v.arrivals.Add(now, young))
		}
	}
	for _, id := range v.arrivals.TakeLate() {
		err := v.dispatcher.Hold(ctx, id, journal.ForBurst, v.whyBurst())
		if err != nil && !errors.Is(err, journal.ErrState) {
			v.log.Warn("hold what came in a burst", "dispatch", id, "error", err)
		}
	}
}

// isOfBurst reports whether a marker that is settling waits for a person. It touches the
// disk. The caller holds mu.
func (v *Vault) isOfBurst(rel string, m note.Marker) bool {
	came := v.settling.Arrival(rel, m)
	return came.IsBurst(false) || came.IsBurst(true) && v.movedByGit(rel, v.settling.Looked(rel, m))
}

// movedByGit reports whether git has changed the files around a note at about a time.
func (v *Vault) movedByGit(rel string, at time.Time) bool {
	return githead.LastMove(filepath.Join(v.Root, filepath.FromSlash(rel))).Sub(at).Abs() < burst.Within
}

// WhyBack says in words a person reads why the answers that a note has lost are held, or
// nothing. It waits for a look, and touches the disk.
func (v *Vault) WhyBack(rel string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.whyBack(rel)
}

// whyBack is WhyBack for a caller that holds mu.
func (v *Vault) whyBack(rel string) string {
	now := time.Now()
	switch {
	case v.movedByGit(rel, now):
		return "git has put an earlier state of the note there; it ends by itself when the answer is back"
	case v.arrivals.IsBack(rel, now):
		return fmt.Sprintf("more than wiki.limits.burst (%d) notes went back to an earlier state in a minute; it ends by itself when the answer is back", v.opts.Config.Limits.Burst)
	}
	return ""
}

// noteStarted remembers what markers have become. The caller holds mu.
func (v *Vault) noteStarted(rel string, markers []note.Marker, d journal.Dispatch) {
	if d.Status != journal.Queued {
		return
	}
	for _, m := range markers {
		v.settling.Arrival(rel, m).Start(d.ID)
	}
	v.arrivals.Back(rel, time.Now()).Start(d.ID)
}

package vault

import (
	"bytes"
	"context"
	"errors"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/unseen"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/rules"
)

// Looked is what a look has found in a note.
type Looked struct {
	Page      *note.Page // without progress comments
	Doc       note.Doc
	Questions rules.Questions // that have no dispatch from before, as they were judged
	Decisions []Decision
	foreign   bool // it seems to come from elsewhere
	isPlain   bool // a look does nothing about what the note holds
}

// lookAt is look for a caller that holds mu and handles errors. Its steps:
//
//	 1 readClaimed      here: the claims, then the bytes; follow/follower.go has a renamed note followed
//	 2 EmptyUntil       follow/follower.go: empty while an editor saves it
//	 3 writer.Restore   writer/parked.go: ends the holds of answers that are back
//	 4 past.Read        engine/past: the markers, and which lines each has
//	 5 withdrawChanged  here: ends dispatches whose line was edited
//	 6 Arrive           engine/past: which lines came with the note from elsewhere; remembers the note
//	 7 rules.JudgeAll   rules/list.go: which of the free markers are refused; judge.go has the facts for it
//	 8 keepUntaken      judge.go: remembers what is not taken up, and why
//	 9 settle           judge.go: answers that were written over are written again (writer/reapply.go); settled markers are
//	                    judged again, the rest is looked at later; markers moved from another note (follow/follower.go) are not new
//	10 handOverSettled  here: admitGroups (judge.go), then Engine.StartGroups (engine/pipeline.go)
func (v *Vault) lookAt(ctx context.Context, s Save) (seen Looked, err error) {
	claims, bared, err := v.readClaimed(ctx, s)
	if err != nil {
		return seen, err
	}
	seen.Page = bared.Page
	defer v.updateProgress(s.Rel, len(bared.Progress) > 0)
	if len(claims) > 0 {
		if until := v.follower.EmptyUntil(s.Rel, len(bared.Text) == 0); !until.IsZero() {
			v.notes.retry(s, until)
			return seen, nil
		}
	}
	if claims, err = v.writer.Restore(ctx, bared.Text, claims); err != nil {
		return seen, err
	}
	look, err := v.memory.Read(ctx, s.Rel, seen.Page, claims)
	if seen.Doc, seen.foreign = look.Doc, look.Foreign; err != nil {
		return seen, err
	}
	seen.isPlain = v.judged && len(claims) == 0 && !seen.foreign && !unseen.MayAddress(bared.Source)
	f := v.newFacts(s)
	if claims, err = v.withdrawChanged(ctx, s.Rel, "its line in the note has changed", f, seen.Doc.Markers, claims); err != nil {
		return seen, err
	}
	free := follow.PairClaims(seen.Doc.Markers, claims).Free
	if f.Unmet = !v.judged && v.Watching.IsOn() && !v.startsEarly(s, len(seen.Doc.Markers)); f.Unmet {
		v.notes.await(s) // nothing else starts before the vault was met
		seen.Questions = rules.JudgeAll(free, &f.Facts)
		return seen, look.Keep(ctx)
	}
	came, err := look.Arrive(ctx, past.Seen{Time: s.Time, New: s.New || s.Trigger == "scan", Unmet: !v.judged})
	if err != nil {
		return seen, err
	}
	f.add(ctx, v, s.Rel, seen, free, came)
	if seen.Questions = rules.JudgeAll(free, &f.Facts); f.err != nil {
		return seen, f.err
	}
	now := time.Now() // markers that have settled by then start below: their answers may remove lines reported here
	told := v.keepUntaken(s, bared.Text, f, seen.Questions.Rows())
	if err := ctx.Err(); err != nil {
		return seen, err
	}
	again, err := v.settle(ctx, s, seen, f, now, told)
	if err != nil {
		return seen, err
	}
	if again {
		return v.lookAt(ctx, s)
	}
	v.foreseeGroups(ctx, s, seen, f, bared.Text, came)
	seen.Decisions = v.findDecisions(s, bared, seen, claims, came)
	return seen, v.handOverSettled(ctx, Settled{Save: s, Page: seen.Page, Doc: seen.Doc, Groups: admitGroups(seen.Questions, bared.Text, came)})
}

// readClaimed returns the claims on a note and the note. The caller holds mu.
func (v *Vault) readClaimed(ctx context.Context, s Save) (claims []journal.Claim, bared progress.Bared, err error) {
	if s.New {
		v.arrivals.NoteCame(s.Rel, s.Time, time.Now())
	}
	// Claims are read before the note: a dispatch that ends in between leaves a
	// claim without a marker, which is harmless, never a marker without its claim.
	if claims, err = v.follower.ReadClaims(ctx, s.Rel); err != nil {
		return nil, bared, err
	}
	// Nothing was changed yet, so a read that hangs is left behind, and the look gives way.
	raw, err := behind.Do(ctx, &v.reads, func() ([]byte, error) { return v.disk.ReadRaw(s.Rel) }, func([]byte, error) {})
	if isNotExist(err) {
		if failed := v.forgetNote(ctx, s.Rel, claims); failed != nil {
			return nil, bared, failed
		}
	}
	if err != nil {
		return nil, bared, err
	}
	bared = progress.Bare(raw)
	v.arrivals.NoteRead(s.Rel, len(bytes.TrimSpace(raw)) > 0, time.Now())
	if len(claims) > 0 {
		v.writer.RetryNow(v.Root, s.Rel)
	}
	v.follower.Stands(s.Rel)
	moved, err := v.follower.FollowNote(ctx, s.Rel, bared.Page, claims)
	if moved && err == nil {
		return v.readClaimed(ctx, s)
	}
	if err == nil {
		err = ctx.Err()
	}
	return claims, bared, err
}

// withdrawChanged ends dispatches whose line the user has changed or removed, and returns the
// claims that still hold; why says which of it. A dispatch with an agent at work ends only when
// its line became another marker: a line that is merely gone may come back with its note, and its
// answer is kept in any case.
func (v *Vault) withdrawChanged(ctx context.Context, rel, why string, f *noteFacts, markers []note.Marker, claims []journal.Claim) ([]journal.Claim, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found := follow.PairClaims(markers, claims)
	asked := rules.JudgeAll(found.Free, &f.Facts).Markers(rules.Wait, rules.Hold, rules.Start) // some agent answers these
	fresh := v.settling.ListUnseen(rel, asked)
	standing, ended := make(map[string]bool), make(map[string]bool)
	for _, c := range found.Claimed {
		standing[c.Dispatch] = true
	}
	for id, lost := range found.Orphans {
		if underWay(lost[0]) && !follow.WasEdited(lost, fresh, asked) || lost[0].Status == journal.Cancelled && standing[id] {
			continue
		}
		err := v.dispatcher.Cancel(ctx, id, why)
		if err != nil && !errors.Is(err, journal.ErrState) {
			return nil, err
		}
		ended[id] = err == nil
	}
	var kept []journal.Claim
	for _, c := range claims {
		if !ended[c.Dispatch] {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// underWay reports whether an agent is at work for a claim, or its answer waits to be written.
func underWay(c journal.Claim) bool {
	return c.Status == journal.Processing || c.Status == journal.Proposed || c.Status == journal.Queued && c.Answered
}

// forgetNote forgets a missing note. Its questions may have moved along with it: they are given up once it has been gone for
// a while; an agent at work continues, since its answer is kept in any case. While the folder of a vault is away, its notes do
// not count as gone. The caller holds mu.
func (v *Vault) forgetNote(ctx context.Context, rel string, claims []journal.Claim) error {
	v.engine.KeepUntaken(v.Root, rel, nil, time.Time{})
	v.notes.forget(rel)
	v.arrivals.NoteGone(rel)
	v.copied.Forget(rel)
	left, err := v.follower.Gone(ctx, rel, len(claims))
	if left > 0 {
		followed{v}.LookAt(rel, time.Now().Add(left))
	} else if len(claims) > 0 {
		_, failed := v.withdrawChanged(ctx, rel, "its note is gone", new(noteFacts), nil, claims)
		err = errors.Join(err, failed)
	}
	if err != nil || !swap.Reachable(v.Root) {
		return err
	}
	return v.memory.Depart(ctx, rel)
}

// handOverSettled has the engine make dispatches of the groups that have settled, and notes
// which were started. The caller holds mu.
func (v *Vault) handOverSettled(ctx context.Context, found Settled) error {
	if len(found.Groups) == 0 {
		return nil
	}
	accepted, err := v.engine.StartGroups(ctx, v, found)
	for i, d := range accepted {
		if d.ID != "" {
			v.bulk.NoteStarted(found.Rel, found.Groups[i].Markers, d)
			v.settling.ForgetStarted(found.Rel, found.Groups[i].Markers)
			v.follower.Track(found.Rel)
		}
	}
	return err
}

// updateProgress has what a note says about progress brought up to date, if it says anything or
// should. The caller holds mu.
func (v *Vault) updateProgress(rel string, says bool) {
	if says || v.opts.Config.Progress == "note" && v.follower.HasClaims(rel) {
		v.writer.RefreshProgress(v.Root, rel)
	}
}

// startsEarly reports whether the markers of a note may start before the vault is met: the note
// was saved since the vault was given to an engine, so the markers are new. An edit above an old
// marker looks the same, so only a few may start early, in all such notes together. The caller
// holds mu.
func (v *Vault) startsEarly(s Save, markers int) bool {
	info, err := v.disk.Stat(s.Rel)
	if s.Trigger == "reconcile" || err != nil || !v.isSinceGiven(info.ModTime()) {
		return false
	}
	return v.memory.StartsEarly(s.Rel, markers)
}

// isSinceGiven reports whether a note saved at that time came after the vault was first given to
// an engine, even one that was killed before it had met the vault.
func (v *Vault) isSinceGiven(at time.Time) bool {
	if v.Condition.doubts.Load() {
		return !at.Before(v.opts.Started)
	}
	return !v.opts.Adoption.IsZero() && !at.Before(v.opts.Adoption)
}

package vault

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/pairing"
	"vaultdispatcher/engine/vault/questions"
)

// A note that is renamed or moved is one that goes and one that comes. Its
// questions go along: a free marker that has the line and the surroundings of a
// claim whose note is gone is the claimed one.

// FollowFor is how long the questions of a note that is gone are looked for in
// other notes before they are given up.
const FollowFor = 60 * time.Second

// followQuestions takes the dispatches of gone notes along to the notes where their
// questions are now, if one of the given lines may be such a question; no lines
// means any. looked is when the lines were looked at first: a note that was there since
// has not become theirs. It reports whether there was one. The caller holds mu.
func (v *Vault) followQuestions(ctx context.Context, lines []note.Marker, looked time.Time) (bool, error) {
	strays, err := v.findStrays(ctx, lines, looked)
	if err != nil || len(strays) == 0 {
		return false, err
	}
	finds, err := v.findSettling(ctx, strays)
	if err != nil {
		return false, err
	}
	some, from := false, make(map[string]string) // where the dispatches were
	for _, s := range strays {
		for _, c := range s.Claims {
			from[c.Dispatch] = s.File
		}
	}
	for _, m := range pairing.MatchMoves(strays, finds) {
		to := finds[m.To]
		if wait := v.absent.UntilGone(from[m.Dispatch]); wait > 0 && lines != nil {
			v.absent.Wait(to.File, m.Markers)
			v.wakeAt(Save{Rel: to.File, Trigger: "reconcile"}, time.Now().Add(wait))
			continue
		}
		moved, err := v.takeAlong(ctx, m, to)
		if err != nil {
			return some, err
		}
		if moved {
			some = true
			v.absent.Followed(from[m.Dispatch], to.File, m.Dispatch)
		}
	}
	return some, nil
}

// takeAlong records that the questions of a dispatch are in another note, if they still may be.
func (v *Vault) takeAlong(ctx context.Context, m pairing.Move, to pairing.Find) (bool, error) {
	ok, err := v.opts.Journal.Move(ctx, m.Dispatch, to.File, pairing.CountLines(to.Markers))
	if errors.Is(err, journal.ErrState) || err == nil && !ok {
		return false, nil // it has ended, or its place is taken
	}
	if err != nil {
		return false, fmt.Errorf("follow a question to %s: %w", to.File, err)
	}
	v.tracked[to.File] = true
	v.withdrawArrivals(to.File, m.Markers)
	v.settling.ForgetStarted(to.File, m.Markers)
	v.tellMoved(m.Dispatch, to.File)
	v.log.Info("followed a question to another note", "dispatch", m.Dispatch, "note", to.File)
	return true, nil
}

// followNote takes along what is known of the note that this one was before, if that is gone. It
// reports whether there was one. The caller holds mu.
func (v *Vault) followNote(ctx context.Context, rel string, src []byte, claims []journal.Claim) (bool, error) {
	from, err := v.trail.Find(ctx, rel, src, claims)
	if err != nil || from == "" {
		return false, err
	}
	open, err := v.readClaims(ctx, from)
	if err != nil {
		return false, err
	}
	if wait := v.absent.UntilGone(from); wait > 0 {
		v.undecided = time.Now().Add(wait)
		v.wakeAt(Save{Rel: rel, Trigger: "reconcile"}, v.undecided)
		return false, nil
	}
	if why, _ := v.copied.WhyNamed(rel, v.settling.Wait); why != "" {
		return false, nil
	}
	markers := questions.ParseAsAsked(src, slices.Concat(claims, open), nil).Markers
	moved, err := v.opts.Journal.MoveNote(ctx, v.Root, from, rel, pairing.CountLines(markers))
	if err != nil {
		return false, err
	}
	for _, d := range moved {
		v.absent.Followed(from, rel, d.ID)
		v.tellMoved(d.ID, rel)
	}
	v.writer.Renamed(v.Root, from, rel)
	v.trail.Followed(from, rel)
	v.tracked[rel] = true
	v.withdrawArrivals(rel, markers)
	v.log.Info("followed a note to another name", "note", rel, "was", from, "dispatches", len(moved))
	return true, v.questions.Depart(ctx, from)
}

// findStrays returns the claimed notes that are gone and hold one of the lines. All
// are looked for unless they were since looked, because not every news comes in time: a
// polled folder is passed slowly, and messages get lost. After that it is those that
// the watcher or a look has missed.
func (v *Vault) findStrays(ctx context.Context, lines []note.Marker, looked time.Time) ([]pairing.Stray, error) {
	wanted := make(map[string]bool)
	for _, m := range lines {
		wanted[note.FoldHead(m.Text)] = true
	}
	now, all := time.Now(), !v.swept.After(looked) || !v.IsWatched()
	candidates := v.suspects
	if all {
		candidates = v.tracked
		v.trail.Sweep()
	}
	var strays []pairing.Stray
	for rel := range maps.Clone(candidates) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !v.isGone(rel) {
			delete(v.suspects, rel)
			v.absent.Stands(rel)
			continue
		}
		if !v.suspects[rel] {
			v.trail.Went(rel)
		}
		v.suspects[rel] = true
		v.absent.UntilGone(rel)
		claims, err := v.readClaims(ctx, rel)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			if lines == nil || wanted[note.FoldHead(c.Marker.Text)] {
				strays = append(strays, pairing.Stray{File: rel, Claims: claims})
				break
			}
		}
	}
	if all {
		v.swept = now
	}
	return strays, nil
}

// findSettling returns the notes with settling markers that may be those of strays.
func (v *Vault) findSettling(ctx context.Context, strays []pairing.Stray) ([]pairing.Find, error) {
	wanted := make(map[string]bool)
	asked := make(map[string]map[string]bool) // by their first lines
	for _, s := range strays {
		for _, c := range s.Claims {
			head := note.FoldHead(c.Marker.Text)
			if wanted[head] = true; asked[head] == nil {
				asked[head] = make(map[string]bool)
			}
			asked[head][note.UnifyLineEnds(c.Marker.Text)] = true
		}
	}
	var finds []pairing.Find
	for _, rel := range v.settling.NotesWith(wanted) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		claims, err := v.readClaims(ctx, rel)
		if err != nil {
			return nil, err
		}
		src, err := v.Read(rel)
		if err != nil {
			continue // it is going as well; its own look deals with that
		}
		markers := questions.ParseAsAsked(src, claims, asked).Markers
		finds = append(finds, pairing.Find{File: rel, Free: pairing.PairClaims(markers, claims).Free, Markers: markers})
	}
	return finds, nil
}

// takeBack takes the questions back that were followed from a note which stands again, as far as it has them. It reports
// whether there was one. The caller holds mu.
func (v *Vault) takeBack(ctx context.Context, rel string, src []byte, claims []journal.Claim) (some bool, err error) {
	left := v.absent.Left(rel)
	var asked []journal.Claim
	for to := range maps.Values(left) {
		if slices.ContainsFunc(asked, func(c journal.Claim) bool { return c.File == to }) {
			continue
		}
		there, err := v.readClaims(ctx, to)
		if err != nil {
			return false, err
		}
		asked = append(asked, slices.DeleteFunc(there, func(c journal.Claim) bool { return left[c.Dispatch] == "" })...)
	}
	if len(asked) == 0 {
		return false, nil
	}
	markers := questions.ParseAsAsked(src, slices.Concat(claims, asked), nil).Markers
	finds := []pairing.Find{{File: rel, Free: pairing.PairClaims(markers, claims).Free, Markers: markers}}
	for _, m := range pairing.MatchMoves([]pairing.Stray{{File: rel, Claims: asked}}, finds) {
		ok, err := v.opts.Journal.Move(ctx, m.Dispatch, rel, pairing.CountLines(markers))
		if errors.Is(err, journal.ErrState) || err == nil && !ok {
			continue // it has ended, or its place is taken
		}
		if err != nil {
			return some, fmt.Errorf("take a question back to %s: %w", rel, err)
		}
		some = true
		v.absent.Returned(rel, m.Dispatch)
		v.tracked[rel] = true
		v.withdrawArrivals(rel, m.Markers)
		v.settling.ForgetStarted(rel, m.Markers)
		v.tellMoved(m.Dispatch, rel)
		v.lookAgain(left[m.Dispatch])
		v.log.Info("a question is back in its note", "dispatch", m.Dispatch, "note", rel)
	}
	return some, nil
}

// giveUpVanished gives up the questions of a note that has been gone for a while. What
// an agent is working on goes on: its answer is kept in any case. The caller
// holds mu.
func (v *Vault) giveUpVanished(ctx context.Context, rel string, claims []journal.Claim) error {
	if len(claims) == 0 {
		delete(v.missing, rel)
		return nil
	}
	v.suspects[rel] = true
	v.absent.UntilGone(rel)
	since, known := v.missing[rel]
	if !known {
		since = time.Now()
		v.missing[rel] = since
	}
	if left := FollowFor - time.Since(since); left > 0 {
		v.wakeAt(Save{Rel: rel, Trigger: "reconcile"}, time.Now().Add(left))
		return nil
	}
	delete(v.missing, rel)
	v.absent.Stands(rel)
	_, err := v.withdrawChanged(ctx, rel, "its note is gone", nil, claims)
	return err
}

// forgetNote forgets a note that is not there any more, but for its questions, which may have
// moved along with it. That notes of a vault are gone whose folder is away is not believed.
// The caller holds mu.
func (v *Vault) forgetNote(ctx context.Context, rel string, claims []journal.Claim) error {
	v.engine.KeepUntaken(v.Root, rel, nil, time.Time{})
	v.forgetWake(rel)
	v.arrivals.NoteGone(rel)
	v.copied.Forget(rel)
	delete(v.emptied, rel)
	err := errors.Join(v.trail.Gone(ctx, rel), v.giveUpVanished(ctx, rel, claims))
	if err != nil || !swap.Reachable(v.Root) {
		return err
	}
	if _, arrived, err := v.opts.Journal.Arrival(ctx, v.Root, rel); err != nil {
		return err
	} else if arrived {
		v.departed[rel] = true
	}
	return v.questions.Depart(ctx, rel)
}

// tellMoved says that the question of a dispatch is in another note now.
func (v *Vault) tellMoved(id, rel string) {
	v.dispatcher.Moved(id, rel)
	v.writer.Moved(id, rel)
}

package follow

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// followQuestions takes the dispatches of gone notes along to the notes where their
// questions are now, if one of the given lines may be such a question; no lines
// means any. looked is when the lines were looked at first: a note that was there since
// has not become theirs. It reports whether there was one.
func (f *Follower) followQuestions(ctx context.Context, lines []note.Marker, looked time.Time) (bool, error) {
	strays, err := f.findStrays(ctx, lines, looked)
	if err != nil || len(strays) == 0 {
		return false, err
	}
	finds, err := f.findSettling(ctx, strays)
	if err != nil {
		return false, err
	}
	some, from := false, make(map[string]string) // where the dispatches were
	for _, s := range strays {
		for _, c := range s.Claims {
			from[c.Dispatch] = s.File
		}
	}
	for _, m := range MatchMoves(strays, finds) {
		to := finds[m.To]
		if wait := f.absent.UntilGone(from[m.Dispatch]); wait > 0 && lines != nil {
			f.absent.Wait(to.File, m.Markers)
			f.vault.LookAt(to.File, time.Now().Add(wait))
			continue
		}
		moved, err := f.takeAlong(ctx, m, to)
		if err != nil {
			return some, err
		}
		if moved {
			some = true
			f.absent.Followed(from[m.Dispatch], to.File, m.Dispatch)
		}
	}
	return some, nil
}

// takeAlong records that the questions of a dispatch are in another note, if they still may be.
func (f *Follower) takeAlong(ctx context.Context, m Move, to Find) (bool, error) {
	ok, err := f.opts.Journal.Move(ctx, m.Dispatch, to.File, CountLines(to.Markers))
	if errors.Is(err, journal.ErrState) || err == nil && !ok {
		return false, nil // it has ended, or its place is taken
	}
	if err != nil {
		return false, fmt.Errorf("follow a question to %s: %w", to.File, err)
	}
	f.tracked[to.File] = true
	f.withdrawArrivals(to.File, m.Markers)
	f.opts.Settling.ForgetStarted(to.File, m.Markers)
	f.vault.QuestionMoved(m.Dispatch, to.File)
	f.opts.Log.Info("followed a question to another note", "dispatch", m.Dispatch, "note", to.File)
	return true, nil
}

// takeNote takes along what is known of the note that this one was before, if that is gone. It
// reports whether there was one.
func (f *Follower) takeNote(ctx context.Context, rel string, src []byte, claims []journal.Claim) (bool, error) {
	from, err := f.trail.Find(ctx, rel, src, claims)
	if err != nil || from == "" {
		return false, err
	}
	open, err := f.ReadClaims(ctx, from)
	if err != nil {
		return false, err
	}
	if wait := f.absent.UntilGone(from); wait > 0 {
		f.undecided = time.Now().Add(wait)
		f.vault.LookAt(rel, f.undecided)
		return false, nil
	}
	if why, _ := f.opts.Copied.WhyNamed(rel, f.opts.Settling.Wait); why != "" {
		return false, nil
	}
	markers := f.opts.Parse(src, slices.Concat(claims, open), nil).Markers
	moved, err := f.opts.Journal.MoveNote(ctx, f.opts.Root, from, rel, CountLines(markers))
	if err != nil {
		return false, err
	}
	for _, d := range moved {
		f.absent.Followed(from, rel, d.ID)
		f.vault.QuestionMoved(d.ID, rel)
	}
	f.trail.Followed(from, rel)
	f.tracked[rel] = true
	f.withdrawArrivals(rel, markers)
	f.opts.Log.Info("followed a note to another name", "note", rel, "was", from, "dispatches", len(moved))
	return true, f.vault.NoteRenamed(ctx, from, rel)
}

// findStrays returns the claimed notes that are gone and hold one of the lines. All
// are looked for unless they were since looked, because not every news comes in time: a
// polled folder is passed slowly, and messages get lost. After that it is those that
// the watcher or a look has missed.
func (f *Follower) findStrays(ctx context.Context, lines []note.Marker, looked time.Time) ([]Stray, error) {
	wanted := make(map[string]bool)
	for _, m := range lines {
		wanted[note.FoldHead(m.Text)] = true
	}
	now, all := time.Now(), !f.swept.After(looked) || !f.vault.IsWatched()
	candidates := f.suspects
	if all {
		candidates = f.tracked
		f.trail.Sweep()
	}
	var strays []Stray
	for rel := range maps.Clone(candidates) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !f.IsGone(rel) {
			delete(f.suspects, rel)
			f.absent.Stands(rel)
			continue
		}
		if !f.suspects[rel] {
			f.trail.Went(rel)
		}
		f.suspects[rel] = true
		f.absent.UntilGone(rel)
		claims, err := f.ReadClaims(ctx, rel)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			if lines == nil || wanted[note.FoldHead(c.Marker.Text)] {
				strays = append(strays, Stray{File: rel, Claims: claims})
				break
			}
		}
	}
	if all {
		f.swept = now
	}
	return strays, nil
}

// findSettling returns the notes with settling markers that may be those of strays.
func (f *Follower) findSettling(ctx context.Context, strays []Stray) ([]Find, error) {
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
	var finds []Find
	for _, rel := range f.opts.Settling.NotesWith(wanted) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		claims, err := f.ReadClaims(ctx, rel)
		if err != nil {
			return nil, err
		}
		src, err := f.opts.Disk.Read(rel)
		if err != nil {
			continue // it is going as well; its own look deals with that
		}
		markers := f.opts.Parse(src, claims, asked).Markers
		finds = append(finds, Find{File: rel, Free: PairClaims(markers, claims).Free, Markers: markers})
	}
	return finds, nil
}

// takeBack takes the questions back that were followed from a note which stands again, as far as it has them. It reports
// whether there was one.
func (f *Follower) takeBack(ctx context.Context, rel string, src []byte, claims []journal.Claim) (some bool, err error) {
	left := f.absent.Left(rel)
	var asked []journal.Claim
	for to := range maps.Values(left) {
		if slices.ContainsFunc(asked, func(c journal.Claim) bool { return c.File == to }) {
			continue
		}
		there, err := f.ReadClaims(ctx, to)
		if err != nil {
			return false, err
		}
		asked = append(asked, slices.DeleteFunc(there, func(c journal.Claim) bool { return left[c.Dispatch] == "" })...)
	}
	if len(asked) == 0 {
		return false, nil
	}
	markers := f.opts.Parse(src, slices.Concat(claims, asked), nil).Markers
	finds := []Find{{File: rel, Free: PairClaims(markers, claims).Free, Markers: markers}}
	for _, m := range MatchMoves([]Stray{{File: rel, Claims: asked}}, finds) {
		ok, err := f.opts.Journal.Move(ctx, m.Dispatch, rel, CountLines(markers))
		if errors.Is(err, journal.ErrState) || err == nil && !ok {
			continue // it has ended, or its place is taken
		}
		if err != nil {
			return some, fmt.Errorf("take a question back to %s: %w", rel, err)
		}
		some = true
		f.absent.Returned(rel, m.Dispatch)
		f.tracked[rel] = true
		f.withdrawArrivals(rel, m.Markers)
		f.opts.Settling.ForgetStarted(rel, m.Markers)
		f.vault.QuestionMoved(m.Dispatch, rel)
		f.vault.LookAgain(left[m.Dispatch])
		f.opts.Log.Info("a question is back in its note", "dispatch", m.Dispatch, "note", rel)
	}
	return some, nil
}

// withdrawArrivals counts markers no more that are those of a note under another name.
func (f *Follower) withdrawArrivals(rel string, markers []note.Marker) {
	for _, m := range markers {
		f.opts.Arrivals.Withdraw(f.opts.Settling.Arrival(rel, m))
	}
}

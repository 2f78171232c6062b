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
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/vault/noteindex"
)

// followQuestions takes the dispatches of gone notes along to a note where their questions are
// now, if one of the given lines of it may be such a question. looked is when the lines were
// looked at first: a note that was there since has not become theirs. It reports whether there
// was one.
func (f *Follower) followQuestions(ctx context.Context, rel string, lines []note.Marker, looked time.Time) (bool, error) {
	keys := find.KeysBeside(tracesOf(lines)...)
	if err := f.sweep(ctx, rel, keys, looked); err != nil {
		return false, err
	}
	if notes, crowded := f.memory.suspects.WithAny(keys, "", f.mostAlike); len(notes)+len(crowded) == 0 {
		return false, nil
	}
	for _, end := range noteindex.Ends(rel) { // the longest first: names decide, as they do in [MatchMoves]
		notes, crowded := f.memory.suspects.WithAny(keys, end, f.mostAlike)
		if len(notes) == 0 {
			continue
		}
		strays, finds, wanted, crowdedToo, err := f.gatherRivals(ctx, rel, notes, slices.Clone(keys), end, looked)
		if err != nil {
			return false, err
		}
		isRare, isRareToo := findRare(keys, crowded), findRare(wanted, crowdedToo)
		some, err := f.takeStrays(ctx, strays, finds, rel, func(m Move, claims []journal.Claim) bool {
			return isRare(tracesOf(m.Markers)) && isRareToo(Traces(claims))
		})
		if some || err != nil {
			return some, err
		}
	}
	return false, nil // too many candidates: no guess
}

// takeStrays moves the questions of gone notes to the notes that have them now. With a rel it
// moves only certain ones, and only to the note at rel, and waits for a note that may yet come
// back.
func (f *Follower) takeStrays(ctx context.Context, strays []Stray, finds []Find, rel string, isCertain func(m Move, claims []journal.Claim) bool) (some bool, err error) {
	from := make(map[string]string) // where the dispatches were
	claims := make(map[string][]journal.Claim)
	for _, s := range strays {
		for _, c := range s.Claims {
			from[c.Dispatch], claims[c.Dispatch] = s.File, append(claims[c.Dispatch], c)
		}
	}
	for _, m := range MatchMoves(strays, finds) {
		to := finds[m.Target]
		if rel != "" && (to.File != rel || !isCertain(m, claims[m.Dispatch])) {
			continue // this match belongs to another note, or is uncertain
		}
		if wait := f.memory.UntilGone(from[m.Dispatch]); wait > 0 && rel != "" {
			f.memory.Wait(m.Markers)
			f.vault.LookAt(to.File, time.Now().Add(wait))
			continue
		}
		moved, err := f.takeAlong(ctx, m, to)
		if err != nil {
			return some, err
		}
		if moved {
			some = true
			f.memory.Lost(from[m.Dispatch], to.File, m.Dispatch)
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
	f.memory.Track(to.File)
	f.withdrawArrivals(to.File, m.Markers)
	f.opts.Settling.ForgetStarted(to.File, m.Markers)
	f.vault.QuestionMoved(m.Dispatch, to.File)
	f.opts.Log.Info("followed a question to another note", "dispatch", m.Dispatch, "note", to.File)
	return true, nil
}

// takeNote takes along what is known of the note that this one was before, if that is gone. It
// reports whether there was one.
func (f *Follower) takeNote(ctx context.Context, rel string, page *note.Page, claims []journal.Claim) (bool, error) {
	from, err := f.trail.Find(ctx, rel, page.Text, claims)
	if err != nil || from == "" {
		return false, err
	}
	open, err := f.ReadClaims(ctx, from)
	if err != nil {
		return false, err
	}
	if wait := f.memory.UntilGone(from); wait > 0 {
		f.undecided = time.Now().Add(wait)
		f.vault.LookAt(rel, f.undecided)
		return false, nil
	}
	if original, _, _ := f.opts.Copied.FindVersion(rel, f.opts.Settling.Wait); original != "" {
		return false, nil
	}
	markers := f.opts.Parse(page, slices.Concat(claims, open), nil).Markers
	moved, err := f.opts.Journal.MoveNote(ctx, f.opts.Root, from, rel, CountLines(markers))
	if err != nil {
		return false, err
	}
	for _, d := range moved {
		f.memory.Lost(from, rel, d.ID)
		f.vault.QuestionMoved(d.ID, rel)
	}
	f.trail.Followed(from, rel)
	f.memory.Track(rel)
	f.withdrawArrivals(rel, markers)
	f.opts.Log.Info("followed a note to another name", "note", rel, "was", from, "dispatches", len(moved))
	return true, f.vault.NoteRenamed(ctx, from)
}

// readUnread reads the claims that may be others than when they were read last.
func (f *Follower) readUnread(ctx context.Context) error {
	for c := f.memory; len(c.unread) > 0; c.unread = c.unread[1:] {
		if rel := c.unread[0]; c.Of(rel).isUnread {
			if _, err := f.ReadClaims(ctx, rel); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweep looks for notes whose claims may have one of the keys, unless it did so after looked, and
// for notes that were answered lately. For keys that are not due again yet, it looks only for
// notes that may have had the name of the note at rel.
func (f *Follower) sweep(ctx context.Context, rel string, keys []string, looked time.Time) error {
	f.trail.Sweep()
	now := time.Now()
	due, soon := f.memory.NotSwept(keys, looked, f.vault.IsWatched())
	for _, key := range due {
		if err := f.checkAll(ctx, f.memory.index.With(key, "")); err != nil {
			return err
		}
	}
	for _, key := range soon {
		if err := f.checkAll(ctx, f.memory.WithEnd(key, rel)); err != nil {
			return err
		}
	}
	f.memory.Swept(due, now)
	return nil
}

// checkAll is checkGone for each of the notes.
func (f *Follower) checkAll(ctx context.Context, notes map[string]bool) error {
	for rel := range maps.Clone(notes) {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.checkGone(rel)
	}
	return nil
}

// checkGone looks whether a note with claims is gone, and reports it.
func (f *Follower) checkGone(rel string) bool {
	if !f.IsGone(rel) {
		f.memory.Found(rel)
		f.memory.Stands(rel)
		return false
	}
	if !f.memory.Of(rel).isSuspect {
		f.trail.Went(rel)
	}
	f.memory.Suspect(rel)
	f.memory.UntilGone(rel)
	return true
}

// findStrays returns those of the notes that are gone, with their claims.
func (f *Follower) findStrays(ctx context.Context, notes []string) (strays []Stray, err error) {
	for _, rel := range notes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !f.checkGone(rel) {
			continue
		}
		claims, err := f.ReadClaims(ctx, rel)
		if err != nil {
			return nil, err
		}
		if len(claims) > 0 {
			strays = append(strays, Stray{File: rel, Claims: claims})
		}
	}
	return strays, nil
}

// readFinds returns those of the notes that are there, with the markers in which the questions of
// strays may be.
func (f *Follower) readFinds(ctx context.Context, notes []string, strays []Stray) (finds []Find, err error) {
	asked := make(map[string]map[string]bool) // by their first lines
	for _, s := range strays {
		for _, c := range s.Claims {
			head := note.FoldHead(c.Marker.Text)
			if asked[head] == nil {
				asked[head] = make(map[string]bool)
			}
			asked[head][note.UnifyLineEnds(c.Marker.Text)] = true
		}
	}
	for _, rel := range notes {
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
		markers := f.opts.Parse(note.NewPage(src), claims, asked).Markers
		finds = append(finds, Find{File: rel, Free: PairClaims(markers, claims).Free, Markers: markers})
	}
	return finds, nil
}

// takeBack moves questions that were followed from a note back to it, since the note is there
// again, as far as it has them. It reports whether it moved any.
func (f *Follower) takeBack(ctx context.Context, rel string, page *note.Page, claims []journal.Claim) (some bool, err error) {
	left := f.memory.Left(rel)
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
	markers := f.opts.Parse(page, slices.Concat(claims, asked), nil).Markers
	finds := []Find{{File: rel, Free: PairClaims(markers, claims).Free, Markers: markers}}
	for _, m := range MatchMoves([]Stray{{File: rel, Claims: asked}}, finds) {
		moved, err := f.takeAlong(ctx, m, finds[0])
		if err != nil {
			return some, err
		}
		if moved {
			some = true
			f.memory.Returned(rel, m.Dispatch)
			f.vault.LookAt(left[m.Dispatch], time.Now())
		}
	}
	return some, nil
}

// withdrawArrivals stops counting the markers of a note that only has another name.
func (f *Follower) withdrawArrivals(rel string, markers []note.Marker) {
	for _, m := range markers {
		f.opts.Arrivals.Withdraw(f.opts.Settling.Arrival(rel, m))
	}
}

// Undecided is when it will be known whether the note read last is a renamed one; zero = it is known.
func (f *Follower) Undecided() time.Time { return f.undecided }

package vault

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/arrival"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/rested"
)

// The journal remembers the lines that notes from elsewhere had; engine/vault/arrival says
// which of them wait for a person.

// unpackingTime is how long a note that has just appeared may go on being written by
// whoever brought it, a sync program or a clipper: four times as long as a line
// settles, which is 10 s.
func (v *Vault) unpackingTime() time.Duration { return 4 * v.settling.Wait }

// findAlike is what is remembered of a note that may be a known one under a new name: one that
// had the same lines and is gone. Then no line comes with it that had not come before; else it is
// [arrival.New] where it is untrusted. What somebody else has written stays theirs in a place that is
// trusted, also as a copy. The caller holds mu.
func (v *Vault) findAlike(ctx context.Context, s Save, src []byte, markers []note.Marker, untrusted bool) (journal.Arrival, error) {
	now := arrival.New(s.Rel, s.Seen, src)
	if len(markers) > 0 {
		alike, err := v.opts.Journal.ArrivalsWithLines(ctx, v.Root, now.Lines)
		for _, a := range alike {
			if !untrusted && a.Kind == journal.ForUntrusted || v.isGone(a.File) {
				a.File = s.Rel
				return a, err
			}
		}
		if err != nil || !untrusted {
			return journal.Arrival{}, err
		}
	}
	return now, nil
}

// isUntrusted reports whether the markers that come with a note wait for a person.
func (v *Vault) isUntrusted(rel string, src []byte) bool {
	return glob.Match(v.opts.Config.Untrusted, rel) || arrival.IsClipped(src)
}

// isUntrustedItself is isUntrusted for a note without the answers that were written into it: a source or tag that
// an answer names is none of the note's own. While an answer is being written it may be too early to tell.
func (v *Vault) isUntrustedItself(ctx context.Context, rel string, src []byte) (untrusted, early bool, err error) {
	if !bytes.Contains(src, []byte("<!--")) || glob.Match(v.opts.Config.Untrusted, rel) {
		return true, false, nil
	}
	claims, err := v.opts.Journal.Claims(ctx, v.Root, rel) // before what was written: none is missed in between
	if err != nil {
		return true, false, err
	}
	written, err := v.opts.Journal.WrittenInto(ctx, v.Root, rel)
	untrusted = arrival.IsClipped(arrival.CutAnswers(src, written))
	return untrusted, slices.ContainsFunc(claims, func(c journal.Claim) bool { return c.Answered }), err
}

// recordArrival returns which lines of a note wait for a person if they are markers, and
// why; it remembers the note as it is now. The caller holds mu.
func (v *Vault) recordArrival(ctx context.Context, s Save, src []byte, doc note.Doc) (journal.Arrival, error) {
	untrusted := v.isUntrusted(s.Rel, src)
	if !untrusted && len(doc.Markers) == 0 {
		return journal.Arrival{}, nil
	}
	a, known, err := v.opts.Journal.Arrival(ctx, v.Root, s.Rel)
	if err != nil {
		return a, err
	}
	if a.Kind == copies.Kind {
		a, known = journal.Arrival{}, false
	}
	if untrusted && !known {
		var early bool
		switch untrusted, early, err = v.isUntrustedItself(ctx, s.Rel, src); {
		case err != nil || !untrusted && len(doc.Markers) == 0:
			return a, err
		case untrusted && early:
			return arrival.New(s.Rel, s.Seen, src), nil // the next look remembers it
		}
	}
	next := a
	switch {
	case untrusted && known:
		if v.departed[s.Rel] {
			a.Seen = s.Seen // whoever brings it back may bring other lines
			delete(v.departed, s.Rel)
		}
		next = arrival.Grow(a, s.Seen.Sub(a.Seen) < v.unpackingTime(), src, doc.Markers)
	case untrusted:
		next, err = v.findAlike(ctx, s, src, doc.Markers, true)
	case !known && !v.met && len(doc.Markers) > FewMarkers:
		next = arrival.OfVault(s.Rel, s.Seen, doc.Markers)
	case !known && (s.New || s.Trigger == "scan"):
		next, err = v.findAlike(ctx, s, src, doc.Markers, false)
	}
	if err != nil {
		return a, err
	}
	if !bytes.Equal(next.Lines, a.Lines) || !bytes.Equal(next.Came, a.Came) {
		err = v.opts.Journal.SetArrival(ctx, v.Root, next)
	}
	return next, err
}

// notePlain notes whether there is nothing in a note that a look does something about. The caller
// holds mu.
func (v *Vault) notePlain(rel string, raw []byte, claims []journal.Claim) {
	v.plain = ""
	if v.met && len(claims) == 0 && rested.IsPlain(raw) && !v.isUntrusted(rel, raw) {
		v.plain = rel
	}
}

const (
	forgetEvery  = 24 * time.Hour
	forgetAfter  = 10 * time.Minute   // from the start, when the notes that were renamed meanwhile have been found
	keepArrivals = 7 * 24 * time.Hour // from when they came
)

// forgetGone forgets what is remembered of the arrival of notes that are gone, but for what came
// within [keepArrivals]: a sync program may bring it back, and a renamed note is still to be
// recognised. Where the folder does not answer nothing is gone. It touches the disk.
func (v *Vault) forgetGone(ctx context.Context, now time.Time) error {
	if !swap.Reachable(v.Root) {
		return nil
	}
	return v.opts.Journal.ForgetArrivals(ctx, v.Root, now.Add(-keepArrivals), func(rel string) bool {
		_, err := v.Stat(rel)
		return isNotExist(err)
	})
}

// FewMarkers is how many markers a vault may hold when it is first watched to be
// answered without a word. More of them were hardly all meant for this program
// today, and could cost their owner money.
const FewMarkers = 10

// retryWhileJudging is how soon a note that was saved while its vault was being met is
// looked at again.
const retryWhileJudging = 100 * time.Millisecond

// judgeOldMarkers decides, once in the life of a vault, whether the markers it has when it is
// first watched may start. Until then nothing in it does. standing names those of
// its notes that were not written since it was given to an engine.
func (v *Vault) judgeOldMarkers(ctx context.Context, notes, standing []string) error {
	if v.isMet() {
		return nil
	}
	isOld := make(map[string]bool, len(standing))
	for _, rel := range standing {
		isOld[rel] = true
	}
	var arrivals []journal.Arrival
	old, now := make(map[string]int), time.Now()
	for _, rel := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := v.Read(rel)
		if err != nil {
			continue // its look will find out what is wrong with it
		}
		doc := note.Parse(src)
		markers := doc.Markers
		if v.isUntrusted(rel, src) {
			arrivals = append(arrivals, arrival.New(rel, now, src))
		} else if len(markers) > 0 && isOld[rel] && !v.isModel(rel, doc) {
			arrivals = append(arrivals, arrival.OfVault(rel, now, markers))
			old[rel] = len(markers)
		}
	}
	return v.whileLocked(func() error { return v.keepMeeting(ctx, now, arrivals, old) })
}

// keepMeeting remembers that the vault was met, and what waits in it: of the notes in old,
// which had so many markers, nothing where these are few or started early. The caller holds mu.
func (v *Vault) keepMeeting(ctx context.Context, now time.Time, arrivals []journal.Arrival, old map[string]int) error {
	count := 0
	for rel, n := range old {
		if n > v.early[rel] {
			count += n
		}
	}
	arrivals = slices.DeleteFunc(arrivals, func(a journal.Arrival) bool {
		return a.Kind == journal.ForOld && (count <= FewMarkers || old[a.File] <= v.early[a.File])
	})
	if err := v.opts.Journal.RecordOldMarkers(ctx, v.Root, now, arrivals); err != nil {
		return fmt.Errorf("meet the vault %s: %w", v.Name, err)
	}
	v.met = true
	if count > FewMarkers {
		v.engine.OldMarkersHeld(v.Name, count)
	}
	return nil
}

// startsEarly reports whether the markers of a note need not wait until the vault was met: it was
// saved since the vault was given to an engine, so they did not stand there before. An edit above an old
// marker looks the same; so they are few, in all such notes together. The caller holds mu.
func (v *Vault) startsEarly(s Save, markers int) bool {
	info, err := v.Stat(s.Rel)
	if s.Trigger == "reconcile" || err != nil || !v.isSinceGiven(info.ModTime()) {
		return false
	}
	others := -v.early[s.Rel]
	for _, n := range v.early {
		others += n
	}
	if others+markers > FewMarkers {
		return false
	}
	v.early[s.Rel] = max(markers, v.early[s.Rel])
	return true
}

package follow

import (
	"context"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/burst"
)

// A selection that is moved into a new note takes its question along, while its old note is still
// there. Note apps write the new note first; so a question that equals one at work elsewhere
// waits until the old one is either gone or clearly kept.

// followSelection takes along the dispatches whose questions have left another note for this new
// one. It returns the markers that are ready without those that were taken along or that wait for
// it.
func (f *Follower) followSelection(ctx context.Context, n Looked, ready []note.Marker) (left []note.Marker, err error) {
	now := time.Now()
	if len(ready) == 0 || !f.opts.Arrivals.IsYoung(n.Rel, now, burst.Within) {
		return ready, nil
	}
	at, equal, err := f.findAtWork(ctx, n.Rel, ready)
	if err != nil || len(equal) == 0 {
		return ready, err
	}
	if until := f.opts.Settling.FirstLook(n.Rel, equal...).Add(f.opts.Settling.Wait + unfinished); !n.Urgent && now.Before(until) {
		n.Recheck(until)
		return without(ready, equal), nil
	}
	to := Find{File: n.Rel, Free: f.dropRivalled(n.Rel, equal, now), Markers: n.Doc.Markers}
	for _, m := range MatchSelection(f.findLeft(at, f.opts.Settling.FirstLook(n.Rel, equal...)), to) {
		moved, err := f.takeAlong(ctx, m, to)
		if err != nil {
			return ready, err
		}
		if moved {
			ready = without(ready, m.Markers)
		}
	}
	return ready, nil
}

func without(markers, some []note.Marker) []note.Marker {
	return slices.DeleteFunc(slices.Clone(markers), func(m note.Marker) bool {
		return slices.ContainsFunc(some, func(o note.Marker) bool { return o.Span == m.Span })
	})
}

// findAtWork returns the claims of other notes in which one of the markers is at work, and these
// markers. A marker that was in its note before an equal one was accepted in another has not come
// from there, or not for certain.
func (f *Follower) findAtWork(ctx context.Context, rel string, markers []note.Marker) (at map[string][]journal.Claim, equal []note.Marker, err error) {
	claims, err := f.readAlike(ctx, markers)
	if err != nil {
		return nil, nil, err
	}
	came := make(map[string]time.Time) // by the text, when the last of the markers was looked at first
	at = make(map[string][]journal.Claim)
	for _, m := range markers {
		fold := note.Fold(m.Text)
		if looked := f.opts.Settling.FirstLook(rel, m).Truncate(time.Millisecond); came[fold].IsZero() || looked.After(came[fold]) {
			came[fold] = looked
		}
	}
	working, later := make(map[string]bool), make(map[string]bool)
	for _, c := range claims {
		fold := note.Fold(c.Marker.Text)
		looked, known := came[fold]
		switch {
		case !known || c.File == rel || !c.Trace().Folds:
		case c.Accepted.Before(looked):
			at[c.File], working[fold] = nil, true
		default:
			later[fold] = true
		}
	}
	for _, c := range claims {
		if list, known := at[c.File]; known {
			at[c.File] = append(list, c)
		}
	}
	for _, m := range markers {
		if fold := note.Fold(m.Text); working[fold] && !later[fold] {
			equal = append(equal, m)
		}
	}
	return at, equal, nil
}

// readAlike returns the claims of the notes that have a claim with the first line of one of the
// markers, and that are not known to be gone: those are searched later. A line that is at work in
// too many notes is left out.
func (f *Follower) readAlike(ctx context.Context, markers []note.Marker) (all []journal.Claim, err error) {
	notes := make(map[string]bool)
	for _, m := range markers {
		some := make(map[string]bool)
		for rel := range f.memory.index.With(note.FoldHead(m.Text), "") {
			if !f.IsSought(rel) {
				some[rel] = true
			}
			if len(some) > mostAlike {
				clear(some)
				break
			}
		}
		maps.Copy(notes, some)
	}
	for _, rel := range slices.Sorted(maps.Keys(notes)) {
		claims, err := f.ReadClaims(ctx, rel)
		if err != nil {
			return nil, err
		}
		all = append(all, claims...)
	}
	return all, nil
}

// dropRivalled returns the markers of a new note, except those that another new note with the
// same wait has too, or that very many notes have: it does not guess which note was the target.
func (f *Follower) dropRivalled(rel string, equal []note.Marker, now time.Time) []note.Marker {
	return slices.DeleteFunc(slices.Clone(equal), func(m note.Marker) bool {
		rivals, crowded := f.opts.Settling.NotesWith([]string{note.FoldHead(m.Text)}, "", mostAlike)
		return len(crowded) > 0 || slices.ContainsFunc(rivals, func(other string) bool {
			return other != rel && f.opts.Arrivals.IsYoung(other, now, burst.Within) && !f.IsGone(other)
		})
	})
}

// findLeft returns the claims whose lines have left their notes, which are still there. A note
// that has a question from after since may have been edited at the claimed line, and has lost no
// question for certain.
func (f *Follower) findLeft(at map[string][]journal.Claim, since time.Time) (strays []Stray) {
	for rel, claims := range at {
		src, err := f.opts.Disk.Read(rel)
		if err != nil || len(claims) == 0 {
			continue // its own look deals with that
		}
		found := PairClaims(f.opts.Parse(note.NewPage(src), claims, nil).Markers, claims)
		if f.hasNew(rel, found, since) {
			continue
		}
		stray := Stray{File: rel}
		open := make(map[string]int) // by dispatch
		for _, c := range claims {
			open[c.Dispatch]++
		}
		for _, c := range claims {
			if len(found.Orphans[c.Dispatch]) == open[c.Dispatch] {
				stray.Claims = append(stray.Claims, c)
			}
		}
		strays = append(strays, stray)
	}
	return strays
}

// hasNew reports whether a note has a marker that no look has found free before since.
func (f *Follower) hasNew(rel string, found Pairs, since time.Time) bool {
	if slices.ContainsFunc(found.Free, func(m note.Marker) bool {
		looked := f.opts.Settling.FirstLook(rel, m)
		return looked.IsZero() || looked.After(since)
	}) {
		return true
	}
	for _, c := range found.Claimed {
		if c.Accepted.After(since) {
			return true
		}
	}
	return false
}

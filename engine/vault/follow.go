package vault

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// A note that is renamed or moved is one that goes and one that comes. Its
// questions go along: a free marker that has the line and the surroundings of a
// claim whose note is gone is the claimed one.

// FollowFor is how long the questions of a note that is gone are looked for in
// other notes before they are given up.
const FollowFor = 60 * time.Second

// stray is a claimed note that is gone.
type stray struct {
	file   string
	claims []journal.Claim
}

// find is a note with free markers.
type find struct {
	file    string
	free    []note.Marker
	markers []note.Marker // all of the note
}

// move is a dispatch and the note its question is in now.
type move struct {
	dispatch string
	to       int // index of the find
	markers  []note.Marker
}

// place is where a marker is in a find.
type place struct {
	find int
	span note.Span
}

// matchMoves says which dispatches of gone notes have come to which note. All open
// questions of a dispatch must be found in one note, each with its line and its
// surroundings. Where that fits more than once, as it does for notes made from one
// template, the names decide: a note that kept its own and its folder's before one
// that kept its own. What still fits in two notes, or two of different notes that fit
// one marker, is not guessed.
func matchMoves(strays []stray, finds []find) []move {
	strays, finds = slices.Clone(strays), slices.Clone(finds)
	deepest := 0
	for _, s := range strays {
		deepest = max(deepest, 1+strings.Count(s.file, "/"))
	}
	var moves []move
	for names := deepest; names >= 0; names-- {
		moved, taken := make(map[string]bool), make(map[place]bool)
		for _, m := range findUndisputed(strays, finds, names) {
			moves = append(moves, m)
			moved[m.dispatch] = true
			for _, marker := range m.markers {
				taken[place{m.to, marker.Span}] = true
			}
		}
		if len(moved) == 0 {
			continue
		}
		for i, s := range strays {
			strays[i].claims = slices.DeleteFunc(slices.Clone(s.claims), func(c journal.Claim) bool { return moved[c.Dispatch] })
		}
		for i, f := range finds {
			finds[i].free = slices.DeleteFunc(slices.Clone(f.free), func(m note.Marker) bool { return taken[place{i, m.Span}] })
		}
	}
	return moves
}

// sameNames counts the last names of two paths that are the same.
func sameNames(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(as), len(bs)) && as[len(as)-1-n] == bs[len(bs)-1-n] {
		n++
	}
	return n
}

// findUndisputed is matchMoves for notes that kept at least so many names.
func findUndisputed(strays []stray, finds []find, names int) []move {
	wanted := make(map[place]map[string]bool) // by which files
	fits := make(map[string][]move)
	var order []string
	withLine := make(map[string][]int) // finds by the lines of their free markers, in order
	for f, found := range finds {
		for _, m := range found.free {
			if at := withLine[m.Text]; len(at) == 0 || at[len(at)-1] != f {
				withLine[m.Text] = append(at, f)
			}
		}
	}
	for _, s := range strays {
		for _, f := range findCandidates(s, withLine) {
			found := finds[f]
			if sameNames(s.file, found.file) < names {
				continue
			}
			for id, markers := range fitClaims(s.claims, found.free) {
				if fits[id] == nil {
					order = append(order, id)
				}
				fits[id] = append(fits[id], move{id, f, markers})
				for _, m := range markers {
					at := place{f, m.Span}
					if wanted[at] == nil {
						wanted[at] = make(map[string]bool)
					}
					wanted[at][s.file] = true
				}
			}
		}
	}
	var moves []move
	for _, id := range order {
		contested := len(fits[id]) > 1
		for _, m := range fits[id][0].markers {
			contested = contested || len(wanted[place{fits[id][0].to, m.Span}]) > 1
		}
		if !contested {
			moves = append(moves, fits[id][0])
		}
	}
	return moves
}

// findCandidates returns the finds that have a line of a stray.
func findCandidates(s stray, withLine map[string][]int) []int {
	var all []int
	for _, c := range s.claims {
		all = append(all, withLine[c.Marker.Text]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fitClaims returns the markers that the claims of a note have become, for each
// dispatch all of whose claims are found; of a cancelled one some will do, because
// it keeps claims on lines that are gone.
func fitClaims(claims []journal.Claim, free []note.Marker) map[string][]note.Marker {
	traces := make([]note.Trace, len(claims))
	for i, c := range claims {
		traces[i] = c.Marker.Trace
	}
	fits, lost := make(map[string][]note.Marker), make(map[string]bool)
	for i, at := range note.Match(free, traces) {
		if at < 0 || !isSurrounded(free[at], traces[i]) {
			lost[claims[i].Dispatch] = lost[claims[i].Dispatch] || claims[i].Status != journal.Cancelled
			continue
		}
		fits[claims[i].Dispatch] = append(fits[claims[i].Dispatch], free[at])
	}
	for id, all := range lost {
		if all {
			delete(fits, id)
		}
	}
	return fits
}

// isSurrounded reports whether a marker stands where a claimed one stood: between
// the same neighbours, or beside one of them when the note was edited there.
func isSurrounded(m note.Marker, t note.Trace) bool {
	return t.IsBeside(m) || m.Before == t.Before && m.After == t.After
}

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
	some := false
	for _, m := range matchMoves(strays, finds) {
		to := finds[m.to]
		ok, err := v.opts.Journal.Move(ctx, m.dispatch, to.file, CountLines(to.markers))
		if errors.Is(err, journal.ErrState) || err == nil && !ok {
			continue // it has ended, or its place is taken
		}
		if err != nil {
			return some, fmt.Errorf("follow a question to %s: %w", to.file, err)
		}
		some = true
		v.tracked[to.file] = true
		v.settling.forgetStarted(to.file, m.markers)
		v.port.Moved(m.dispatch, to.file)
		v.log.Info("followed a question to another note", "dispatch", m.dispatch, "note", to.file)
	}
	return some, nil
}

// findStrays returns the claimed notes that are gone and hold one of the lines. All
// are looked for unless they were since looked, because not every news comes in time: a
// polled folder is passed slowly, and messages get lost. After that it is those that
// the watcher or a look has missed.
func (v *Vault) findStrays(ctx context.Context, lines []note.Marker, looked time.Time) ([]stray, error) {
	wanted := make(map[string]bool)
	for _, m := range lines {
		wanted[m.Text] = true
	}
	now, all := time.Now(), !v.swept.After(looked) || !v.IsWatched()
	candidates := v.suspects
	if all {
		candidates = v.tracked
	}
	var strays []stray
	for rel := range maps.Clone(candidates) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !v.isGone(rel) {
			delete(v.suspects, rel)
			continue
		}
		v.suspects[rel] = true
		claims, err := v.readClaims(ctx, rel)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			if lines == nil || wanted[c.Marker.Text] {
				strays = append(strays, stray{rel, claims})
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
func (v *Vault) findSettling(ctx context.Context, strays []stray) ([]find, error) {
	wanted := make(map[string]bool)
	for _, s := range strays {
		for _, c := range s.claims {
			wanted[c.Marker.Text] = true
		}
	}
	var finds []find
	for _, rel := range v.settling.notesWith(wanted) {
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
		markers := note.Parse(src).Markers
		finds = append(finds, find{rel, PairClaims(markers, claims).Free, markers})
	}
	return finds, nil
}

// isGone reports whether there is no note at a path any more. Where case does not
// count, a note that was renamed to another case still answers to its old name.
// The caller holds mu.
func (v *Vault) isGone(rel string) bool {
	info, err := v.Stat(rel)
	if err != nil {
		return isNotExist(err)
	}
	for other := range v.settling.listSpellings(rel) {
		if other != rel {
			same, err := v.Stat(other)
			return err == nil && os.SameFile(info, same)
		}
	}
	return false
}

func (v *Vault) Stat(rel string) (os.FileInfo, error) {
	return os.Lstat(filepath.Join(v.Root, filepath.FromSlash(rel)))
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
	_, err := v.withdrawChanged(ctx, rel, nil, claims)
	return err
}

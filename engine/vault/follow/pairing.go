package follow

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// This file says which marker of a note belongs to which dispatch, and where the questions of a note that was renamed or moved
// are now. It reads no file and asks no clock.

// Pairs say which markers of a note are claimed by which dispatch.
type Pairs struct {
	Free    []note.Marker                // markers without a claim
	Claimed map[note.Span]*journal.Claim // by the marker's place in the note
	Orphans map[string][]journal.Claim   // claims whose line is gone, by dispatch
}

// PairClaims finds the marker of every claim of a note. It tells equal lines apart by their
// neighbours: the same words under another heading are another question. A claim that waits for its
// agent or its answer keeps its marker when only white space changes ([find.Match]).
func PairClaims(markers []note.Marker, claims []journal.Claim) Pairs {
	p := Pairs{Claimed: make(map[note.Span]*journal.Claim), Orphans: make(map[string][]journal.Claim)}
	for i, at := range find.Match(markers, Traces(claims)) {
		if at < 0 {
			id := claims[i].Dispatch
			p.Orphans[id] = append(p.Orphans[id], claims[i])
			continue
		}
		p.Claimed[markers[at].Span] = &claims[i]
	}
	for _, m := range markers {
		if p.Claimed[m.Span] == nil {
			p.Free = append(p.Free, m)
		}
	}
	return p
}

// WasEdited reports whether one of the lost claims was turned into another marker. That is so if a
// fresh marker, which is free, is on the line of the claim or beside one of its neighbours. It is also
// so if a free marker differs only in white space or in its quotes and lists, since too many markers
// differ so to tell which is the claimed one.
func WasEdited(lost []journal.Claim, fresh, free []note.Marker) bool {
	folded := make(map[string]bool, len(free))
	for _, m := range free {
		folded[note.Fold(m.Text)] = true
	}
	for _, c := range lost {
		at := c.Trace()
		if at.Folds && folded[note.Fold(at.Text)] {
			return true
		}
		for _, m := range fresh {
			if m.Line == at.Line || find.IsBeside(m, at) {
				return true
			}
		}
	}
	return false
}

// CountLines counts the byte-equal questions of a note.
func CountLines(markers []note.Marker) map[string]int {
	n := make(map[string]int)
	for _, m := range markers {
		n[m.Text]++
	}
	return n
}

// Traces returns the memory of the markers that are claimed.
func Traces(claims []journal.Claim) []note.Trace {
	traces := make([]note.Trace, len(claims))
	for i, c := range claims {
		traces[i] = c.Trace()
	}
	return traces
}

func tracesOf(markers []note.Marker) []note.Trace {
	traces := make([]note.Trace, len(markers))
	for i, m := range markers {
		traces[i] = m.Trace()
	}
	return traces
}

// Stray is a claimed note that is gone.
type Stray struct {
	File   string
	Claims []journal.Claim
}

// Find is a note with free markers.
type Find struct {
	File    string
	Free    []note.Marker
	Markers []note.Marker // all of the note
}

// Move is a dispatch and the note its question is in now.
type Move struct {
	Dispatch string
	Target   int // index of the find
	Markers  []note.Marker
}

// markerInFind is one marker of one note with free markers.
type markerInFind struct {
	index int // of the find
	span  note.Span
}

// MatchMoves returns the new notes of dispatches whose notes are gone. All open questions of a
// dispatch must be found in one note, each with its line and its surroundings. If several notes fit,
// as notes made from one template do, the names decide: a note that kept its own and its folder's
// before one that kept its own. Matches that are still ambiguous are left alone.
func MatchMoves(strays []Stray, finds []Find) []Move {
	strays, finds = slices.Clone(strays), slices.Clone(finds)
	deepest := 0
	for _, s := range strays {
		deepest = max(deepest, 1+strings.Count(s.File, "/"))
	}
	var moves []Move
	for names := deepest; names >= 0; names-- {
		moved, taken := make(map[string]bool), make(map[markerInFind]bool)
		for _, m := range findUndisputed(strays, finds, names) {
			moves = append(moves, m)
			moved[m.Dispatch] = true
			for _, marker := range m.Markers {
				taken[markerInFind{m.Target, marker.Span}] = true
			}
		}
		if len(moved) == 0 {
			continue
		}
		for i, s := range strays {
			strays[i].Claims = slices.DeleteFunc(slices.Clone(s.Claims), func(c journal.Claim) bool { return moved[c.Dispatch] })
		}
		for i, f := range finds {
			finds[i].Free = slices.DeleteFunc(slices.Clone(f.Free), func(m note.Marker) bool { return taken[markerInFind{i, m.Span}] })
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

// findUndisputed is MatchMoves for notes that kept at least so many names.
func findUndisputed(strays []Stray, finds []Find, names int) []Move {
	wanted := make(map[markerInFind]map[string]bool) // by which files
	fits := make(map[string][]Move)
	var order []string
	withLine := make(map[string][]int) // finds by the first lines of their free markers, in order
	for f, found := range finds {
		for _, m := range found.Free {
			head := note.FoldHead(m.Text)
			if at := withLine[head]; len(at) == 0 || at[len(at)-1] != f {
				withLine[head] = append(at, f)
			}
		}
	}
	for _, s := range strays {
		for _, f := range findCandidates(s, withLine) {
			found := finds[f]
			if sameNames(s.File, found.File) < names {
				continue
			}
			for id, markers := range fitClaims(s.Claims, found.Free) {
				if fits[id] == nil {
					order = append(order, id)
				}
				fits[id] = append(fits[id], Move{id, f, markers})
				for _, m := range markers {
					at := markerInFind{f, m.Span}
					if wanted[at] == nil {
						wanted[at] = make(map[string]bool)
					}
					wanted[at][s.File] = true
				}
			}
		}
	}
	var moves []Move
	for _, id := range order {
		contested := len(fits[id]) > 1
		for _, m := range fits[id][0].Markers {
			contested = contested || len(wanted[markerInFind{fits[id][0].Target, m.Span}]) > 1
		}
		if !contested {
			moves = append(moves, fits[id][0])
		}
	}
	return moves
}

// findCandidates returns the finds that have a line of a stray.
func findCandidates(s Stray, withLine map[string][]int) []int {
	var all []int
	for _, c := range s.Claims {
		all = append(all, withLine[note.FoldHead(c.Marker.Text)]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fitClaims returns the markers that the claims of a note have become, for each
// dispatch all of whose claims are found; of a cancelled one some will do, because
// it keeps claims on lines that are gone.
func fitClaims(claims []journal.Claim, free []note.Marker) map[string][]note.Marker {
	traces := Traces(claims)
	fits, lost := make(map[string][]note.Marker), make(map[string]bool)
	for i, at := range find.Match(free, traces) {
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

// MatchSelection finds the dispatches whose lines have left their notes and have come to a new one,
// with all their open questions. It ignores the old neighbours of the lines, since a selection may
// consist of the lines alone. If two dispatches fit one marker, it takes neither.
func MatchSelection(left []Stray, to Find) (moves []Move) {
	wanted := make(map[note.Span]int)
	for _, s := range left {
		of := make(map[string][]journal.Claim)
		var order []string
		for _, c := range s.Claims {
			if of[c.Dispatch] == nil {
				order = append(order, c.Dispatch)
			}
			of[c.Dispatch] = append(of[c.Dispatch], c)
		}
		for _, id := range order {
			m := Move{Dispatch: id}
			for _, at := range find.Match(to.Free, Traces(of[id])) {
				if at >= 0 {
					m.Markers = append(m.Markers, to.Free[at])
				}
			}
			if len(m.Markers) < len(of[id]) {
				continue
			}
			for _, marker := range m.Markers {
				wanted[marker.Span]++
			}
			moves = append(moves, m)
		}
	}
	return slices.DeleteFunc(moves, func(m Move) bool {
		return slices.ContainsFunc(m.Markers, func(marker note.Marker) bool { return wanted[marker.Span] > 1 })
	})
}

// isSurrounded reports whether a marker is in the place of a claimed one: between the same neighbours,
// or beside one of them when the note was edited there.
func isSurrounded(m note.Marker, t note.Trace) bool {
	return find.IsBeside(m, t) || find.IsBetween(m, t)
}

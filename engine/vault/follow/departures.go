package follow

import (
	"slices"
	"time"

	"vaultdispatcher/engine/note"
)

// departures remembers which notes are gone and for how long, and which questions were followed from
// them, so that these can return. A sync program moves a note aside and puts another version of it in
// its place: https://github.com/abraunegg/onedrive/issues/3439. A note without departures costs
// nothing, and old entries are dropped.
type departures struct {
	*memory
	settle    time.Duration // how long a note is gone before it is believed to be
	keepFor   time.Duration // how long a question may return
	young     []note.Marker // of the note that is looked at, that wait until it is known whether another note is gone
	sweepTime time.Time     // when what is over was forgotten
}

// departure is a dispatch whose question was followed to another note.
type departure struct {
	dispatch, target string
	time             time.Time
}

// newDepartures returns what remembers for these times.
func newDepartures(m *memory, settle, keepFor time.Duration) *departures {
	return &departures{memory: m, settle: settle, keepFor: keepFor}
}

// UntilGone is for how long a note that is not there may yet come back before it is believed to be gone; it is not
// positive when it is.
func (a *departures) UntilGone(rel string) time.Duration {
	since := a.Of(rel).goneSince
	if since.IsZero() {
		since = time.Now()
		a.sweep(since)
		a.Edit(rel, func(s *noteState) { s.goneSince = since })
	}
	return a.settle - time.Since(since)
}

// Stands records that a note is there, or that the search for it is over.
func (a *departures) Stands(rel string) {
	a.Edit(rel, func(s *noteState) { s.goneSince = time.Time{} })
}

// Wait has markers of the note that is looked at wait until it is known whether the note is gone whose they would be.
func (a *departures) Wait(markers []note.Marker) { a.young = append(a.young, markers...) }

// DropWaiting returns the markers of the note except those that wait, and forgets the wait.
func (a *departures) DropWaiting(markers []note.Marker) []note.Marker {
	young := a.young
	a.young = nil
	return slices.DeleteFunc(slices.Clone(markers), func(m note.Marker) bool {
		return slices.ContainsFunc(young, func(y note.Marker) bool { return y.Line == m.Line })
	})
}

// Followed says that the question of a dispatch was followed from one note to another.
func (a *departures) Followed(from, to, dispatch string) {
	a.sweep(time.Now())
	a.Edit(from, func(s *noteState) {
		s.goneSince, s.departures = time.Time{}, append(s.departures, departure{dispatch, to, time.Now()})
	})
}

// Left returns the notes to which questions of this one were followed lately, by the dispatches that
// may return.
func (a *departures) Left(rel string) map[string]string {
	if len(a.Of(rel).departures) == 0 {
		return nil
	}
	a.drop(rel, func(d departure) bool { return time.Since(d.time) > a.keepFor })
	notes := make(map[string]string)
	for _, d := range a.Of(rel).departures {
		notes[d.dispatch] = d.target
	}
	return notes
}

// Returned says that a dispatch is back in a note.
func (a *departures) Returned(rel, dispatch string) {
	a.drop(rel, func(d departure) bool { return d.dispatch == dispatch })
}

func (a *departures) drop(rel string, isOver func(d departure) bool) {
	a.Edit(rel, func(s *noteState) {
		if s.departures = slices.DeleteFunc(s.departures, isOver); len(s.departures) == 0 {
			s.departures = nil
		}
	})
}

// sweep drops old entries that no caller has asked about since: notes that were believed to be gone
// long ago, and questions that may not return any more. It runs at most once in keepFor.
func (a *departures) sweep(now time.Time) {
	if now.Sub(a.sweepTime) < a.keepFor {
		return
	}
	a.sweepTime = now
	for rel, s := range a.All() {
		if !s.goneSince.IsZero() && now.Sub(s.goneSince) > a.settle+2*a.keepFor {
			a.Stands(rel)
		}
		a.drop(rel, func(d departure) bool { return now.Sub(d.time) > a.keepFor })
	}
}

package follow

import (
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/note"
)

// departures remembers which notes are gone and for how long, and which questions were followed from them, so that these can
// go back. A sync program moves a note aside and puts another version of it in its place:
// https://github.com/abraunegg/onedrive/issues/3439. A note without departures costs nothing, and what is over is forgotten.
type departures struct {
	settle  time.Duration            // how long a note is gone before it is believed to be
	keepFor time.Duration            // how long a question may go back
	gone    map[string]time.Time     // since when notes were found to be gone
	left    map[string][]departure   // by the notes that questions were followed from
	young   map[string][]note.Marker // markers that wait until it is known whether another note is gone
	swept   time.Time                // when what is over was forgotten
}

// departure is a dispatch whose question was followed to another note.
type departure struct {
	dispatch, to string
	at           time.Time
}

// newDepartures returns what remembers for these times.
func newDepartures(settle, keepFor time.Duration) *departures {
	return &departures{
		settle: settle, keepFor: keepFor,
		gone: make(map[string]time.Time), left: make(map[string][]departure), young: make(map[string][]note.Marker),
	}
}

// UntilGone is for how long a note that is not there may yet come back before it is believed to be gone; it is not
// positive when it is.
func (a *departures) UntilGone(rel string) time.Duration {
	since, known := a.gone[rel]
	if !known {
		since = time.Now()
		a.sweep(since)
		a.gone[rel] = since
	}
	return a.settle - time.Since(since)
}

// Stands says that a note is there, or that it is looked for no more.
func (a *departures) Stands(rel string) { delete(a.gone, rel) }

// Wait has markers of a note wait until it is known whether the note is gone whose they would be.
func (a *departures) Wait(rel string, markers []note.Marker) {
	a.young[rel] = append(a.young[rel], markers...)
}

// DropWaiting is OmitWaiting, and forgets that they do.
func (a *departures) DropWaiting(rel string, markers []note.Marker) []note.Marker {
	markers = a.OmitWaiting(rel, markers)
	clear(a.young)
	return markers
}

// OmitWaiting returns the markers of a note but for those that wait.
func (a *departures) OmitWaiting(rel string, markers []note.Marker) []note.Marker {
	young := a.young[rel]
	return slices.DeleteFunc(slices.Clone(markers), func(m note.Marker) bool {
		return slices.ContainsFunc(young, func(y note.Marker) bool { return y.Line == m.Line })
	})
}

// Followed says that the question of a dispatch was followed from one note to another.
func (a *departures) Followed(from, to, dispatch string) {
	a.sweep(time.Now())
	a.Stands(from)
	a.left[from] = append(a.left[from], departure{dispatch, to, time.Now()})
}

// Left returns the notes to which questions were followed from this one lately, by the dispatches that may go back.
func (a *departures) Left(rel string) map[string]string {
	left := slices.DeleteFunc(a.left[rel], func(d departure) bool { return time.Since(d.at) > a.keepFor })
	if a.left[rel] = left; len(left) == 0 {
		delete(a.left, rel)
		return nil
	}
	notes := make(map[string]string)
	for _, d := range left {
		notes[d.dispatch] = d.to
	}
	return notes
}

// Returned says that a dispatch is back in a note.
func (a *departures) Returned(rel, dispatch string) {
	left := slices.DeleteFunc(a.left[rel], func(d departure) bool { return d.dispatch == dispatch })
	if a.left[rel] = left; len(left) == 0 {
		delete(a.left, rel)
	}
}

// sweep forgets, once in a while, what nobody has asked about since it was over: notes that were believed to be gone long ago,
// and questions that may not go back any more.
func (a *departures) sweep(now time.Time) {
	if now.Sub(a.swept) < a.keepFor {
		return
	}
	a.swept = now
	maps.DeleteFunc(a.gone, func(_ string, since time.Time) bool { return now.Sub(since) > a.settle+2*a.keepFor })
	maps.DeleteFunc(a.left, func(_ string, left []departure) bool { return now.Sub(left[len(left)-1].at) > a.keepFor })
}

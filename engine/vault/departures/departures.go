// Package departures remembers which notes are gone and for how long, and which questions were followed from them, so
// that these can go back.
//
//	d := departures.New(settle, keepFor)
//	if wait := d.UntilGone("a.md"); wait > 0 { ... }  // it may yet come back
//	d.Followed("a.md", "b.md", dispatch)
//	for dispatch, now := range d.Left("a.md") { ... } // at each look at a note
//
// A sync program moves a note aside and puts another version of it in its place:
// https://github.com/abraunegg/onedrive/issues/3439.
//
// # Promises
//
// It reads no note. One goroutine at a time uses it. A note without departures costs nothing, and what is over is forgotten.
package departures

import (
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/note"
)

// Memory is what is remembered of the notes of a vault.
type Memory struct {
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

// New returns a memory for these times.
func New(settle, keepFor time.Duration) *Memory {
	return &Memory{
		settle: settle, keepFor: keepFor,
		gone: make(map[string]time.Time), left: make(map[string][]departure), young: make(map[string][]note.Marker),
	}
}

// UntilGone is for how long a note that is not there may yet come back before it is believed to be gone; it is not
// positive when it is.
func (m *Memory) UntilGone(rel string) time.Duration {
	since, known := m.gone[rel]
	if !known {
		since = time.Now()
		m.sweep(since)
		m.gone[rel] = since
	}
	return m.settle - time.Since(since)
}

// Stands says that a note is there, or that it is looked for no more.
func (m *Memory) Stands(rel string) { delete(m.gone, rel) }

// Wait has markers of a note wait until it is known whether the note is gone whose they would be.
func (m *Memory) Wait(rel string, markers []note.Marker) {
	m.young[rel] = append(m.young[rel], markers...)
}

// DropWaiting returns the markers of a note but for those that wait, and forgets that they do.
func (m *Memory) DropWaiting(rel string, markers []note.Marker) []note.Marker {
	young := m.young[rel]
	clear(m.young)
	if len(young) == 0 {
		return markers
	}
	return slices.DeleteFunc(markers, func(m note.Marker) bool {
		return slices.ContainsFunc(young, func(y note.Marker) bool { return y.Line == m.Line })
	})
}

// Followed says that the question of a dispatch was followed from one note to another.
func (m *Memory) Followed(from, to, dispatch string) {
	m.sweep(time.Now())
	m.Stands(from)
	m.left[from] = append(m.left[from], departure{dispatch, to, time.Now()})
}

// Left returns the notes to which questions were followed from this one lately, by the dispatches that may go back.
func (m *Memory) Left(rel string) map[string]string {
	left := slices.DeleteFunc(m.left[rel], func(d departure) bool { return time.Since(d.at) > m.keepFor })
	if m.left[rel] = left; len(left) == 0 {
		delete(m.left, rel)
		return nil
	}
	notes := make(map[string]string)
	for _, d := range left {
		notes[d.dispatch] = d.to
	}
	return notes
}

// Returned says that a dispatch is back in a note.
func (m *Memory) Returned(rel, dispatch string) {
	left := slices.DeleteFunc(m.left[rel], func(d departure) bool { return d.dispatch == dispatch })
	if m.left[rel] = left; len(left) == 0 {
		delete(m.left, rel)
	}
}

// sweep forgets, once in a while, what nobody has asked about since it was over: notes that were believed to be gone long ago,
// and questions that may not go back any more.
func (m *Memory) sweep(now time.Time) {
	if now.Sub(m.swept) < m.keepFor {
		return
	}
	m.swept = now
	maps.DeleteFunc(m.gone, func(_ string, since time.Time) bool { return now.Sub(since) > m.settle+2*m.keepFor })
	maps.DeleteFunc(m.left, func(_ string, left []departure) bool { return now.Sub(left[len(left)-1].at) > m.keepFor })
}

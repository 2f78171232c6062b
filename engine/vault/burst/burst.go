// Package burst finds the markers that came many at once, with notes of other people: a clone, an
// unpacked archive, a shared folder. A person who types does not make a burst.
//
// [Watch.Add] counts a marker that was seen for the first time and returns its [Arrival], which says
// for as long as the marker is kept whether it came in a burst. [Watch.TakeLate] returns the markers
// that became dispatches before the burst was one. [Watch.GoBack] counts notes that returned to an
// earlier state, as a backup or a sync tool brings them.
//
// # Promises
//
// It is plain state for one owner: times come in as arguments, in their order, and nothing here waits.
// The cost of adding a marker does not depend on the number of earlier ones. Only markers of the last
// [Within] are remembered.
package burst

import (
	"maps"
	"slices"
	"time"
)

// Within is the time in which markers are counted together.
const Within = time.Minute

// Watch counts the markers of one vault.
type Watch struct {
	fresh, total, returns counter
	notes                 map[string]noteState
	sweepTime             time.Time // when old ones were dropped from these
	stragglers            []string
}

// noteState is what is remembered of a note.
type noteState struct {
	birth      time.Time // when it was first said to be new to the vault; zero = not lately
	newSince   time.Time // when that was said last
	isBlank    bool      // it came without a word, and has none yet
	lastReturn *Arrival  // when it went back last; nil = not lately
}

// New returns a Watch for which more than most markers within [Within] are a burst; 0 is
// never.
func New(most int) *Watch {
	return &Watch{
		fresh:   counter{limit: most, place: func(a *Arrival) *place { return &a.fresh }},
		total:   counter{limit: most, place: func(a *Arrival) *place { return &a.total }},
		returns: counter{limit: most, place: func(a *Arrival) *place { return &a.returns }},
		notes:   make(map[string]noteState),
	}
}

// NoteCame says that a note is new to the vault since a save.
func (w *Watch) NoteCame(note string, saved, now time.Time) {
	w.NoteBirth(note, saved)
	s := w.notes[note]
	s.newSince = now
	w.notes[note] = s
}

// NoteBirth says that a note was not there before. Who says it first is believed: a scan may tell of a note before the
// watcher.
func (w *Watch) NoteBirth(note string, at time.Time) {
	w.dropOld(at)
	if s := w.notes[note]; at.Sub(s.birth) > Within {
		s.birth = at
		w.notes[note] = s
	}
}

// Birth returns when a note was first said to be new; zero is not lately, or that it is gone since.
func (w *Watch) Birth(note string) time.Time { return w.notes[note].birth }

// NoteRead records whether a note has words. An empty note counts as new when it gets words: a sync
// program or a clone may make its files long before it fills them.
func (w *Watch) NoteRead(note string, hasWords bool, at time.Time) {
	switch s := w.notes[note]; {
	case !hasWords && w.IsYoung(note, at, Within):
		s.isBlank = true
		w.notes[note] = s
	case hasWords && s.isBlank:
		w.NoteGone(note)
		w.NoteCame(note, at, at)
	}
}

// NoteGone says that a note is not there any more.
func (w *Watch) NoteGone(note string) {
	if s, known := w.notes[note]; known {
		s.birth, s.isBlank = time.Time{}, false
		w.notes[note] = s
	}
}

// dropOld drops what is old, seldom enough to cost nothing, often enough to stay small.
func (w *Watch) dropOld(now time.Time) {
	if now.Sub(w.sweepTime) < Within {
		return
	}
	maps.DeleteFunc(w.notes, func(_ string, s noteState) bool {
		return !s.isBlank && now.Sub(s.newSince) >= Within && now.Sub(s.birth) > Within && (s.lastReturn == nil || now.Sub(s.lastReturn.time) >= Within)
	})
	w.sweepTime = now
}

// IsYoung reports whether a note is new to the vault since less than a time, which is at
// most [Within].
func (w *Watch) IsYoung(note string, now time.Time, less time.Duration) bool {
	return now.Sub(w.notes[note].newSince) < less
}

// GoBack says that a note holds questions again in the place of their answers. A note counts
// once within [Within].
func (w *Watch) GoBack(note string, at time.Time) {
	w.dropOld(at)
	if w.Back(note, at) == nil {
		s := w.notes[note]
		s.lastReturn = &Arrival{time: at}
		w.notes[note] = s
		w.addLate(w.returns.addArrival(s.lastReturn))
	}
}

// Back returns what [Watch.GoBack] has counted for a note within [Within], or nil.
func (w *Watch) Back(note string, now time.Time) *Arrival {
	if a := w.notes[note].lastReturn; a != nil && now.Sub(a.time) < Within {
		return a
	}
	return nil
}

// IsBack reports whether a note went back within [Within], together with more notes than most.
func (w *Watch) IsBack(note string, now time.Time) bool {
	a := w.Back(note, now)
	return a != nil && a.returns.isBurst
}

// Arrival is one marker that came, or one note that went back.
type Arrival struct {
	time                  time.Time
	fresh, total, returns place
	dispatches            []string
}

// place is what an arrival is in one counter.
type place struct{ counts, isBurst bool }

// Add counts a marker that is seen for the first time. fresh is whether its note is new to the vault;
// a marker added to a known note counts only among all, see [Arrival.IsBurst].
func (w *Watch) Add(at time.Time, fresh bool) *Arrival {
	a := &Arrival{time: at}
	if fresh {
		w.addLate(w.fresh.addArrival(a))
	}
	w.total.addArrival(a)
	return a
}

// IsBurst reports whether more markers than a person writes came within a minute: with
// new notes or, where all is set, with new and known ones together.
func (a *Arrival) IsBurst(all bool) bool {
	return a != nil && (a.fresh.isBurst || all && a.total.isBurst)
}

func (w *Watch) addLate(arrivals []*Arrival) {
	for _, a := range arrivals {
		w.stragglers = append(w.stragglers, a.dispatches...)
	}
}

// Start says that a marker has become a dispatch.
func (a *Arrival) Start(dispatch string) {
	if a != nil && !slices.Contains(a.dispatches, dispatch) {
		a.dispatches = append(a.dispatches, dispatch)
	}
}

// Withdraw stops counting a marker: its note was renamed, or a person asks for it.
func (w *Watch) Withdraw(a *Arrival) {
	if a != nil {
		w.fresh.withdrawArrival(a)
		w.total.withdrawArrival(a)
	}
}

// TakeLate returns, once, the dispatches whose markers turned out to be of a burst after
// they had become one.
func (w *Watch) TakeLate() []string {
	late := w.stragglers
	w.stragglers = nil
	return late
}

// counter counts arrivals of the last [Within]. Each is appended, flagged and dropped once.
type counter struct {
	limit   int
	place   func(*Arrival) *place
	list    []*Arrival // the oldest first
	counted int        // of list, those that were not withdrawn
	flagged int        // how many of list, from the oldest on, are known to be of a burst
}

// addArrival counts one more and returns those that are of a burst by now and were not before.
func (c *counter) addArrival(a *Arrival) (burst []*Arrival) {
	old := 0
	for ; old < len(c.list) && a.time.Sub(c.list[old].time) >= Within; old++ {
		if p := c.place(c.list[old]); p.counts {
			c.counted, p.counts = c.counted-1, false
		}
	}
	c.list = append(c.list[old:], a)
	c.flagged = max(0, c.flagged-old)
	c.counted, c.place(a).counts = c.counted+1, true
	if c.limit == 0 || c.counted <= c.limit {
		return nil
	}
	for _, b := range c.list[c.flagged:] {
		if p := c.place(b); p.counts {
			p.isBurst, burst = true, append(burst, b)
		}
	}
	c.flagged = len(c.list)
	return burst
}

func (c *counter) withdrawArrival(a *Arrival) {
	p := c.place(a)
	if p.counts {
		c.counted--
	}
	*p = place{}
}

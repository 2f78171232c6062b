// Package burst finds out which markers came many at once: with notes that somebody else
// wrote, a clone, an unpacked archive, a shared folder, and not by a person who types.
//
// [Watch.Add] counts a marker that was seen for the first time and returns its [Arrival],
// which says for as long as the marker is kept whether it came in a burst.
// [Watch.TakeLate] returns what had become a dispatch before the burst was one. [Watch.GoBack]
// counts notes of which earlier states came back, as a backup or a sync tool brings them.
//
// # Promises
//
// It is plain state for one owner: times come in as arguments, in their order, and nothing
// here waits. A marker that is added costs the same however many came before it, and what
// is remembered is what came in the last [Within].
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
	fresh, all, back counter
	notes            map[string]noteState
	sweepTime        time.Time // when old ones were dropped from these
	late             []string
}

// noteState is what is remembered of a note.
type noteState struct {
	newSince time.Time // it is new to the vault; zero = it is not
	isBlank  bool      // it came without a word, and has none yet
	back     *Arrival  // when it went back last; nil = not lately
}

// New returns a Watch for which more than most markers within [Within] are a burst; 0 is
// never.
func New(most int) *Watch {
	return &Watch{
		fresh: counter{most: most, in: func(a *Arrival) *place { return &a.fresh }},
		all:   counter{most: most, in: func(a *Arrival) *place { return &a.all }},
		back:  counter{most: most, in: func(a *Arrival) *place { return &a.back }},
		notes: make(map[string]noteState),
	}
}

// NoteCame says that a note is new to the vault.
func (w *Watch) NoteCame(note string, at time.Time) {
	w.dropOld(at)
	s := w.notes[note]
	s.newSince = at
	w.notes[note] = s
}

// NoteRead says whether a note has words. One that came without any is new when it gets them:
// a sync program or a clone may make its files long before it fills them.
func (w *Watch) NoteRead(note string, hasWords bool, at time.Time) {
	switch s := w.notes[note]; {
	case !hasWords && w.IsYoung(note, at, Within):
		s.isBlank = true
		w.notes[note] = s
	case hasWords && s.isBlank:
		w.NoteGone(note)
		w.NoteCame(note, at)
	}
}

// NoteGone says that a note is not there any more.
func (w *Watch) NoteGone(note string) {
	if s, known := w.notes[note]; known {
		s.isBlank = false
		w.notes[note] = s
	}
}

// dropOld drops what is old, seldom enough to cost nothing, often enough to stay small.
func (w *Watch) dropOld(now time.Time) {
	if now.Sub(w.sweepTime) < Within {
		return
	}
	maps.DeleteFunc(w.notes, func(_ string, s noteState) bool {
		return !s.isBlank && now.Sub(s.newSince) >= Within && (s.back == nil || now.Sub(s.back.at) >= Within)
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
		s.back = &Arrival{at: at}
		w.notes[note] = s
		w.addLate(w.back.addArrival(s.back))
	}
}

// Back returns what [Watch.GoBack] has counted for a note within [Within], or nil.
func (w *Watch) Back(note string, now time.Time) *Arrival {
	if a := w.notes[note].back; a != nil && now.Sub(a.at) < Within {
		return a
	}
	return nil
}

// IsBack reports whether a note went back within [Within], together with more notes than most.
func (w *Watch) IsBack(note string, now time.Time) bool {
	a := w.Back(note, now)
	return a != nil && a.back.isBurst
}

// Arrival is one marker that came, or one note that went back.
type Arrival struct {
	at               time.Time
	fresh, all, back place
	dispatches       []string
}

// place is what an arrival is in one counter.
type place struct{ counts, isBurst bool }

// Add counts a marker that is seen for the first time. fresh is whether its note is new to
// the vault; what is added to a known note counts only among all, see [Arrival.IsBurst].
func (w *Watch) Add(at time.Time, fresh bool) *Arrival {
	a := &Arrival{at: at}
	if fresh {
		w.addLate(w.fresh.addArrival(a))
	}
	w.all.addArrival(a)
	return a
}

// IsBurst reports whether more markers than a person writes came within a minute: with
// new notes or, where all is set, with new and known ones together.
func (a *Arrival) IsBurst(all bool) bool {
	return a != nil && (a.fresh.isBurst || all && a.all.isBurst)
}

func (w *Watch) addLate(arrivals []*Arrival) {
	for _, a := range arrivals {
		w.late = append(w.late, a.dispatches...)
	}
}

// Start says that a marker has become a dispatch.
func (a *Arrival) Start(dispatch string) {
	if a != nil && !slices.Contains(a.dispatches, dispatch) {
		a.dispatches = append(a.dispatches, dispatch)
	}
}

// Withdraw counts a marker no more: it is one of a note that was renamed, or a person
// asks for it.
func (w *Watch) Withdraw(a *Arrival) {
	if a != nil {
		w.fresh.withdrawArrival(a)
		w.all.withdrawArrival(a)
	}
}

// TakeLate returns, once, the dispatches whose markers turned out to be of a burst after
// they had become one.
func (w *Watch) TakeLate() []string {
	late := w.late
	w.late = nil
	return late
}

// counter counts arrivals of the last [Within]. Each is appended, flagged and dropped once.
type counter struct {
	most    int
	in      func(*Arrival) *place
	list    []*Arrival // the oldest first
	counted int        // of list, those that were not withdrawn
	flagged int        // how many of list, from the oldest on, are known to be of a burst
}

// addArrival counts one more and returns those that are of a burst by now and were not before.
func (c *counter) addArrival(a *Arrival) (burst []*Arrival) {
	old := 0
	for ; old < len(c.list) && a.at.Sub(c.list[old].at) >= Within; old++ {
		if p := c.in(c.list[old]); p.counts {
			c.counted, p.counts = c.counted-1, false
		}
	}
	c.list = append(c.list[old:], a)
	c.flagged = max(0, c.flagged-old)
	c.counted, c.in(a).counts = c.counted+1, true
	if c.most == 0 || c.counted <= c.most {
		return nil
	}
	for _, b := range c.list[c.flagged:] {
		if p := c.in(b); p.counts {
			p.isBurst, burst = true, append(burst, b)
		}
	}
	c.flagged = len(c.list)
	return burst
}

func (c *counter) withdrawArrival(a *Arrival) {
	p := c.in(a)
	if p.counts {
		c.counted--
	}
	*p = place{}
}

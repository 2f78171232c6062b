package writer

import (
	"context"
	"slices"
)

// writesPerVault is how many notes of one vault are written at once. A write that only waits for
// another program gives its place away and waits in line for the next one, so busy notes delay no
// other. It keeps its note meanwhile: a write with a place never waits for a note, and a write that
// waits for a note has no place.
const writesPerVault = 4

// lane is what is to be written in one vault; the queue's mu guards it.
type lane struct {
	recovery   *recovery       // left by the last engine; nil = nothing
	writes     []*write        // at work, also those that wait for others
	candidates []*entry        // due, in the order of acceptance; their note or the vault is busy
	returning  []chan struct{} // closed for each write that has waited for others, when it has a place again
	atWork     int             // places taken
	fair       bool            // a returning write had the last place, a ready one has the next
}

// write is one that is at work.
type write struct {
	id        string
	note      noteKey // where the question is by now
	successor *entry  // that was submitted meanwhile
}

// findWrite returns the write of a record, or nil; the caller holds mu.
func (q *queue) findWrite(id string) *write {
	for _, l := range q.lanes {
		if i := slices.IndexFunc(l.writes, func(at *write) bool { return at.id == id }); i >= 0 {
			return l.writes[i]
		}
	}
	return nil
}

// laneOf returns the lane of a vault; the caller holds mu.
func (q *queue) laneOf(root string) *lane {
	l := q.lanes[root]
	if l == nil {
		l = &lane{}
		q.lanes[root] = l
	}
	return l
}

// makeReady takes a record whose time has come.
func (q *queue) makeReady(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e, ok := q.waiting[id]
	if !ok || e.eligible {
		return
	}
	e.eligible = true
	l := q.laneOf(e.d.Vault)
	at := len(l.candidates)
	for at > 0 && l.candidates[at-1].d.Created.After(e.d.Created) {
		at--
	}
	l.candidates = slices.Insert(l.candidates, at, e)
	q.fillPlaces(e.d.Vault)
}

// fillPlaces gives free places of a vault by turns to the first write that returns and to
// the first that is ready; the caller holds mu.
func (q *queue) fillPlaces(root string) {
	l := q.laneOf(root)
	for l.atWork < writesPerVault {
		var e *entry
		if l.fair || len(l.returning) == 0 {
			e = q.takeReady(root)
		}
		switch {
		case e != nil:
			q.startEntry(e)
		case len(l.returning) > 0:
			close(l.returning[0])
			l.returning = l.returning[1:]
			l.atWork++
		default:
			return
		}
		l.fair = e == nil
	}
}

// takeReady takes the first ready entry whose note no write is working on, or returns nil; the caller
// holds mu.
func (q *queue) takeReady(root string) *entry {
	if q.stopped {
		return nil
	}
	busy := make(map[noteKey]bool)
	l := q.laneOf(root)
	for _, at := range l.writes {
		busy[at.note] = true
	}
	for i := 0; i < len(l.candidates); {
		e := l.candidates[i]
		current := q.waiting[e.d.ID] == e && e.eligible // it was not submitted anew
		if current && busy[e.note()] {
			i++
			continue
		}
		l.candidates = slices.Delete(l.candidates, i, i+1)
		if current {
			return e
		}
	}
	return nil
}

// waitIdly returns a function with which a write waits for others. The write gives up its place during
// the wait and has one again afterwards. When ctx ends, it waits for no place.
func (q *queue) waitIdly(ctx context.Context, root string) func(wait func() error) error {
	return func(wait func() error) error {
		q.mu.Lock()
		l := q.laneOf(root)
		l.atWork--
		q.fillPlaces(root)
		q.mu.Unlock()

		err := wait()

		q.mu.Lock()
		again := make(chan struct{})
		l.returning = append(l.returning, again)
		q.fillPlaces(root)
		q.mu.Unlock()
		select {
		case <-again:
		case <-ctx.Done():
			q.mu.Lock()
			defer q.mu.Unlock()
			if i := slices.Index(l.returning, again); i >= 0 {
				l.returning = slices.Delete(l.returning, i, i+1)
				l.atWork++
			}
		}
		return err
	}
}

package dispatch

import (
	"context"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
)

// This file says which dispatch starts next, and starts it.

// startDue starts what may start now and returns when to look at the queue again.
func (p *Dispatcher) startDue(ctx context.Context, agents *sync.WaitGroup) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	next := now.Add(idle)
	p.giveSlots()
	begun := make(batchesByKey)
	defer begun.sealAll()
	stay := make(map[noteName]bool) // of a chain: with a question before this one that has not begun
	for _, i := range p.orderByTurns(now) {
		e := &p.waiting[i]
		if e.isFresh && p.batchKey(e.d) != "" {
			e.dueTime, e.gathers = now.Add(gather), true
		}
		e.isFresh = false
		switch {
		case !p.hasRoom(e.d.Role) || p.isBlocked(e.d, stay, begun):
		case e.dueTime.After(now) && !(e.gathers && begun.hasBatchFor(p, e.d)):
			if e.dueTime.Before(next) {
				next = e.dueTime
			}
		default:
			p.startEntry(ctx, *e, begun.joinBatch(ctx, p, e.d), agents)
			p.turns++
		}
		if p.isChained(e.d) && !p.isRunning(e.d.ID) {
			stay[nameOf(e.d)] = true
		}
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(e entry) bool { return p.isRunning(e.d.ID) })
	return next
}

// hasRoom reports whether a role may be asked now: there is a slot, and its lane is free.
func (p *Dispatcher) hasRoom(role string) bool {
	lane := p.opts.Roles.Lane(role)
	for _, r := range p.running {
		if lane != "" && p.opts.Roles.Lane(r.d.Role) == lane {
			return false
		}
	}
	return p.countSlots() < p.opts.Concurrency
}

// pile is how many entries have a question that was just asked not wait for all of them, and share how many turns there are
// for one of the oldest, whatever it came with.
const (
	pile  = MaxConcurrency + 1
	share = 4
)

// orderByTurns returns the entries in the order in which they may start: that of their creation, but those that came with
// many others behind the rest, unless it is the turn of the oldest; and where they are a pile, by turns with it the note that
// was asked in last first. Those of one note keep together. The caller holds mu.
func (p *Dispatcher) orderByTurns(now time.Time) []int {
	alone := make(map[noteName]bool)
	for _, e := range p.waiting {
		if !e.d.Crowded {
			alone[nameOf(e.d)] = true
		}
	}
	isOldest, newest := p.turns%share == 0, noteName{}
	if len(p.waiting) >= pile && p.turns%2 == 1 {
		newest = p.newestNote(now)
	}
	var ranked [3][]int
	for i, e := range p.waiting {
		switch name := nameOf(e.d); {
		case name == newest:
			ranked[0] = append(ranked[0], i)
		case alone[name] || isOldest:
			ranked[1] = append(ranked[1], i)
		default:
			ranked[2] = append(ranked[2], i)
		}
	}
	return slices.Concat(ranked[:]...)
}

// newestNote returns the note with the newest question that may start, preferably one that came alone.
func (p *Dispatcher) newestNote(now time.Time) (name noteName) {
	for _, e := range slices.Backward(p.waiting) {
		if (name == noteName{} || !e.d.Crowded) && !e.dueTime.After(now) && p.hasRoom(e.d.Role) {
			if name = nameOf(e.d); !e.d.Crowded {
				break
			}
		}
	}
	return name
}

// isRunning reports whether a record is at work; the caller holds mu.
func (p *Dispatcher) isRunning(id string) bool {
	_, ok := p.running[id]
	return ok
}

// noteName names a note.
type noteName struct{ vault, file string }

func nameOf(d journal.Dispatch) noteName { return noteName{d.Vault, d.File} }

// isChained reports whether d waits for the groups of its note before it.
func (p *Dispatcher) isChained(d journal.Dispatch) bool { return p.opts.Mode == Chain && d.Asked == "" }

// isBlocked reports whether d has to wait for an earlier group of its note. stay are the notes with a
// group that remains in the queue; the groups of a note come in their order.
func (p *Dispatcher) isBlocked(d journal.Dispatch, stay map[noteName]bool, begun batchesByKey) bool {
	if !p.isChained(d) {
		return false
	}
	if stay[nameOf(d)] {
		return true
	}
	for _, r := range p.running {
		if p.isChained(r.d) && nameOf(r.d) == nameOf(d) && !begun.areTogether(p, r, d) {
			return true
		}
	}
	return false
}

// startEntry runs an entry in a goroutine of its own; the caller holds mu.
func (p *Dispatcher) startEntry(ctx context.Context, e entry, b *batch, agents *sync.WaitGroup) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.running[e.d.ID] = run{d: e.d, cancel: cancel, batch: b, slot: new(slot)}
	agents.Go(func() {
		defer cancel(nil)
		again, ok := p.workOn(ctx, e)
		again.d.Crowded = e.d.Crowded
		if b != nil {
			b.removeMember(e.d.ID)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.running, e.d.ID)
		if next, retried := p.retried[e.d.ID]; retried {
			delete(p.retried, e.d.ID)
			again, ok = next, true
		}
		if ok && !p.stopped {
			p.insertEntry(again)
		}
		p.opts.Writer.Changed(e.d)
		p.wakeRun()
	})
}

// indexOf returns where id waits, or -1; the caller holds mu.
func (p *Dispatcher) indexOf(id string) int {
	return slices.IndexFunc(p.waiting, func(e entry) bool { return e.d.ID == id })
}

// wakeRun has Run look at the queue; it never waits.
func (p *Dispatcher) wakeRun() { p.agenda.Put(struct{}{}, time.Now()) }

package dispatch

import (
	"context"
	"time"

	"vaultdispatcher/engine/due"
)

// Each run has a slot while anything of it may run here, and gives it away only while it rests ([agent.Task.Rest]).

// slot is that of one run. Its fields are guarded by the dispatcher's mu; the zero value is taken.
type slot struct {
	isFree bool
	wanted chan struct{} // closed when it is taken again; nil = no run waits for that
}

// countSlots returns how many are taken; the caller holds mu.
func (p *Dispatcher) countSlots() (taken int) {
	for _, r := range p.running {
		if !r.slot.isFree {
			taken++
		}
	}
	return taken
}

// giveSlots gives what is free to runs that have rested, before anything new begins; the caller holds mu.
func (p *Dispatcher) giveSlots() {
	free := p.opts.Concurrency - p.countSlots()
	for _, r := range p.running {
		if r.slot.wanted != nil && free > 0 {
			free--
			close(r.slot.wanted)
			*r.slot = slot{}
		}
	}
}

// rest gives a slot away for a time and waits until it is taken again. If it returns an error, the run
// ends without it.
func (p *Dispatcher) rest(ctx context.Context, s *slot, pause time.Duration) error {
	p.mu.Lock()
	s.isFree = true
	p.wakeRun()
	p.mu.Unlock()
	if err := due.Sleep(ctx, pause); err != nil {
		return err
	}
	wanted := make(chan struct{})
	p.mu.Lock()
	s.wanted = wanted
	p.wakeRun()
	p.mu.Unlock()
	select {
	case <-wanted:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

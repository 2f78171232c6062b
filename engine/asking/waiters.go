package asking

import "sync"

// Waiters wakes those who wait for dispatches, and tells them what is said meanwhile. The zero value is ready; it is safe for concurrent use.
type Waiters struct {
	mu      sync.Mutex // guards what follows
	changed map[string]chan struct{}
	speech  map[string]*speech
	end     chan struct{}
}

// Next returns what is closed when something has happened to a dispatch after this call.
func (w *Waiters) Next(id string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = make(map[string]chan struct{})
	}
	if w.changed[id] == nil {
		w.changed[id] = make(chan struct{})
	}
	return w.changed[id]
}

// Wake says that something has happened to a dispatch. It never waits.
func (w *Waiters) Wake(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.changed[id]; c != nil {
		close(c)
		delete(w.changed, id)
	}
	delete(w.speech, id) // its listeners were woken; an agent that continues says all of it again
}

// Ended returns what is closed by End.
func (w *Waiters) Ended() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.endedLocked()
}

// End says that nothing will happen any more: the engine stops.
func (w *Waiters) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.endedLocked():
	default:
		close(w.end)
	}
}

func (w *Waiters) endedLocked() chan struct{} {
	if w.end == nil {
		w.end = make(chan struct{})
	}
	return w.end
}

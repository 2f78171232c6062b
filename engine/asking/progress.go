package asking

import "sync"

// Progress is how far the agents of dispatches are that take several steps. The zero value is ready to use.
type Progress struct {
	mu    sync.Mutex // guards the field below
	texts map[string]string
}

// Tell keeps how far a dispatch is, and reports whether that is new.
func (p *Progress) Tell(id, text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.texts == nil {
		p.texts = make(map[string]string)
	}
	was := p.texts[id]
	p.texts[id] = text
	return was != text
}

// Of returns the progress of a dispatch, "" if it is not known.
func (p *Progress) Of(id string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.texts[id]
}

// Forget drops a dispatch whose agent has ended.
func (p *Progress) Forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.texts, id)
}

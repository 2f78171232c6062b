package facts

import "sync"

// Troubles say why the look at a note could not be finished, by note; the empty name is every
// note of a vault that could not be met. It has a mutex
// of its own, because looks are waited for while the disk is slow, and a status is not.
type Troubles struct {
	mu     sync.Mutex // guards errors
	errors map[string]error
}

// Add says why for a note.
func (t *Troubles) Add(rel string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.errors == nil {
		t.errors = make(map[string]error)
	}
	t.errors[rel] = err
}

// Forget drops a note whose look was finished.
func (t *Troubles) Forget(rel string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.errors, rel)
}

// Any counts the notes, and says why for one of them.
func (t *Troubles) Any() (n int, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, err := range t.errors {
		why = err
	}
	return len(t.errors), why
}

package vault

import "sync"

// troubles says why the look at a note could not be finished, by note. It has a mutex
// of its own, because looks are waited for while the disk is slow, and a status is not.
type troubles struct {
	mu sync.Mutex // guards by
	by map[string]error
}

func (t *troubles) addTrouble(rel string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = make(map[string]error)
	}
	t.by[rel] = err
}

func (t *troubles) forgetNote(rel string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.by, rel)
}

// anyTrouble counts the notes, and says why for one of them.
func (t *troubles) anyTrouble() (n int, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, err := range t.by {
		why = err
	}
	return len(t.by), why
}

package vault

import (
	"sync"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/vault/noteindex"
)

// noteStates are what is known of notes besides their past, for as long as the engine runs, and
// the notes to look at again. The caller of the methods holds the vault's mu.
type noteStates struct {
	noteindex.States[string, noteState]
	wakes *due.Queue[string]
}

// noteState is what is known of one note. Its zero value is forgotten.
type noteState struct {
	wake     Save           // the look that it waits for; no Rel = none
	deciding *decidingLines // of the look that has found them last; nil = none has
}

// lookAt has the note of a save looked at again at that time; zero is never.
func (n *noteStates) lookAt(s Save, when time.Time) {
	if when.IsZero() {
		n.takeWake(s.Rel)
		n.wakes.Remove(s.Rel)
		return
	}
	s.New, s.source, s.owed = false, untold, false // it has been looked at
	n.put(s, when)
}

// retry schedules a look again after a failed one. The next look, whatever its cause, keeps the
// facts of the failed one: that the note was new, that its lines may have other authors, and that
// a person has asked for it.
func (n *noteStates) retry(s Save, at time.Time) {
	s.owed = true
	n.put(s, at)
}

// lookAgain has a note looked at at that time, as the look that it waits for if there is one.
func (n *noteStates) lookAgain(rel string, at time.Time) {
	s := n.Of(rel).wake
	if s.Rel == "" {
		s = Save{Rel: rel, Trigger: "reconcile"}
	}
	n.put(s, at)
}

// await has a note looked at again when its vault was met ([noteStates.lookAtOwed]), as retry does.
func (n *noteStates) await(s Save) { n.retry(s, time.Time{}) }

// lookAtOwed has the notes looked at now whose last look was not finished.
func (n *noteStates) lookAtOwed() {
	for rel, of := range n.All() {
		if of.wake.owed {
			n.wakes.PutAs(rel, time.Now(), of.wake.Crowded)
		}
	}
}

// put schedules a look at a note, without a time for when that is owed. It is behind others when each of its looks is.
func (n *noteStates) put(s Save, at time.Time) {
	was := n.Of(s.Rel).wake
	s.Crowded = s.Crowded && (was.Rel == "" || was.Crowded)
	n.Edit(s.Rel, func(of *noteState) { of.wake = s })
	if at.IsZero() {
		n.wakes.Remove(s.Rel)
		return
	}
	n.wakes.PutAs(s.Rel, at, s.Crowded)
}

// takeWake returns the look that a note waits for, and has it wait for none.
func (n *noteStates) takeWake(rel string) (s Save) {
	n.Edit(rel, func(of *noteState) { s, of.wake = of.wake, Save{} })
	return s
}

// forget forgets a note.
func (n *noteStates) forget(rel string) {
	n.Edit(rel, func(of *noteState) { *of = noteState{} })
	n.wakes.Remove(rel)
}

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

package vault

import (
	"time"

	"vaultdispatcher/engine/due"
)

// wakes are the notes to look at again, each with the look it waits for. The caller of its methods holds the vault's mu.
type wakes struct {
	queue  *due.Queue[string]
	wanted map[string]Save
}

// at has the note of a save looked at again at that time; zero is never.
func (w *wakes) at(s Save, when time.Time) {
	if when.IsZero() {
		w.forget(s.Rel)
		return
	}
	s.New, s.source, s.owed = false, untold, false // it has been looked at
	w.put(s, when)
}

// retry schedules a look again after a failed one. The next look, whatever its cause, keeps the facts
// of the failed one: that the note was new, that its lines may have other authors, and that a person
// has asked for it.
func (w *wakes) retry(s Save, at time.Time) {
	s.owed = true
	w.put(s, at)
}

// again has a note looked at at that time, as the look that it waits for if there is one.
func (w *wakes) again(rel string, at time.Time) {
	s, waits := w.wanted[rel]
	if !waits {
		s = Save{Rel: rel, Trigger: "reconcile"}
	}
	w.put(s, at)
}

// put schedules a look at a note. Once one of its looks is urgent, so are the others until the look is
// made.
func (w *wakes) put(s Save, at time.Time) {
	was, waits := w.wanted[s.Rel]
	s.Crowded = s.Crowded && (!waits || was.Crowded)
	w.wanted[s.Rel] = s
	w.queue.PutAs(s.Rel, at, s.Crowded)
}

// forget removes a note from the queue.
func (w *wakes) forget(rel string) {
	delete(w.wanted, rel)
	w.queue.Remove(rel)
}

// retryWhileJudging is how soon a note that was saved while its vault was being met is
// looked at again.
const retryWhileJudging = 100 * time.Millisecond

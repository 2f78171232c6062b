package vault

import (
	"time"
)

// wakeAt has the note of a save looked at again at that time; zero is never. The
// caller holds mu.
func (v *Vault) wakeAt(s Save, at time.Time) {
	if at.IsZero() {
		v.forgetWake(s.Rel)
		return
	}
	v.wanted[s.Rel] = s
	v.wakes.Put(s.Rel, at)
}

// lookAgain has a note looked at soon. The caller holds mu.
func (v *Vault) lookAgain(rel string) {
	s, waits := v.wanted[rel]
	if !waits {
		s = Save{Rel: rel, Trigger: "reconcile"}
	}
	v.wakeAt(s, time.Now())
}

// forgetWake looks at a note no more by itself. The caller holds mu.
func (v *Vault) forgetWake(rel string) {
	delete(v.wanted, rel)
	v.wakes.Remove(rel)
}

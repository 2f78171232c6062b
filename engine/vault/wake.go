package vault

import (
	"context"
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

// runWakes looks at notes again when their time has come.
func (v *Vault) runWakes(ctx context.Context) error {
	v.wakes.Run(ctx, func(rel string) {
		v.mu.Lock()
		s, wanted := v.wanted[rel]
		delete(v.wanted, rel)
		v.mu.Unlock()
		if wanted {
			v.LookQuietly(ctx, Save{Rel: rel, Seen: time.Now(), Trigger: s.Trigger, Now: s.Now})
		}
	})
	return nil
}

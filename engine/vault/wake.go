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
	v.triggers[s.Rel] = s.Trigger
	v.wakes.Put(s.Rel, at)
}

// forgetWake looks at a note no more by itself. The caller holds mu.
func (v *Vault) forgetWake(rel string) {
	delete(v.triggers, rel)
	v.wakes.Remove(rel)
}

// runWakes looks at notes again when their time has come.
func (v *Vault) runWakes(ctx context.Context) error {
	v.wakes.Run(ctx, func(rel string) {
		v.mu.Lock()
		trigger, wanted := v.triggers[rel]
		delete(v.triggers, rel)
		v.mu.Unlock()
		if wanted {
			v.LookQuietly(ctx, Save{Rel: rel, Seen: time.Now(), Trigger: trigger})
		}
	})
	return nil
}

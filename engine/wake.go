package engine

import (
	"context"
	"time"
)

// wakeAt has the note of a save looked at again at that time; zero is never. The
// caller holds mu.
func (v *vault) wakeAt(s save, at time.Time) {
	if at.IsZero() {
		v.forgetWake(s.rel)
		return
	}
	v.triggers[s.rel] = s.trigger
	v.wakes.Put(s.rel, at)
}

// forgetWake looks at a note no more by itself. The caller holds mu.
func (v *vault) forgetWake(rel string) {
	delete(v.triggers, rel)
	v.wakes.Remove(rel)
}

// wake looks at notes again when their time has come.
func (v *vault) wake(ctx context.Context) error {
	v.wakes.Run(ctx, func(rel string) {
		v.mu.Lock()
		trigger, wanted := v.triggers[rel]
		delete(v.triggers, rel)
		v.mu.Unlock()
		if wanted {
			v.lookQuietly(ctx, save{rel: rel, seen: time.Now(), trigger: trigger})
		}
	})
	return nil
}

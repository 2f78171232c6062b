package dispatch_test

import (
	"fmt"
	"testing"
	"time"

	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
)

// What shares a lane runs one after the other and leaves the other slots to the rest; what only waits for
// others takes none.
func TestLanes(t *testing.T) {
	for name, waits := range map[string]bool{"at work": false, "waiting": true} {
		bubble(t, name, func(t *testing.T) {
			lane := func(role string) (string, bool) {
				if role == "Broadcaster" {
					return role, waits
				}
				return "", false
			}
			w := newWorld(t, dispatch.Options{Roles: fakeRoles{lane: lane}}, slow(time.Minute))
			defer w.close()
			var all []journal.Dispatch
			for i, role := range []string{"Broadcaster", "Broadcaster", "Miner", "Miner", "Miner"} {
				d := w.accepted(fmt.Sprint("make ", i))
				d.Role = role
				w.d.Submit(d)
				<-time.After(time.Millisecond)
				all = append(all, d)
			}
			wait(30 * time.Second)
			third := journal.Queued
			if waits {
				third = journal.Processing
			}
			for i, want := range []journal.Status{journal.Processing, journal.Queued, journal.Processing, journal.Processing, third} {
				w.want(all[i].ID, want, 0, "")
			}
			wait(3 * time.Minute)
			for _, d := range all {
				w.want(d.ID, journal.Done, 0, "")
			}
		})
	}
}

package dispatch

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// idleRoles answer nobody.
type idleRoles struct{}

func (idleRoles) Find(string) (string, agent.Runner, error) {
	return "", nil, errors.New("nobody answers")
}
func (idleRoles) ShareLimit(a, b string) bool { return a == b }
func (idleRoles) Lane(string) string          { return "" }

// What a look at the queue costs grows as the queue does, also where each question may have to wait for another of its note: a
// look is made for each that comes or ends.
func TestQueueGrowth(t *testing.T) {
	for _, mode := range []string{Tasks, Chain} {
		growth.Evenly(t, mode, 32_000, func(n int) {
			p := New(Options{Mode: mode, Roles: idleRoles{}})
			now := time.Now()
			for i := range n {
				d := journal.Dispatch{ID: fmt.Sprint(i), Vault: "/home/me/Notes", File: fmt.Sprintf("Folder/Note %d.md", i)}
				p.waiting = append(p.waiting, entry{d: d, dueTime: now.Add(time.Hour)})
			}
			var agents sync.WaitGroup
			if next := p.startDue(t.Context(), &agents); next.Before(now) || len(p.waiting) != n {
				t.Errorf("%d wait, and the next look is at %v", len(p.waiting), next)
			}
		})
	}
}

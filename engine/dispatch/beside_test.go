package dispatch

import (
	"context"
	"log/slog"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
)

// The parts of a dispatcher are used by several goroutines at a time: agents that end, a person, and the status. What they
// share is guarded; the race detector sees it here in whichever order they come.
func TestPartsAreUsedSideBySide(t *testing.T) {
	t.Parallel()
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	p := New(Options{Journal: j, Roles: idleRoles{}, Log: slog.New(slog.DiscardHandler)})
	p.running["d"] = run{d: journal.Dispatch{ID: "d"}}
	b := newBatch(t.Context(), false, 1)
	limit := func(role string) {
		now := time.Now()
		p.limits.addLimit(role, "a limit", now.Add(time.Hour), now)
		p.clearLimit(context.Background(), role)
	}
	var all sync.WaitGroup
	for i := range 4 {
		joined := false
		for _, use := range []func(){
			func() { limit("Writer") },
			func() { p.limits.endLimits("Writer", p.opts.Roles.ShareLimit) },
			func() { p.takeUpLimits(context.Background()) },
			func() { _ = p.Limits() },
			func() { p.Moved("d", strconv.Itoa(i)) },
			func() { _ = p.currentFile(journal.Dispatch{ID: "d"}) },
			func() { _ = p.Running() },
			func() { p.Submit(journal.Dispatch{ID: "waits"}) },
			func() { p.submitAgain(entry{d: journal.Dispatch{ID: "waits again"}}) },
			func() {
				if id := strconv.Itoa(i); !joined {
					joined = true
					b.addMember(id)
					b.addTask(id, agent.Task{ID: id})
					b.removeMember(id)
				}
			},
			func() { _, _ = b.collectPayload() },
		} {
			all.Go(func() {
				for range 10 {
					use()
				}
			})
		}
	}
	all.Wait()
	if ids, _ := b.collectPayload(); len(ids) != 0 || len(b.members) != 4 || b.missing != 1 {
		t.Errorf("%q are left of %d members, and %d are missing", ids, len(b.members), b.missing)
	}
}

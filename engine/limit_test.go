package engine

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
)

// tired is at its limit until it is woken.
type tired struct{ awake atomic.Bool }

func (r *tired) Run(context.Context, agent.Task) (agent.Reply, error) {
	if !r.awake.Load() {
		return agent.Reply{}, agent.Fail(&agent.RateLimited{Program: "tired", Expiry: time.Now().Add(5 * time.Hour)})
	}
	return agent.Reply{Text: "rested", Usage: agent.Usage{Input: 7, Output: 3}}, nil
}

// A limit is seen in the status, also by the next engine; a retry that succeeds
// lets everything go.
func TestLimitIsTold(t *testing.T) {
	t.Parallel()
	dir, r := t.TempDir(), &tired{}
	first := startEngine(t, dir, r)
	first.save("a.md", "> @agent-Miner one\n")
	first.save("b.md", "> @agent-Miner two\n")
	check := func(e *running) (id string) {
		t.Helper()
		for {
			s, err := e.Status(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			waiting := 0
			for _, d := range s.Dispatches {
				if d.NextAttemptAt != nil && d.Status == "queued" && d.Attempts == 0 && strings.HasPrefix(d.Error, "tired is at its limit until") {
					waiting, id = waiting+1, d.ID
				}
			}
			if waiting == 2 && strings.Contains(textsOf(s.Notices), "waits until then and goes on by itself") {
				return id
			}
			e.pause()
		}
	}
	check(first)
	first.stop()
	next := startEngine(t, dir, r)
	id := check(next)
	r.awake.Store(true)
	if _, err := next.Retry(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	next.until("a.md", "rested")
	next.until("b.md", "rested")
	d, err := next.Dispatch(t.Context(), id)
	if err != nil || d.Usage == nil || d.Usage.InputTokens != 7 || d.Usage.OutputTokens != 3 {
		t.Errorf("usage %+v, %v", d.Usage, err)
	}
}

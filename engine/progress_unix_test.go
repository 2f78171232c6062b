//go:build unix

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/vault"
)

// Two machines answer one vault, each with a journal of its own. What the one says is
// no marker for the other, stays while it asks its own agent, and goes with the answer;
// the first puts nothing back.
func TestProgressOfTwoMachines(t *testing.T) {
	t.Parallel()
	desk, laptop := t.TempDir(), t.TempDir()
	slow, quick := &gate{open: make(chan struct{})}, &gate{open: make(chan struct{})}
	a := startEngine(t, desk, slow, telling)
	if err := os.Symlink(a.vault, filepath.Join(laptop, "vault")); err != nil {
		t.Fatal(err)
	}
	text := question(1)
	a.save("n.md", text)
	said := a.until("n.md", "agent-progress: working on ")
	b := startEngine(t, laptop, quick, telling)
	for quick.runs.Load() < 1 {
		b.pause()
	}
	if got := b.reads("n.md", text); got != said {
		t.Errorf("the other machine has changed\n%q to\n%q", said, got)
	}
	close(quick.open)
	got := b.until("n.md", answer(1))
	b.rest()
	here := a.vaults[0]
	here.AwaitDisk().LookQuietly(t.Context(), vault.Save{Rel: "n.md", Time: time.Now(), Trigger: "watch"})
	for range 60 { // the first looks at once, and would write after its debounce of 10 ms
		a.pause()
	}
	if now := a.silent("n.md"); now != got || strings.Count(now, "answer to") != 1 || strings.Contains(now, "@agent-") {
		t.Errorf("answered by the other: %q, in the end %q", got, now)
	}
	if slow.runs.Load() != 1 || quick.runs.Load() != 1 {
		t.Errorf("%d and %d runs", slow.runs.Load(), quick.runs.Load())
	}
}

package agent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestSessionsEndWithTheRun ends agents whose children have left their group: by
// themselves, orphaned, and without the variables they were given.
func TestSessionsEndWithTheRun(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"a session of its own", "a group of its own"} {
		for _, how := range []string{"answers", "is cancelled", "is cancelled, its child without variables", "answers, its child an orphan"} {
			t.Run(way+", the agent "+how, func(t *testing.T) {
				t.Parallel()
				task := taskIn(t, "")
				file := filepath.Join(task.Root, "pid")
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := make(chan error)
				go func() {
					_, err := fakeAgent(t, "leaves a daemon", file, way, how).Run(ctx, task)
					done <- err
				}()
				pid := pidIn(t, file)
				if how[:2] == "is" {
					cancel()
				}
				if err := <-done; err != ctx.Err() {
					t.Errorf("%v", err)
				}
				gone(t, pid)
			})
		}
	}
}

// TestOthersAreLeftAlone ends one agent beside another of the same kind.
func TestOthersAreLeftAlone(t *testing.T) {
	task := taskIn(t, "")
	file := filepath.Join(task.Root, "pid")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = fakeAgent(t, "leaves a daemon", file, "a session of its own", "is cancelled").Run(ctx, task)
	}()
	pid := pidIn(t, file)
	if _, err := run(t, fakeAgent(t, "leaves a daemon", filepath.Join(task.Root, "other"), "a session of its own", "answers"), task); err != nil {
		t.Error(err)
	}
	if !alive(pid) {
		t.Error("the child of another run was ended")
	}
	cancel()
	<-done
}

func BenchmarkDescendants(b *testing.B) {
	for b.Loop() {
		findDescendants(0, fmt.Sprint("VAULT_DISPATCHER_RUN=", os.Getpid()), nil)
	}
}

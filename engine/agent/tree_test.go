package agent

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

// gone waits until a process has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		if !alive(pid) {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

func TestChildLeftBehindEndsWithTheRun(t *testing.T) {
	t.Parallel()
	task := taskIn(t, "")
	file := filepath.Join(task.Root, "pid")
	got, err := run(t, fakeAgent(t, "leaves a child", file), task)
	if err != nil || got.Text != "answer of the parent" {
		t.Errorf("%q, %v", got.Text, err)
	}
	gone(t, pidIn(t, file))
}

func TestCancelEndsTheTree(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"hang", "ignores TERM", "leaves a child and hangs"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			task := taskIn(t, "")
			file := filepath.Join(task.Root, "pid")
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				_, err := fakeAgent(t, role, file).Run(ctx, task)
				done <- err
			}()
			pid := pidIn(t, file)
			cancel()
			if err := <-done; err != context.Canceled {
				t.Errorf("%v", err)
			}
			gone(t, pid)
		})
	}
}

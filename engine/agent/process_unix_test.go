//go:build unix

package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// gone waits until a process has ended; one that only waits to be collected by
// the system's first process counts as ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

func TestChildLeftBehindEndsWithTheRun(t *testing.T) {
	task := taskIn(t, "")
	file := filepath.Join(task.Root, "pid")
	got, err := run(t, fakeAgent(t, "leaves a child", file), task)
	if err != nil || got.Text != "answer of the parent" {
		t.Errorf("%q, %v", got.Text, err)
	}
	gone(t, pidIn(t, file))
}

func TestCancelEndsTheTree(t *testing.T) {
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

func TestKilledBySignal(t *testing.T) {
	task := taskIn(t, "")
	file := filepath.Join(task.Root, "pid")
	done := make(chan error)
	go func() {
		_, err := fakeAgent(t, "hang", file).Run(t.Context(), task)
		done <- err
	}()
	if err := syscall.Kill(pidIn(t, file), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, "killed", <-done, Failure{Transient, filepath.Base(os.Args[0]) + " was ended by a signal: killed", "still thinking", nil})
}

// TestNoShell gives a shell's own words to a program and gets them back.
func TestNoShell(t *testing.T) {
	task := taskIn(t, "")
	task.Note = "$(touch x); `touch y` > z & \"'.md"
	got, err := run(t, fakeAgent(t, "args", "{note}"), task)
	if err != nil || got.Text != task.Note {
		t.Errorf("%q, %v", got.Text, err)
	}
	left, err := os.ReadDir(task.Root)
	if err != nil || len(left) > 0 {
		t.Errorf("the vault holds %v, %v", left, err)
	}
}

// zombie reads the state of a process where the system tells it in a file.
func zombie(pid int) bool {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, state, ok := strings.Cut(string(data), ") ")
	return err == nil && ok && strings.HasPrefix(state, "Z")
}

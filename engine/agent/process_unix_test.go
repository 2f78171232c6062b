//go:build unix

package agent

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// alive reports whether a process runs; one that only waits to be collected by
// the system's first process has ended.
func alive(pid int) bool {
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && !zombie(pid)
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
	wantFailure(t, "killed", <-done, Failure{Kind: Transient, Reason: filepath.Base(os.Args[0]) + " was ended by a signal: killed", Detail: "still thinking"})
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

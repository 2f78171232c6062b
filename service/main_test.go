package service

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// role makes the test binary one of the programs the tests start.
const role = "SERVICE_TEST_ROLE"

// late has a supervisor go on for a moment when its work is done.
const late = "SERVICE_TEST_LATE"

// TestMain is also the fake systemctl, an engine and its supervisor.
func TestMain(m *testing.M) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch {
	case strings.HasPrefix(filepath.Base(os.Args[0]), "systemctl"):
		os.Exit(fakeSystemctl(os.Args[1:]))
	case filepath.Base(os.Args[0]) == "loginctl":
		os.Exit(fakeLoginctl(os.Args[1:]))
	case os.Getenv(role) == "engine":
		os.Exit(fakeEngine(ctx, os.Args[1], os.Args[2:]))
	case os.Getenv(role) == "supervisor":
		if err := Supervise(ctx, os.Args[len(os.Args)-1], os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if os.Getenv(late) != "" { // as one that still closes its log, on a machine with much to do
			time.Sleep(500 * time.Millisecond)
		}
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or each program the tests start waits a second when it ends
	os.Exit(m.Run())
}

// fakeEngine runs for the n-th time in a folder and ends with the n-th status, or
// stays until the folder holds a file `stop` or a signal comes. While it stays
// there is a file `alive`.
func fakeEngine(ctx context.Context, dir string, statuses []string) int {
	runs := count(dir)
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("run-%d", runs)), nil, 0o600); err != nil {
		return 99
	}
	if status := statuses[min(runs, len(statuses)-1)]; status != "stay" {
		n, err := strconv.Atoi(status)
		if err != nil {
			return 98
		}
		return n
	}
	alive := filepath.Join(dir, "alive")
	if err := os.WriteFile(alive, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return 97
	}
	awaitGone(ctx, 5*time.Minute, func() bool {
		_, err := os.Stat(filepath.Join(dir, "stop"))
		return err != nil
	})
	if err := os.Remove(alive); err != nil {
		return 96
	}
	return 0
}

// count is how often the fake engine has run.
func count(dir string) int {
	runs, err := filepath.Glob(filepath.Join(dir, "run-*"))
	if err != nil {
		panic(err)
	}
	return len(runs)
}

// eventually waits for something to become true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	if !awaitGone(t.Context(), time.Minute, func() bool { return !ok() }) {
		t.Fatalf("waited in vain: %s", what)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// noManager is the systemctl of the scripts: there is no service manager here, and
// never the one of whoever runs the tests.
func noManager() {
	fmt.Fprintln(os.Stderr, "Failed to connect to bus: No medium found")
	os.Exit(1)
}

// endService ends what a script that failed left running: a supervisor ends its engine.
func endService(env *testscript.Env) {
	for _, name := range []string{"supervisor", "engine"} {
		text, err := os.ReadFile(filepath.Join(env.Getenv("XDG_STATE_HOME"), "vault-dispatcher", "service", name))
		if err != nil {
			continue
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			if p, err := os.FindProcess(pid); err == nil {
				p.Signal(syscall.SIGTERM) // it may have ended meanwhile
			}
		}
	}
}

// crash kills the engine without a warning, and waits until another one answers.
func crash(ts *testscript.TestScript, _ bool, _ []string) {
	before, err := engineStatus(ts)
	ts.Check(err)
	p, err := os.FindProcess(before.PID)
	ts.Check(err)
	ts.Check(p.Kill())
	eventually(ts, "another engine answers", func() bool {
		now, err := engineStatus(ts)
		return err == nil && now.PID != before.PID
	})
}

// killSupervisor kills the supervisor without a warning; its engine runs on.
func killSupervisor(ts *testscript.TestScript, _ bool, _ []string) {
	dir := filepath.Join(ts.Getenv("XDG_STATE_HOME"), "vault-dispatcher", "service")
	eventually(ts, "the supervisor knows its engine", func() bool {
		_, err := os.Stat(filepath.Join(dir, "engine"))
		return err == nil
	})
	text, err := os.ReadFile(filepath.Join(dir, "supervisor"))
	ts.Check(err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	ts.Check(err)
	p, err := os.FindProcess(pid)
	ts.Check(err)
	ts.Check(p.Kill())
	eventually(ts, "it is seen", func() bool {
		return ts.Exec("wiki", "service", "status", "--json") == nil && strings.Contains(ts.ReadFile("stdout"), `"orphan": true`)
	})
}

// samePID checks that the engine is, or is not, the one whose status the file holds.
func samePID(ts *testscript.TestScript, neg bool, args []string) {
	s, err := engineStatus(ts)
	ts.Check(err)
	if same := strings.Contains(ts.ReadFile(args[0]), fmt.Sprintf("%q: %d,", "pid", s.PID)); same == neg {
		ts.Fatalf("the engine has the pid %d", s.PID)
	}
}

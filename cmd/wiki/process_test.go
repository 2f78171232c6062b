package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// process is a program that is killed and started again, with a home, a state and a cache of its own in dir.
type process struct {
	t      *testing.T
	dir    string
	args   []string
	cmd    *exec.Cmd
	output bytes.Buffer // of its last life, on standard error
}

// command is another call of the program, in the same home.
func (p *process) command(args ...string) *exec.Cmd {
	cmd := exec.Command(*crashBinary, args...)
	home := filepath.Join(p.dir, "home")
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "LOCALAPPDATA="+home,
		"XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+filepath.Join(p.dir, "state"), "XDG_CACHE_HOME="+filepath.Join(p.dir, "cache"), "GORACE=atexit_sleep_ms=0")
	return cmd
}

func (p *process) start() {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Join(p.dir, "home"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	cmd := p.command(p.args...)
	p.cmd = cmd
	p.output.Reset()
	cmd.Stderr = &p.output
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = cmd.Process.Kill() }) // has ended, unless the test was given up
}

func (p *process) kill() {
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Errorf("wiki %s had ended by itself: %v\n%s", strings.Join(p.args, " "), err, p.output.String())
	}
	_ = p.cmd.Wait() // was killed
	// A race has a status of its own only in a program that ends by itself.
	if strings.Contains(p.output.String(), "WARNING: DATA RACE") {
		p.t.Errorf("wiki %s\n%s", strings.Join(p.args, " "), p.output.String())
	}
}

// end ends the program in good order.
func (p *process) end() {
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		p.t.Error(err)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("the end of wiki %s: %v\n%s", strings.Join(p.args, " "), err, p.output.String())
	}
}

// takeSeed returns the seed of a test that leaves moments to chance, and tells it.
func takeSeed(t *testing.T) uint64 {
	seed := testseed.Take(t)
	return seed
}

// countRuns is how many runs of an agent have ended, by its log.
func countRuns(t *testing.T, log string) int {
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	return bytes.Count(text, []byte("end "))
}

package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
)

// The process is killed after each step of a run. The next engine asks the agent only where no answer was kept, the answer stands
// below its line once, and the line comes again as before.
func TestKilledAtEachStepOfARun(t *testing.T) {
	t.Parallel()
	if os.Getenv("RUN_DIR") != "" {
		dieInRun(t)
		return
	}
	for step, runs := range map[string]int64{"accepted": 1, "started": 1, "answered": 0, "swapping": 0, "written": 0} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledAtEachStepOfARun$", "-test.timeout=5m")
			child.Env = append(os.Environ(), "RUN_DIR="+dir, "RUN_STEP="+step, "TEST_MEMORY=off", "GORACE=atexit_sleep_ms=0")
			if out, err := child.CombinedOutput(); err == nil || strings.Contains(string(out), "FAIL") || strings.Contains(string(out), "timed out") {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			miner := &reader{gate: gate{open: make(chan struct{})}}
			close(miner.open)
			r := startEngine(t, dir, miner)
			for r.count(journal.Done) != 1 || r.count(journal.Scheduled) != 1 {
				r.pause()
			}
			got := r.until("n.md", "/agent-response")
			const line = "a\n\n> @agent-Miner every month 8:00 question 1?\n"
			if !strings.HasPrefix(got, line+"<!-- agent-response -->\n*") || !strings.HasSuffix(got, "<!-- /agent-response -->\n\nb\n") || strings.Count(got, "agent-response") != 2 {
				t.Errorf("%q", got)
			}
			if n := miner.runs.Load(); n != runs {
				t.Errorf("the agent was asked %d times, want %d", n, runs)
			}
			if list, err := r.Schedule(t.Context()); err != nil || len(list) != 1 || list[0].Next == nil || list[0].Dispatch == "" {
				t.Errorf("%+v, %v", list, err)
			}
		})
	}
}

// dieInRun is the life that is killed.
func dieInRun(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	dir := os.Getenv("RUN_DIR")
	beforeRun = func(e *Engine) {
		e.journal.OnStep(func(step string, now journal.Dispatch) {
			e.tellStep(step, now)
			if now.Trigger == journal.TriggerSchedule && step == os.Getenv("RUN_STEP") {
				_ = self.Kill()
				select {} // no step more, even where a signal takes its time
			}
		})
	}
	r := startMet(t, dir, &echoes{})
	if err := os.WriteFile(filepath.Join(dir, "vault", "n.md"), []byte("a\n\n> @agent-Miner every month 8:00 question 1?\n\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for r.count(journal.Scheduled) != 1 {
		r.pause()
	}
	list, err := r.Schedule(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := r.ActOnSchedule(t.Context(), list[0].ID, "run"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Hour) // the kill comes first
}

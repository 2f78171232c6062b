package engine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
)

// The note of a proposal: as it asks, as somebody saves it while its answer is about to be written, and as it is answered.
const (
	proposing = "a\n\n> @agent-Miner! question 1?\n\nb\n"
	resaved   = "a\n\n> @agent-Miner! question 1?" // its last line has no end any more, so that another change would be made
	approved  = "a\n\n<!-- agent-response -->\nanswer to question 1?\n<!-- /agent-response -->\n\nb\n"
)

// death is a step of a proposal's life after which the process is gone, and what the next engine has to make of it.
type death struct {
	step    string
	nth     int
	act     string // what the person does about the proposal; resave: accepts it while the note is saved
	ends    journal.Status
	runs    int64 // of the next engine
	because bool  // the agent is told the reason
}

var deaths = []death{
	{"accepted", 1, "", journal.Proposed, 1, false},
	{"started", 1, "", journal.Proposed, 1, false},
	{"proposed", 1, "", journal.Proposed, 0, false},
	{"approved", 1, "accept", journal.Done, 0, false},
	{"started", 2, "accept", journal.Done, 0, false},
	{"swapping", 1, "accept", journal.Done, 0, false},
	{"written", 1, "accept", journal.Done, 0, false},
	{"approved", 1, "resave", journal.Proposed, 0, false},
	{"started", 2, "resave", journal.Proposed, 0, false},
	{"proposed", 2, "resave", journal.Proposed, 0, false},
	{"rejected", 1, "reject because", journal.Proposed, 1, true},
	{"started", 2, "reject because", journal.Proposed, 1, true},
	{"proposed", 2, "reject because", journal.Proposed, 0, false},
	{"withheld", 1, "reject", journal.Cancelled, 0, false},
}

// The process is killed after each step of a proposal. No death writes what nobody has approved, asks an agent for an answer that
// was kept, or loses a yes or a no; what is proposed afterwards can be accepted, and is written once.
func TestKilledAtEachStepOfAProposal(t *testing.T) {
	t.Parallel()
	if os.Getenv("PROPOSAL_DIR") != "" {
		die(t)
		return
	}
	for i, d := range deaths {
		t.Run(fmt.Sprintf("%s %d %s", d.step, d.nth, d.act), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledAtEachStepOfAProposal$", "-test.timeout=5m")
			child.Env = append(os.Environ(), "PROPOSAL_DIR="+dir, fmt.Sprint("PROPOSAL_DEATH=", i), "TEST_MEMORY=off", "GORACE=atexit_sleep_ms=0")
			if out, err := child.CombinedOutput(); err == nil || strings.Contains(string(out), "FAIL") || strings.Contains(string(out), "timed out") {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			d.recover(t, dir)
		})
	}
}

// die is the life that is killed.
func die(t *testing.T) {
	var i int
	if _, err := fmt.Sscan(os.Getenv("PROPOSAL_DEATH"), &i); err != nil {
		t.Fatal(err)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	d, dir := deaths[i], os.Getenv("PROPOSAL_DIR")
	beforeRun = func(e *Engine) {
		e.journal.OnStep(func(step string, now journal.Dispatch) {
			e.tellStep(step, now)
			if step == "approved" && d.act == "resave" && os.WriteFile(filepath.Join(dir, "vault", "n.md"), []byte(resaved), 0o644) != nil {
				t.Error("the note is not saved")
			}
			if step == d.step {
				if d.nth--; d.nth == 0 {
					_ = self.Kill()
					select {} // no step more, even where a signal takes its time
				}
			}
		})
	}
	r := startEngine(t, dir, &echoes{})
	r.save("n.md", proposing)
	if p := r.awaitProposal(); d.act != "" {
		r.decide(p, d.act)
	}
	time.Sleep(time.Hour) // the kill comes first
}

// awaitProposal returns the proposal of the vault once there is one that is shown.
func (r *running) awaitProposal() api.Proposal {
	r.t.Helper()
	for {
		if list, err := r.Proposed(r.t.Context()); err != nil {
			r.t.Fatal(err)
		} else if len(list) > 0 && list[0].Seen != "" {
			return list[0]
		}
		r.pause()
	}
}

func (r *running) decide(p api.Proposal, act string) {
	r.t.Helper()
	var err error
	switch act {
	case "reject":
		_, err = r.Reject(r.t.Context(), p.ID, "")
	case "reject because":
		_, err = r.Reject(r.t.Context(), p.ID, "too long")
	default:
		_, err = r.Accept(r.t.Context(), p.ID, api.AcceptRequest{Seen: p.Seen})
	}
	if err != nil {
		r.t.Errorf("%s: %v", act, err)
	}
}

// recover is the next life.
func (d death) recover(t *testing.T, dir string) {
	miner := &reader{gate: gate{open: make(chan struct{})}}
	close(miner.open)
	before, err := os.ReadFile(filepath.Join(dir, "vault", "n.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, miner)
	for r.count(d.ends) != 1 {
		r.pause()
	}
	if d.ends == journal.Done {
		r.until("n.md", approved)
	} else {
		if after := r.until("n.md", ""); after != string(before) || after != proposing && after != resaved {
			t.Errorf("nobody's yes is in force, and the note became %q", after)
		}
	}
	if n := miner.runs.Load(); n != d.runs {
		t.Errorf("the agent was asked %d times, want %d", n, d.runs)
	}
	if d.because && !strings.Contains(strings.Join(miner.texts, ""), "for this reason: too long") {
		t.Errorf("the agent was told no reason: %q", miner.texts)
	}
	if d.ends != journal.Proposed {
		return
	}
	p := r.awaitProposal()
	r.decide(p, "accept")
	for r.count(journal.Done) != 1 {
		r.pause()
	}
	want := approved
	if string(before) == resaved {
		want = strings.TrimSuffix(approved, "\n\nb\n")
	}
	if got := r.until("n.md", ""); got != want {
		t.Errorf("accepted, and the note is %q", got)
	}
}

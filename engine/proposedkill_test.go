package engine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note/progress"
)

// The note of a proposal: as it asks, as somebody saves it while its answer is about to be written, and as it is answered.
const (
	proposing = "a\n\n> @agent-Miner! question 1?\n\nb\n"
	resaved   = "a\r\n\r\n> @agent-Miner! question 1?" // it has other line ends now, so that another change would be made
	approved  = "a\n\n<!-- agent-response -->\nanswer to question 1?\n<!-- /agent-response -->\n\nb\n"
)

// life is the note of a proposal that is killed. ID is that of the dispatch.
type life struct{ asks, resaved, approved, role string }

var lives = map[string]life{
	"answer": {proposing, resaved, approved, "Miner"},
	"edit": {"one two three four\n\n> @agent-Editor make it shorter\n\nb\n", "one two three four\r\n\r\n> @agent-Editor make it shorter",
		"one four\n\n<!-- agent-response -->\nEdited the paragraph above: 0 words added, 2 removed; approved by you. `wiki undo ID` takes it back.\n<!-- /agent-response -->\n\nb\n", "Editor"},
}

// TestEditsForTheKilled is the agent that edits: this program, which keeps what it is asked.
func TestEditsForTheKilled(t *testing.T) {
	t.Parallel()
	if os.Getenv("PROPOSAL_ASKED") == "" {
		return
	}
	asked, err := io.ReadAll(os.Stdin)
	log, opened := os.OpenFile(os.Getenv("PROPOSAL_ASKED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err = errors.Join(err, opened); err == nil {
		_, err = fmt.Fprintf(log, "asked\n%s\n", asked)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("one four")
	os.Exit(0)
}

// killedAgents has the agents of both lives: the Miner that a test brings, and the one that edits.
func killedAgents(dir string) func(*config.Config) {
	return func(c *config.Config) {
		c.Agents["Editor"] = config.Agent{Runner: "command", Writes: "section", Trust: true, Command: []string{os.Args[0], "-test.run=^TestEditsForTheKilled$"},
			Env: map[string]string{"PROPOSAL_ASKED": filepath.Join(dir, "asked"), "TEST_MEMORY": "off"}}
	}
}

// askedOf returns what the agent that edits was asked.
func askedOf(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, "asked")) // none as long as it was asked nothing
	return string(text)
}

// death is a step of a proposal's life after which the process is gone, and what the next engine has to make of it.
type death struct {
	step    string
	nth     int
	act     string // what the person does about the proposal; resave: accepts it while the note is saved; types: does it in the note
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
	{"typed", 1, "types yes", journal.Proposed, 0, false}, // before it was seen
	{"approved", 1, "types yes", journal.Done, 0, false},
	{"started", 2, "types yes", journal.Done, 0, false},
	{"written", 1, "types yes", journal.Done, 0, false},
	{"typed", 1, "types no", journal.Proposed, 0, false},
	{"withheld", 1, "types no", journal.Cancelled, 0, false},
}

// tune has the agents of a life, and has its note decide where the person does so there.
func (d death) tune(dir string) func(*config.Config) {
	return func(c *config.Config) {
		killedAgents(dir)(c)
		if d.inNote() != "" {
			decidedInNote(c)
		}
	}
}

// inNote is what the person types below the question; "" = nothing.
func (d death) inNote() string {
	word, _ := strings.CutPrefix(d.act, "types ")
	if word == d.act {
		return ""
	}
	return word
}

// typed is what a text of the life is with the line that decides below the question or its answer.
func (l life) typed(text, word string) string {
	if word == "" {
		return text
	}
	return strings.Replace(text, "\n\nb", "\n> @agent-"+l.role+" "+word+"\n\nb", 1)
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
		for life := range lives {
			t.Run(fmt.Sprintf("%s %s %d %s", life, d.step, d.nth, d.act), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledAtEachStepOfAProposal$", "-test.timeout=5m")
				child.Env = append(os.Environ(), "PROPOSAL_DIR="+dir, fmt.Sprint("PROPOSAL_DEATH=", i), "PROPOSAL_LIFE="+life, "TEST_MEMORY=off", "GORACE=atexit_sleep_ms=0")
				if out, err := child.CombinedOutput(); err == nil || strings.Contains(string(out), "FAIL") || strings.Contains(string(out), "timed out") {
					t.Fatalf("the process was not killed: %v\n%s", err, out)
				}
				d.recover(t, dir, life)
			})
		}
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
	d, dir, life := deaths[i], os.Getenv("PROPOSAL_DIR"), lives[os.Getenv("PROPOSAL_LIFE")]
	beforeRun = func(e *Engine) {
		e.journal.OnStep(func(step string, now journal.Dispatch) {
			e.tellStep(step, now)
			if step == "approved" && d.act == "resave" && os.WriteFile(filepath.Join(dir, "vault", "n.md"), []byte(life.resaved), 0o644) != nil {
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
	r := startMet(t, dir, &echoes{}, d.tune(dir))
	r.types("n.md", life.asks)
	if p := r.awaitProposal(); d.inNote() != "" {
		r.types("n.md", life.typed(r.shows("n.md", life.asks, canDecide), d.inNote()))
		if d.step == "typed" {
			_ = self.Kill()
		}
	} else if d.act != "" {
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
func (d death) recover(t *testing.T, dir, name string) {
	life, known := lives[name], askedOf(dir)
	miner := &reader{gate: gate{open: make(chan struct{})}}
	close(miner.open)
	before, err := os.ReadFile(filepath.Join(dir, "vault", "n.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, miner, d.tune(dir))
	for r.count(d.ends) != 1 {
		r.pause()
	}
	bare := func(text string) string { return string(progress.Bare([]byte(text)).Text) }
	life.asks, life.approved = life.typed(life.asks, d.inNote()), life.typed(strings.ReplaceAll(life.approved, "ID", r.only().ID), d.inNote())
	if d.ends == journal.Done {
		r.until("n.md", life.approved)
	} else if after := bare(r.until("n.md", "")); after != bare(string(before)) || after != life.asks && after != life.resaved {
		t.Errorf("nobody's yes is in force, and the note became %q", after)
	}
	if d.step == "typed" {
		r.shows("n.md", life.asks, cannotDecide)
	}
	asked := strings.TrimPrefix(askedOf(dir), known)
	if n := miner.runs.Load() + int64(strings.Count(asked, "asked\n")); n != d.runs {
		t.Errorf("the agent was asked %d times, want %d: %q", n, d.runs, asked)
	}
	if asked += strings.Join(miner.texts, ""); d.because && !strings.Contains(asked, "for this reason: too long") {
		t.Errorf("the agent was told no reason: %q", asked)
	}
	if d.ends != journal.Proposed {
		return
	}
	p := r.awaitProposal()
	r.decide(p, "accept")
	for r.count(journal.Done) != 1 {
		r.pause()
	}
	want := life.approved
	if string(before) == life.resaved {
		want = strings.ReplaceAll(strings.TrimSuffix(want, "\n\nb\n"), "\n", "\r\n")
	}
	if got := r.until("n.md", ""); got != want {
		t.Errorf("accepted, and the note is %q", got)
	}
}

package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
)

func telling(cfg *config.Config) { cfg.Progress = "note" }

// refuser fails whoever asks it, until it is to answer.
type refuser struct{ gate }

func (f *refuser) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	select {
	case <-f.open:
		return f.echoes.Run(ctx, task)
	default:
		f.runs.Add(1)
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: "--> it broke\n> @agent-Miner again"}
	}
}

// reads wants that a note without its comments is text.
func (r *running) reads(name, text string) string {
	r.t.Helper()
	src, err := os.ReadFile(filepath.Join(r.vault, name))
	if err != nil {
		r.t.Fatal(err)
	}
	if got := string(progress.Bare(src).Text); got != text {
		r.t.Errorf("%s without comments is\n%q, want\n%q", name, got, text)
	}
	return string(src)
}

// silent polls a note until nothing in it tells of progress.
func (r *running) silent(name string) string {
	r.t.Helper()
	for {
		src, err := os.ReadFile(filepath.Join(r.vault, name))
		if err != nil {
			r.t.Fatal(err)
		}
		if !strings.Contains(string(src), "agent-progress") {
			return string(src)
		}
		r.pause()
	}
}

// The comment comes while an agent is at work, and goes with the answer.
func TestProgressIsShown(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{"lf": "\n", "crlf": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			runner := &gate{open: make(chan struct{})}
			r := startEngine(t, t.TempDir(), runner, telling)
			text := "\ufeff" + strings.ReplaceAll(question(1), "\n", end)
			r.save("n.md", text)
			r.until("n.md", "question 1?"+end+"<!-- agent-progress: working on ")
			r.reads("n.md", text)
			close(runner.open)
			got := r.until("n.md", "answer to question 1?"+end)
			r.rest()
			if strings.Contains(got, "agent-progress") || strings.Count(got, "answer to") != 1 || !strings.HasPrefix(got, "\ufefftext"+end) {
				t.Errorf("answered: %q", got)
			}
			if n := runner.runs.Load(); n != 1 {
				t.Errorf("%d runs", n)
			}
		})
	}
}

// Why it failed is said, cannot do anything, and is not said any more when a person
// has it tried again.
func TestProgressOfAFailure(t *testing.T) {
	t.Parallel()
	runner := &refuser{gate{open: make(chan struct{})}}
	r := startEngine(t, t.TempDir(), runner, telling)
	r.save("n.md", question(1))
	got := r.until("n.md", "<!-- agent-progress: failed because ")
	r.reads("n.md", question(1))
	if n := len(note.Parse([]byte(got)).Markers); n != 1 || !strings.Contains(got, "it broke › @ agent-Miner again") {
		t.Errorf("%d markers in %q", n, got)
	}
	close(runner.open)
	if _, err := r.Retry(t.Context(), r.only().ID); err != nil {
		t.Fatal(err)
	}
	r.until("n.md", answer(1))
	r.rest()
	r.silent("n.md")
}

// What a person cancels says nothing any more, and neither does a line that has
// become another question.
func TestProgressOfWhatIsOver(t *testing.T) {
	t.Parallel()
	runner := &gate{open: make(chan struct{})}
	r := startEngine(t, t.TempDir(), runner, telling)
	r.save("n.md", question(1))
	r.save("m.md", question(2))
	got := r.until("m.md", "agent-progress: working on ")
	r.until("n.md", "agent-progress: working on ")
	list, err := r.journal.List(t.Context(), journal.Filter{File: "n.md"})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if _, err := r.Cancel(t.Context(), list[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := r.silent("n.md"); got != question(1) {
		t.Errorf("cancelled: %q", got)
	}
	before := progress.Bare([]byte(got)).Progress[0].ID
	r.save("m.md", strings.Replace(got, "question 2?", "question 3?", 1))
	for {
		src, err := os.ReadFile(filepath.Join(r.vault, "m.md"))
		if err != nil {
			t.Fatal(err)
		}
		if p := progress.Bare(src).Progress; len(p) == 1 && p[0].ID != before {
			break
		}
		r.pause()
	}
	r.reads("m.md", question(3))
	close(runner.open)
	r.until("m.md", answer(3))
	r.silent("m.md")
}

// What an engine has left, the next one takes up: it says what is true now, or takes
// away what says nothing any more. What others have written stays until the answer.
func TestProgressOfAnEarlierEngine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	theirs := progress.Comment("0000000000000", "working on Elsewhere since 09:00")
	r := startEngine(t, dir, &gate{open: make(chan struct{})}, telling)
	r.save("n.md", question(1))
	r.save("m.md", question(2))
	left := r.until("n.md", "agent-progress: working on ")
	r.until("m.md", "agent-progress: working on ")
	r.stop()
	r.save("m.md", strings.ReplaceAll(left, "> @agent-Miner question 1?\n", "")) // no question, and what was said of one
	r.save("o.md", "text\n\n> @agent-Miner question 3?\n"+theirs+"\n\n"+theirs+"\n")

	runner := &gate{open: make(chan struct{})}
	r = startEngine(t, dir, runner) // it says nothing of progress
	r.silent("n.md")
	r.silent("m.md")
	r.reads("n.md", question(1))
	for runner.runs.Load() < 2 {
		r.pause()
	}
	if got := r.until("o.md", theirs); strings.Count(got, theirs) != 2 {
		t.Errorf("what others say: %q", got)
	}
	close(runner.open)
	r.until("n.md", answer(1))
	if got := r.until("o.md", answer(3)); strings.Count(got, theirs) != 1 {
		t.Errorf("what others said: %q", got)
	}
}

// An answer of which the comment is brought back by an editor that knew nothing of
// it is written again; and an undo brings the marker alone.
func TestProgressAndUndo(t *testing.T) {
	t.Parallel()
	runner := &gate{open: make(chan struct{})}
	r := startEngine(t, t.TempDir(), runner, telling)
	r.save("n.md", question(1))
	stale := r.until("n.md", "agent-progress: working on ")
	close(runner.open)
	r.until("n.md", answer(1))
	r.rest()
	r.save("n.md", stale)
	r.until("n.md", answer(1))
	r.rest()
	if got := r.silent("n.md"); strings.Count(got, "answer to") != 1 {
		t.Errorf("written again: %q", got)
	}
	if _, err := r.Undo(t.Context(), r.only().ID); err != nil {
		t.Fatal(err)
	}
	if got := r.silent("n.md"); got != question(1) {
		t.Errorf("undone: %q", got)
	}
	if n := runner.runs.Load(); n != 1 {
		t.Errorf("%d runs", n)
	}
}

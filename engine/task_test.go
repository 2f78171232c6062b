package engine

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
)

// reader keeps the texts that it is asked with, and answers when it is opened.
type reader struct {
	gate
	mu    sync.Mutex
	texts []string
}

func (r *reader) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	r.mu.Lock()
	r.texts = append(r.texts, task.Text)
	r.mu.Unlock()
	return r.gate.Run(ctx, task)
}

// A task is made when its dispatch has a slot: it knows what was answered while it
// waited. Its text is kept, so that one that is asked again is asked the same, and
// shown, also before the agent was asked.
func TestTaskIsMadeWithItsSlot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	alone := func(c *config.Config) { c.Dispatch.Concurrency = 1 }
	first := &reader{gate: gate{open: make(chan struct{})}}
	r := startEngine(t, dir, first, alone)
	r.save("a.md", question(1))
	for first.runs.Load() < 1 {
		r.pause()
	}
	for i, name := range []string{"b.md", "c.md"} {
		r.save(name, question(2+i))
		for r.waiting() < 2+i {
			r.pause()
		}
	}
	waiting := r.unfinished()[2]
	if d, err := r.journal.Get(t.Context(), waiting.ID); err != nil || d.Task != "" || d.Markers[0].Context == "" {
		t.Errorf("before its slot the journal has the task %q and the context %q, %v", d.Task, d.Markers[0].Context, err)
	}
	if shown, err := r.Dispatch(t.Context(), waiting.ID); err != nil || !strings.Contains(shown.Task, "Request 1 (Line 3): question 3?") {
		t.Errorf("before its slot %q is shown, %v", shown.Task, err)
	}
	first.open <- struct{}{} // the first is answered
	for r.waiting() > 2 {
		r.pause()
	}
	first.open <- struct{}{} // and the second, so the third is asked
	for first.runs.Load() < 3 {
		r.pause()
	}
	r.stop()
	second := &reader{gate: gate{open: make(chan struct{})}}
	close(second.open)
	r = startEngine(t, dir, second, alone)
	r.until("c.md", answer(3))
	r.rest()
	if !strings.Contains(first.texts[2], "answer to question 1?") {
		t.Errorf("it does not know what was answered while it waited:\n%s", first.texts[2])
	}
	if len(second.texts) != 1 || second.texts[0] != first.texts[2] {
		t.Errorf("asked again it is\n%q, not\n%q", second.texts, first.texts[2])
	}
	if shown, err := r.Dispatch(t.Context(), waiting.ID); err != nil || shown.Task != first.texts[2] {
		t.Errorf("in the end %q is shown, %v", shown.Task, err)
	}
}

// A task names its note, and where in it the requests stand, as it was when it was saved.
func TestTaskNamesItsNote(t *testing.T) {
	t.Parallel()
	asked := &reader{gate: gate{open: make(chan struct{})}}
	close(asked.open)
	r := startEngine(t, t.TempDir(), asked)
	r.save("2026-11-22 Meeting.md", "---\ndate: 2026-11-22\n---\n# Backups\n\n## Disks\n\n> @agent-Miner first?\n\n# Plans\n\n> @agent-Miner second?\n\n# People\n\n> @agent-Miner:t third?\n")
	const name = ">[[2026-11-22 Meeting]]; 2026-11-22 Meeting.md; date: 2026-11-22; "
	for _, where := range []string{"request 1 under Backups › Disks; request 2 under Plans</data-", "under People</data-"} {
		for !asked.heard(name + where) {
			r.pause()
		}
	}
}

// heard reports whether a text that was asked holds a part.
func (r *reader) heard(part string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.texts, func(text string) bool { return strings.Contains(text, part) })
}

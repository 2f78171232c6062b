package engine

import (
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/rules"
)

// A scan says of each question of a note what has become of it, also where questions to one role differ: one is at work, one was
// just written, and nobody answers another.
func TestScanJudgesEachQuestion(t *testing.T) {
	t.Parallel()
	runner := &gated{open: make(chan struct{})}
	r := startEngine(t, t.TempDir(), runner, func(c *config.Config) { delete(c.Agents, "*") })
	defer close(runner.open)
	const one = "> @agent-Miner question 1?\n"
	r.save("n.md", one)
	for runner.runs.Load() == 0 {
		r.pause()
	}
	id := r.oldest().ID
	r.save("n.md", one+"\n> @agent-Nobody question 2?\n\n> @agent-Miner question 3?") // no line end: it settles
	r.vaults[0].Watching.Set(false, time.Hour)                                        // its save is told of here alone
	found, err := r.Scan(t.Context(), r.Roots()[0], "n.md", false)
	if err != nil || len(found.Questions) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	if q := found.Questions[0]; q.Line != 1 || q.Dispatch != id || q.Verdict != "" {
		t.Errorf("the question at work is %+v", q)
	}
	if q := found.Questions[1]; q.Line != 3 || q.Rule != "role" || q.Verdict != string(rules.Refuse) || q.Dispatch != "" {
		t.Errorf("the question to nobody is %+v", q)
	}
	if q := found.Questions[2]; q.Line != 5 || q.Verdict != string(rules.Start) && q.Verdict != string(rules.Wait) && q.Dispatch == "" {
		t.Errorf("the new question is %+v", q)
	}
	if g := found.Details[0]; len(found.Details) != 2 || g.Dispatch != id || g.Markers != 2 {
		t.Errorf("the groups are %+v", found.Details)
	}
}

// In a private note a role that nobody answers is told nothing: that nobody answers it is the reason, and it is the only one.
func TestNobodyIsToldNothing(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{}, func(c *config.Config) {
		c.Private = []string{"Journal/**"}
		delete(c.Agents, "*")
	})
	var f rules.Facts
	r.reports.AddFacts(&f, func() string { return "Journal/n.md" })
	m := note.Marker{Role: "Nobody", Text: "> @agent-Nobody what?"}
	if v := rules.Judge(m, &f); v.Rule != "role" {
		t.Errorf("%+v", v)
	}
	if why := f.Private(m); why != "" {
		t.Error(why)
	}
}

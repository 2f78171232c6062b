package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/news"
)

// nothing is a runner that finds nothing until it is asked about something.
type nothing struct{}

func (nothing) Run(_ context.Context, task agent.Task) (agent.Reply, error) {
	var answers []string
	var reply agent.Reply
	for i, r := range task.Requests {
		if answers = append(answers, "what I found"); !strings.Contains(r.Instruction, "something") {
			reply.TellNoResult(i)
		}
	}
	reply.Text = replies.Join(answers)
	return reply, nil
}

// An answer that says that nothing was found is done, and has no result: in the record, in what is told, and after a restart. So has
// a group in which all say so; the record of others names the questions.
func TestNoResult(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := startEngine(t, dir, nothing{})
	r.save("n.md", "> @agent-Miner what?\n\n> @agent-Miner:b something?\n\n> @agent-Miner:c something?\n\n> @agent-Miner:c what?\n")
	r.until("n.md", "what I found\n<!-- /agent-response -->\n\n<!-- agent-response -->\nwhat I found")
	r.rest()
	check := func(r *running) {
		t.Helper()
		list, err := r.Dispatches(t.Context(), api.Filter{})
		if err != nil || len(list) != 3 {
			t.Fatalf("%+v, %v", list, err)
		}
		for _, d := range list {
			want := map[string]string{"": "none [1]", "b": " []", "c": "some [2]"}[d.TaskID]
			if got := fmt.Sprint(d.Result, " ", d.NoResult); d.Status != "done" || got != want {
				t.Errorf("thread %q is %s, result %s", d.TaskID, d.Status, got)
			}
		}
	}
	check(r)
	told := func() (n int) {
		r.told.mu.Lock()
		defer r.told.mu.Unlock()
		for _, i := range r.told.all {
			if i.Event == news.NoResult {
				n++
			}
		}
		return n
	}
	for told() == 0 { // it is told beside the writing
		r.pause()
	}
	r.stop()
	if n := told(); n != 1 {
		t.Errorf("told %d times that there is no result", n)
	}
	check(startEngine(t, dir, nothing{}))
}

package engine

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/journal"
)

// thinker says what it thinks before it answers.
type thinker struct{ reply string }

func (th thinker) Run(context.Context, agent.Task) (agent.Reply, error) {
	return agent.Reply{Text: th.reply}, nil
}

// What an agent says beside its answer stands in the record and not in the note.
func TestThoughtsStayInTheRecord(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), thinker{"<think>\nhm\x00\n</think>\n\n```markdown\nWeekly.\n```"})
	r.save("n.md", "> @agent-Miner how often?\n\nend\n")
	src := r.until("n.md", "Weekly.")
	if strings.Contains(src, "hm") || strings.Contains(src, "```") {
		t.Errorf("the note is %q", src)
	}
	list, err := r.journal.List(t.Context(), journal.Filter{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if d, err := r.Dispatch(t.Context(), list[0].ID); err != nil || d.Cut != "<think>\nhm\n</think>" || d.Answers[0].Answer != "Weekly." {
		t.Errorf("the record is %+v, %v", d, err)
	}
}

// breaker breaks its first answer off.
type breaker struct{ runs *atomic.Int32 }

func (b breaker) Run(context.Context, agent.Task) (agent.Reply, error) {
	end := endings.Good
	if b.runs.Add(1) == 1 {
		end = endings.End{}
	}
	return agent.Judge(agent.Completion{Speaker: agent.Speaker{Name: "it"}, Text: "Weekly, or so", End: end})
}

// What was broken off stands in the record while it is asked once more, and goes with the answer.
func TestBrokenAnswerStaysInTheRecord(t *testing.T) {
	t.Parallel()
	var runs atomic.Int32
	r := startEngine(t, t.TempDir(), breaker{&runs})
	r.save("n.md", "> @agent-Miner how often?\n\nend\n")
	var id string
	for ; id == ""; r.pause() {
		list, err := r.journal.List(t.Context(), journal.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 1 && list[0].Attempts == 1 {
			id = list[0].ID
		}
	}
	d, err := r.Dispatch(t.Context(), id)
	if err != nil || d.Cut != "Weekly, or so" || d.Status != "queued" {
		t.Errorf("the record is %+v, %v", d, err)
	}
	r.until("n.md", "Weekly, or so")
	if d, err := r.Dispatch(t.Context(), id); err != nil || d.Cut != "" || runs.Load() != 2 {
		t.Errorf("asked %d times; the record is %+v, %v", runs.Load(), d, err)
	}
}

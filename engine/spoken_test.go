package engine

import (
	"context"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
)

// thinker says what it thinks before it answers.
type thinker struct{ reply string }

func (thinker) Capabilities() agent.Capabilities { return agent.Capabilities{} }

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

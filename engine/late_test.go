package engine

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
)

// lateAgent answers when the engine has begun to end.
type lateAgent struct {
	port  int
	begun chan struct{}
}

func (a *lateAgent) Run(ctx context.Context, _ agent.Task) (agent.Reply, error) {
	close(a.begun)
	for {
		client, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", a.port))
		if err != nil {
			return agent.Reply{Text: "a late answer"}, nil
		}
		client.Close()
		select {
		case <-ctx.Done():
			return agent.Reply{}, ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// What is written while the engine ends leaves no exchange open: nothing lies in
// the vault that only the next start would take away.
func TestLateAnswerLeavesNothingOpen(t *testing.T) {
	late := &lateAgent{begun: make(chan struct{})}
	r := startEngine(t, t.TempDir(), late)
	late.port = r.port
	r.save("n.md", question(1))
	select {
	case <-late.begun:
	case <-time.After(time.Minute):
		t.Fatal("the agent was not asked")
	}
	r.stop()
	j, err := journal.On(database.Open(t.Context(), filepath.Join(r.state, "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if open, err := j.Swaps(t.Context()); err != nil || len(open) > 0 {
		t.Errorf("open exchanges %+v, %v", open, err)
	}
	if left, err := os.ReadDir(filepath.Join(r.vault, ".vault-mind", "tmp")); len(left) > 0 {
		t.Errorf("left in the vault: %v, %v", left, err)
	}
}

package roles

import (
	"errors"
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/queue"
)

// What a worker answers leaves the machine, whatever is said of it.
func TestWorkersAreElsewhere(t *testing.T) {
	cfg := config.Default()
	cfg.Agents["Writer"] = config.Agent{Runner: "worker", Local: true}
	cfg.Private = []string{"Diary/**"}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rules.Stays("Writer") || r.Rules.WhyNotAsked("Writer", "Diary/a.md") == "" {
		t.Error("a worker is told what is private")
	}
}

// A task for a worker is cut to what its model reads, where the configuration says how much that is.
func TestRoomOfWorkers(t *testing.T) {
	cfg := config.Default()
	cfg.Agents["Small"], cfg.Agents["Writer"] = config.Agent{Runner: "worker", ContextTokens: 4096}, config.Agent{Runner: "worker"}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	if tokens, bytes := r.Room(t.Context(), "small"); tokens != 4096 || bytes <= 0 || bytes > 4096*3 {
		t.Errorf("a model of 4,096 tokens has room for %d bytes, by %d tokens", bytes, tokens)
	}
	if tokens, bytes := r.Room(t.Context(), "Writer"); tokens != 0 || bytes != 0 {
		t.Errorf("an unknown model has room for %d bytes, by %d tokens", bytes, tokens)
	}
}

// A worker answers with its own agents, in a folder made for the task; those that read a vault or ask yet
// another machine answer nobody.
func TestAnswerForOthers(t *testing.T) {
	cfg := config.Default()
	cfg.Agents["Writer"] = config.Agent{Runner: "command", Command: []string{"no-such-program-of-ours"}, Tools: "read"}
	cfg.Agents["Far"] = config.Agent{Runner: "worker"}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []string{"Miner", "Broadcaster", "Far", "Nobody"} {
		_, err := r.Answer(t.Context(), agent.Task{Role: role})
		if f, ok := errors.AsType[*agent.Failure](err); !ok || f.Kind != agent.Permanent {
			t.Errorf("%s: %v", role, err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	_, err = r.Answer(t.Context(), agent.Task{Role: "Writer"})
	if _, ok := errors.AsType[*agent.NotFound](err); !ok {
		t.Errorf("a program that is not there: %v", err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if lanes := Lanes(cfg); len(lanes) != 1 || lanes[0] != queue.RoleLane("Writer") {
		t.Errorf("the lanes are %v", lanes)
	}
}

// TestWorkersAnswerNamedRoles: that of all other roles is none that a worker takes.
func TestWorkersAnswerNamedRoles(t *testing.T) {
	cfg := config.Default()
	cfg.Agents["*"], cfg.Agents["Writer"] = config.Agent{Runner: "worker"}, config.Agent{Runner: "worker"}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Find("Anybody"); err == nil || !strings.Contains(err.Error(), "roles that are named") {
		t.Errorf("a role without a name of its own: %v", err)
	}
	if _, _, err := r.Find("Writer"); err != nil {
		t.Errorf("a role that is named: %v", err)
	}
}

package roles

import (
	"context"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
)

// quoting is a Broadcaster that says who writes for it.
type quoting struct{ author string }

func (quoting) Run(context.Context, agent.Task) (agent.Reply, error) { return agent.Reply{}, nil }
func (quoting) With(name string, _ agent.Runner, leaves bool, _ func(context.Context) int) agent.Runner {
	if leaves {
		name += ", which leaves"
	}
	return quoting{name}
}

// The agent that is named writes for the Broadcaster, else that of all other roles; what it costs and where it
// stays is told of the Broadcaster as well.
func TestAuthor(t *testing.T) {
	local := config.Agent{Runner: "openai", URL: "http://127.0.0.1:1/v1", Model: "small"}
	for _, x := range []struct {
		names, others string // of the Broadcaster's entry; the runner of "*"
		author        string
		stays, costs  bool
		problem       string
	}{
		{"", "", "", true, false, ""},
		{"", "builtin", "", true, false, ""},
		{"", "claude", "claude, which leaves", false, true, ""},
		{"none", "claude", "", true, false, ""},
		{"Writer", "claude", "small", true, false, ""},
		{"writer", "", "small", true, false, ""},
		{"Nobody", "", "", true, false, "names Nobody, which no agent answers"},
		{"", "worker", "", true, false, ""},
		{"Far", "claude", "", true, false, "names Far, which workers answer"},
		{"Miner", "claude", "", true, false, "names Miner, which quotes and does not write"},
	} {
		cfg := config.Default()
		cfg.Agents["Broadcaster"] = config.Agent{Runner: "broadcast", Author: x.names}
		cfg.Agents["Writer"], cfg.Agents["Far"] = local, config.Agent{Runner: "worker"}
		if x.others != "" {
			cfg.Agents["*"] = config.Agent{Runner: x.others}
		}
		r, err := New(cfg, nil, Own{Broadcaster: quoting{}})
		if err != nil {
			t.Fatal(err)
		}
		_, runner, err := r.Find("Podcast")
		if x.problem != "" {
			if err == nil || !strings.Contains(err.Error(), x.problem) {
				t.Errorf("%+v: %v", x, err)
			}
			continue
		}
		if made, ok := runner.(quoting); err != nil || !ok || made.author != x.author {
			t.Errorf("%+v: %+v, %v", x, runner, err)
		}
		if r.Rules.Stays("Broadcaster") != x.stays || r.Costs("Broadcaster") != x.costs {
			t.Errorf("%+v: stays %t, costs %t", x, r.Rules.Stays("Broadcaster"), r.Costs("Broadcaster"))
		}
		if x.author != "" != r.ShareLimit("Broadcaster", map[bool]string{true: "Writer", false: "Anyone"}[x.stays]) {
			t.Errorf("%+v: whose limit is whose", x)
		}
	}
}

// The Broadcaster does one thing at a time, and so does a controller of somebody else's.
func TestLane(t *testing.T) {
	for runner, want := range map[string]string{"broadcast": "Broadcaster", "command": "Broadcaster", "claude": ""} {
		cfg := config.Default()
		cfg.Agents["Broadcaster"] = config.Agent{Runner: runner, Command: []string{"x"}}
		r, err := New(cfg, nil, Own{})
		if err != nil {
			t.Fatal(err)
		}
		if name := r.Lane("podcast"); name != want {
			t.Errorf("%s: %q", runner, name)
		}
		if name := r.Lane("Miner"); name != "" {
			t.Errorf("the Miner is in the lane %q", name)
		}
	}
}

// Who writes is named by what a person has chosen, not by how it is started.
func TestNameAuthor(t *testing.T) {
	for _, x := range []struct {
		want, role string
		author     config.Agent
	}{
		{"claude", "*", config.Agent{Runner: "claude"}},
		{"small", "Writer", config.Agent{Runner: "openai", Model: "small"}},
		{"scribe", "Writer", config.Agent{Runner: "command", Command: []string{"/usr/local/bin/scribe", "-x"}}},
		{"the role Writer", "Writer", config.Agent{Runner: "command", Command: []string{"sh", "-c", "x"}}},
		{"your own command", "*", config.Agent{Runner: "command", Command: []string{"/bin/sh", "-c", "x"}}},
	} {
		if got := nameAuthor(x.role, x.author); got != x.want {
			t.Errorf("%+v is %q, want %q", x.author, got, x.want)
		}
	}
}

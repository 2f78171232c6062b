package roles

import (
	"errors"
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

// What is said of a role is what confines it: the kernel where it does, and otherwise
// why it does not.
func TestReach(t *testing.T) {
	old := errors.New("this kernel has no Landlock")
	acp := func(command string, a config.Agent) config.Agent {
		a.Runner, a.Command = "acp", []string{"/opt/" + command, "--acp"}
		return a
	}
	for _, test := range []struct {
		name                            string
		agent                           config.Agent
		kernel                          error
		read, write, network, shell, by string // each a part of what is said
	}{
		{"sandboxed", config.Agent{Runner: "claude", Tools: "none"}, nil, "its own files", "scratch folder, with a copy of its configuration", noTool, "none", "and the kernel"},
		{"without the kernel", config.Agent{Runner: "codex", Tools: "none"}, old, nothing, nothing, noTool, "none", "alone: no sandbox, because this kernel has no Landlock"},
		{"with a session", config.Agent{Runner: "claude", Tools: "none", Session: "s"}, nil, nothing, nothing, noTool, "none", "because it forks a session"},
		{"trusted", config.Agent{Runner: "pi", Tools: "none", Trust: true}, nil, nothing, nothing, noTool, "none", "because it is trusted"},
		{"subagents", config.Agent{Runner: "pi-subagents", Tools: "none"}, nil, "its own files", "scratch folder", noTool, "none", "and the kernel"},
		{"reads", config.Agent{Runner: "claude", Tools: "read"}, nil, shown + ", its scratch folder", "a copy of its configuration", noTool, "none", "its own settings, and the kernel"},
		{"reads without the kernel", config.Agent{Runner: "claude", Tools: "read"}, old, shown, nothing, noTool, "none", "its own settings alone: no sandbox, because this kernel"},
		{"reads with a session", config.Agent{Runner: "claude", Tools: "read", Session: "s"}, nil, shown, nothing, noTool, "none", "because it forks a session"},
		{"in no table", config.Agent{Runner: "copilot", Tools: "none"}, nil, nothing, nothing, noTool, "none", "alone: no sandbox, because nobody has measured"},
		{"reads nothing all the same", config.Agent{Runner: "copilot", Tools: "read"}, nil, nothing, nothing, noTool, "none", "its own settings"},
		{"reads with a shell", config.Agent{Runner: "codex", Tools: "read"}, nil, "the system's own files", nothing, noTool, "in its sandbox", "no sandbox, because its shell has one of its own"},
		{"a known adapter", acp("codex-acp", config.Agent{Tools: "none"}), nil, "its own files", "scratch folder", noTool, "none", "its mode, which asks before it acts, and refusing what it asks, and the kernel"},
		{"a known adapter without the kernel", acp("codex-acp", config.Agent{Tools: "none"}), old, anything, nothing, noTool, "what it runs without asking", "alone: no sandbox"},
		{"an unknown adapter", acp("mine", config.Agent{Tools: "none"}), nil, "without asking", nothing, noTool, "what it runs without asking", "because nobody has measured which files the program needs"},
		{"an adapter that reads", acp("gemini", config.Agent{Tools: "read"}), nil, "the vault, its hidden files too, its scratch folder", "a copy of its configuration", noTool, "none", "refusing what it asks, and the kernel"},
		{"an adapter that reads without the kernel", acp("gemini", config.Agent{Tools: "read"}), old, "the vault, its hidden files too, and what else it reads without asking", nothing, noTool, "what it runs without asking", "its mode"},
		{"an adapter that reads anywhere", acp("codex-acp", config.Agent{Tools: "read"}), nil, anything, nothing, noTool, "what it runs without asking", "its mode"},
		{"one by way of npx", config.Agent{Runner: "acp", Tools: "none", Command: []string{"npx", "-y", "@agentclientprotocol/codex-acp"}}, nil, anything, nothing, noTool, "what it runs without asking", "no sandbox, because npx starts it; install @agentclientprotocol/codex-acp and set command: [codex-acp] to have one"},
		{"an unknown one by way of npx", config.Agent{Runner: "acp", Tools: "none", Command: []string{"npx", "-y", "mine"}}, nil, "without asking", nothing, noTool, "what it runs without asking", "because nobody has measured"},
		{"a trusted adapter", acp("opencode", config.Agent{Tools: "none", Trust: true}), nil, anything, anything, "yes", "yes", "trusted"},
		{"any command", config.Agent{Runner: "command"}, nil, anything, anything, "yes", "yes", "nothing confines"},
		{"a model", config.Agent{Runner: "openai"}, nil, "text it is given", nothing, "its server alone", "none", "no tools"},
	} {
		got := findReach(test.agent, test.kernel)
		for _, pair := range [][2]string{{got.Read, test.read}, {got.Write, test.write}, {got.Network, test.network}, {got.Shell, test.shell}, {got.Guard, test.by}} {
			if !strings.Contains(pair[0], pair[1]) {
				t.Errorf("%s: %q has nothing of %q: %s", test.name, pair[0], pair[1], got)
			}
		}
	}
	if none := (Reach{}).String(); none != "" {
		t.Errorf("%q", none)
	}
}

// An adapter that is given no task as its role has it is not ready, and says what to do.
func TestRefusedIsNotReady(t *testing.T) {
	here, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	qwen := func(tools string, trust bool) config.Agent {
		return config.Agent{Runner: "acp", Tools: tools, Trust: trust, Command: []string{here, "@qwen-code/qwen-code", "--acp"}}
	}
	cfg := config.Default()
	cfg.Agents = map[string]config.Agent{"Reader": qwen("read", false), "Trusted": qwen("read", true), "Plain": qwen("none", false)}
	for _, private := range [][]string{nil, {"Journal/**"}} {
		cfg.Private = private // then nobody that leaves the machine reads
		all, err := New(cfg, nil, Own{})
		if err != nil {
			t.Fatal(err)
		}
		for _, role := range all.List() {
			refused := role.Role == "Reader" && private == nil
			if role.Usable == refused || refused != strings.Contains(role.Detail, "give the role tools: none or the runner qwen") {
				t.Errorf("private %q: %s is ready: %v, %q", private, role.Role, role.Usable, role.Detail)
			}
		}
	}
}

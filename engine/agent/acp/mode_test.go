package acp

import (
	"errors"
	"strings"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
)

// Which mode an agent is put into, and how. The first of the modes is the one that the
// session begins in.
func TestMode(t *testing.T) {
	t.Parallel()
	for role, want := range map[string]string{
		"in modes auto,acceptEdits,default,plan":        `session/set_mode {"modeId":"default","sessionId":"s1"}`,
		"in modes agent,default,read-only":              `session/set_mode {"modeId":"read-only","sessionId":"s1"}`,
		"in options auto,default,plan":                  `session/set_config_option {"configId":"how","sessionId":"s1","value":"default"}`,
		"in groups agent,agent-full-access,read-only":   `session/set_config_option {"configId":"how","sessionId":"s1","value":"read-only"}`,
		"in modes default,yolo":                         "", // it is there already
		"in options read-only,agent,agent-full-access,": "",
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			a, task, log := agentThat(t, role)
			if reply, err := a.Run(t.Context(), task); err != nil || reply.Text != "On Friday.\n" {
				t.Errorf("%+v, %v", reply, err)
			}
			before, _, asked := strings.Cut(log(), `"prompt":`)
			if !asked || !strings.Contains(before, want) || want == "" && strings.Contains(before, "session/set_") {
				t.Errorf("before the prompt was said: %s\nwant %s", before, want)
			}
		})
	}
}

// Qwen Code gets no task with tools: read, for it reads without asking; in other ways it does.
func TestReadsUnasked(t *testing.T) {
	t.Parallel()
	for name, trust := range map[string]bool{"refused": false, "trusted": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, task, log := agentThat(t, "in modes default,yolo")
			a.Tools, a.Trust = agent.ToolsRead, trust
			a.Command = append(a.Command, "@qwen-code/qwen-code")
			_, err := a.Run(t.Context(), task)
			if !trust && (err == nil || !strings.Contains(err.Error(), "without asking, also outside of the vault")) || trust && err != nil {
				t.Errorf("%v", err)
			}
			if strings.Contains(log(), `"prompt":`) != trust {
				t.Errorf("what was said: %s", log())
			}
		})
	}
	for _, c := range []struct {
		command []string
		info    *sdk.Implementation
		want    bool
	}{
		{[]string{"/usr/bin/qwen", "--acp"}, nil, true},
		{[]string{"acp-proxy"}, &sdk.Implementation{Name: "Qwen-Code"}, true},
		{[]string{"codex-acp"}, &sdk.Implementation{Name: "codex"}, false},
		{[]string{"gemini", "--acp"}, nil, false},
	} {
		if got := isAgent("qwen", c.command, c.info); got != c.want {
			t.Errorf("%q, %+v: %v", c.command, c.info, got)
		}
	}
}

// An agent that would act without asking gets no task.
func TestNoAskingMode(t *testing.T) {
	t.Parallel()
	for role, want := range map[string]string{
		"in modes auto,plan,yolo":  "PROGRAM has no mode that is known to ask before it acts (its modes are auto, plan, yolo)" + trustIt,
		"in options build,plan":    "PROGRAM has no mode that is known to ask before it acts (its modes are build, plan)" + trustIt,
		"in nothing":               "PROGRAM has no mode that is known to ask before it acts (it has no modes)" + trustIt,
		"in options! auto,default": `PROGRAM was told to work in its mode "default" and is in "auto"`,
		"in options? auto,default": "PROGRAM failed: not today",
		"in modes? auto,default":   "PROGRAM failed: not today",
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			a, task, log := agentThat(t, role)
			_, err := a.Run(t.Context(), task)
			failure, ok := errors.AsType[*agent.Failure](err)
			if want := strings.ReplaceAll(want, "PROGRAM", a.programName()); !ok || err.Error() != want {
				t.Errorf("%#v\n got %v\nwant %s", failure, err, want)
			}
			if strings.Contains(log(), `"prompt":`) {
				t.Errorf("it was given the task: %s", log())
			}
		})
	}
}

const trustIt = "; set trust: true for the role to let it do what it likes"

// Trust lets an agent without such a mode run, and takes no mode away from one that has it.
func TestTrust(t *testing.T) {
	for role, sets := range map[string]bool{"in modes auto,yolo": false, "in nothing": false, "in modes auto,default": true} {
		a, task, log := agentThat(t, role)
		a.Trust = true
		if reply, err := a.Run(t.Context(), task); err != nil || reply.Text != "On Friday.\n" {
			t.Errorf("%s: %+v, %v", role, reply, err)
		}
		if strings.Contains(log(), "session/set_mode") != sets {
			t.Errorf("%s: %s", role, log())
		}
	}
}

// A run ends when the agent goes over to another mode, and its answer is not taken.
func TestLeavesMode(t *testing.T) {
	for role, told := range map[string]bool{"leaves:acceptEdits": true, "leaves late:bypass\x1bPermissions": false} {
		a, task, log := agentThat(t, role)
		a.words = 24 * time.Hour // the machine may be slow
		reply, err := a.Run(t.Context(), task)
		failure, ok := errors.AsType[*agent.Failure](err)
		if !ok || failure.Kind != agent.Permanent || !strings.HasPrefix(err.Error(), a.programName()+` left its mode "default" for "`) {
			t.Errorf("%s: %+v, %v", role, reply, err)
		}
		if strings.Contains(log(), "cancelled") != told {
			t.Errorf("%s: %s", role, log())
		}
	}
	a, task, _ := agentThat(t, "leaves late:default") // tells that it stays
	if reply, err := a.Run(t.Context(), task); err != nil || reply.Text != "Done." {
		t.Errorf("%+v, %v", reply, err)
	}
}

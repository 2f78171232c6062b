package roles

import (
	"context"
	"errors"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
)

const programKey = "sk-ant-api03-Bh6/tY+Uc4&nWq9DgLk8Zs5Xj7Vm3"

// revealing fails and shows what it knows.
type revealing struct{ agent.Runner }

func (revealing) Run(context.Context, agent.Task) (agent.Reply, error) {
	return agent.Reply{}, &agent.Failure{Reason: "it failed for " + programKey, Detail: `bad key \u0073k-ant-api03-Bh6\/tY+Uc4 by pr0xyw0rd`, Cause: &agent.NotLoggedIn{Program: "p"},
		Usage: agent.Usage{Model: "m-" + programKey, Input: 1}}
}

func (r revealing) RunBatch(ctx context.Context, b agent.Batch) (all []agent.Outcome) {
	for range b.Tasks {
		reply, err := r.Run(ctx, agent.Task{})
		all = append(all, agent.Outcome{Reply: reply, Err: err})
	}
	return all
}

func (revealing) Own(task agent.Task) agent.Task { return task }
func (revealing) BatchKey() string               { return "" }

// Whatever a runner says of its failure, the keys of its role are not in it; who acts on its cause still can.
func TestFailuresHaveNoKeys(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://me:pr0xyw0rd@127.0.0.1:1")
	for name, secrets := range map[string]config.Agent{
		"of a program": {Env: map[string]string{"ANTHROPIC_API_KEY": programKey}},
		"of a command": {Command: []string{"curl", "-H", "Authorization: Bearer " + programKey}},
		"of a server":  {KeyEnv: "MODELS_KEY", Env: map[string]string{"MODELS_KEY": programKey}},
	} {
		r := secretsOf(secrets)
		batch := batchRole{BatchRunner: revealing{}, secrets: r}
		_, played := playedRole{Runner: revealing{}, secrets: r}.Run(t.Context(), agent.Task{})
		_, alone := withoutSecrets{revealing{}, r}.Run(t.Context(), agent.Task{})
		_, one := batch.Run(t.Context(), agent.Task{})
		for _, err := range []error{played, alone, one, batch.RunBatch(t.Context(), agent.Batch{Tasks: make([]agent.Task, 1)})[0].Err} {
			f, ok := errors.AsType[*agent.Failure](err)
			if !ok || f.Error() != "it failed for (the key): bad key (the key) by (the key)" || f.Usage.Model != "m-(the key)" || f.Usage.Input != 1 {
				t.Errorf("%s: %v", name, err)
			}
			if _, ok := errors.AsType[*agent.NotLoggedIn](err); !ok {
				t.Errorf("%s: its cause is gone", name)
			}
		}
	}
}

// A role with a key that no server would take answers nothing, and says which variable it is.
func TestMalformedKeysAreRefused(t *testing.T) {
	t.Setenv("MODELS_KEY", "Bearer "+programKey)
	cfg := config.Default()
	cfg.Agents = map[string]config.Agent{
		"Server":  {Runner: "openai", URL: "http://127.0.0.1:1", KeyEnv: "MODELS_KEY"},
		"Program": {Runner: "claude", Env: map[string]string{"ANTHROPIC_API_KEY": `"` + programKey + `"`}},
		"Command": {Runner: "command", Command: []string{"true"}, Env: map[string]string{"GITHUB_TOKEN": programKey + "\u200b"}},
		"Good":    {Runner: "command", Command: []string{"true"}, Env: map[string]string{"GITHUB_TOKEN": programKey, "KEY_TEXT": "two words"}},
	}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	for role, variable := range map[string]string{"Server": "MODELS_KEY", "Program": "ANTHROPIC_API_KEY", "Command": "GITHUB_TOKEN", "Good": ""} {
		_, runner, err := r.Find(role)
		if variable != "" && err == nil {
			_, err = runner.Run(t.Context(), agent.Task{})
		}
		if described, _ := r.describe(role); variable != "" && (err == nil || described.Usable || !strings.Contains(described.Detail, variable)) {
			t.Errorf("%s: %v, %+v", role, err, described)
		}
		if variable == "" && err != nil || variable != "" && (!strings.Contains(err.Error(), variable) || strings.Contains(err.Error(), "sk-ant")) {
			t.Errorf("%s: %v", role, err)
		}
	}
}

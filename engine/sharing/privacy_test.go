package sharing

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

func TestStays(t *testing.T) {
	for _, tt := range []struct {
		agent config.Agent
		want  bool
	}{
		{config.Agent{Runner: "builtin"}, true},
		{config.Agent{Runner: "broadcast"}, true},
		{config.Agent{Runner: "command"}, false},
		{config.Agent{Runner: "command", Local: true}, true},
		{config.Agent{Runner: "claude"}, false},
		{config.Agent{Runner: "pi", Local: true}, true},
		{config.Agent{Runner: "acp", URL: "http://127.0.0.1:11434"}, false},
		{config.Agent{Runner: "openai", URL: "http://127.0.0.1:11434"}, true},
		{config.Agent{Runner: "openai", URL: "http://127.8.9.1"}, true},
		{config.Agent{Runner: "openai", URL: "http://LOCALHOST:1234/v1"}, true},
		{config.Agent{Runner: "openai", URL: "http://[::1]:8080"}, true},
		{config.Agent{Runner: "openai", URL: "http://127.0.0.1.example.com"}, false},
		{config.Agent{Runner: "openai", URL: "http://localhost.example.com"}, false},
		{config.Agent{Runner: "openai", URL: "http://0.0.0.0:11434"}, false},
		{config.Agent{Runner: "openai", URL: "http://192.168.1.5:11434"}, false},
		{config.Agent{Runner: "openai", URL: "http://192.168.1.5:11434", Local: true}, true},
		{config.Agent{Runner: "openai", URL: "https://models.example/127.0.0.1"}, false},
		{config.Agent{Runner: "openai", URL: "http://127.0.0.1:11434", Model: "gpt-oss:120b-cloud"}, false},
		{config.Agent{Runner: "openai", URL: "http://127.0.0.1:11434", Model: "GLM-5:Cloud"}, false},
		{config.Agent{Runner: "openai", URL: "http://127.0.0.1:11434", Model: "glm-5:cloud", Local: true}, true},
		{config.Agent{Runner: "openai", URL: "http://127.0.0.1:11434", Model: "cloudy:7b"}, true},
		{config.Agent{Runner: "openai"}, false},
		{config.Agent{}, false},
	} {
		if got := Stays(tt.agent); got != tt.want {
			t.Errorf("%+v: %t", tt.agent, got)
		}
	}
}

func TestEmbedderStays(t *testing.T) {
	for _, tt := range []struct {
		embedding config.Embedding
		want      bool
	}{
		{config.Embedding{Provider: "none"}, true},
		{config.Embedding{Provider: "static", Model: "/models/potion"}, true},
		{config.Embedding{Provider: "ollama", Model: "embeddinggemma"}, true},
		{config.Embedding{Provider: "ollama", URL: "http://nas:11434"}, false},
		{config.Embedding{Provider: "openai", URL: "http://localhost:8080"}, true},
		{config.Embedding{Provider: "openai", URL: "https://models.example"}, false},
		{config.Embedding{Provider: "ollama", Model: "some:cloud"}, false},
	} {
		if got := EmbedderStays(tt.embedding); got != tt.want {
			t.Errorf("%+v: %t", tt.embedding, got)
		}
	}
}

func TestIsNotEmbedded(t *testing.T) {
	cfg := config.Config{Private: []string{"Journal/**"}, Embedding: config.Embedding{Provider: "openai", URL: "https://models.example"}}
	if r := rulesOf(cfg); !r.IsNotEmbedded("Journal/a.md") || r.IsNotEmbedded("a.md") {
		t.Error("an embedder elsewhere is given private notes, or not given others")
	}
	cfg.Embedding.URL = "http://localhost:8080"
	if rulesOf(cfg).IsNotEmbedded("Journal/a.md") {
		t.Error("an embedder of this machine is not given private notes")
	}
}

// rulesOf are rules by which the roles that begin with "Here" stay.
func rulesOf(cfg config.Config) *Rules {
	return NewRules(cfg, func(role string) bool { return strings.HasPrefix(role, "Here") })
}

func TestPrivateNotes(t *testing.T) {
	r := rulesOf(config.Config{Private: []string{"Journal/**", "**/Di\u00e4t*"}})
	for rel, want := range map[string]bool{
		"Journal/a.md": true, "journal/2026/a.md": true, "Journal.md": false, "Work/Journal/a.md": false,
		"Work/Dia\u0308t.md": true, "Di\u00e4tplan.md": true, "Diat.md": false, "a.md": false,
	} {
		if got := r.IsPrivate(rel); got != want {
			t.Errorf("%s: %t", rel, got)
		}
		reason := r.WhyNotAsked("Editor", rel)
		if want != (reason != "") || want && !strings.HasPrefix(reason, "the note is private (wiki.private: ") {
			t.Errorf("%s: %q", rel, reason)
		}
		if reason := r.WhyNotAsked("HereEditor", rel); reason != "" {
			t.Errorf("%s: %q", rel, reason)
		}
	}
	if none := rulesOf(config.Config{}); none.IsPrivate("Journal/a.md") || none.HideNotes() || none.HideAny() || !r.HideNotes() || !r.HideAny() {
		t.Error("without patterns something is private")
	}
}

func TestMayLeave(t *testing.T) {
	cfg := config.Config{Private: []string{"Journal/**"}, Agents: map[string]config.Agent{
		"Doctor": {Runner: "command", Private: true}, "Editor": {Runner: "claude"}, "Miner": {Runner: "builtin"},
	}}
	public := journal.Exchange{File: "a.md", Role: "Editor", Runner: "claude"}
	for name, tt := range map[string]struct {
		change func(x *journal.Exchange)
		want   bool
	}{
		"of a hosted agent":        {func(*journal.Exchange) {}, true},
		"of a role that is gone":   {func(x *journal.Exchange) { x.Role = "Gone" }, true},
		"of a local model":         {func(x *journal.Exchange) { x.Runner, x.Recipe.Local = "openai", true }, false},
		"of a local program":       {func(x *journal.Exchange) { x.Runner, x.Recipe.Local = "command", true }, false},
		"of the Miner":             {func(x *journal.Exchange) { x.Runner, x.Recipe.Local = "builtin", true }, true},
		"of a private role":        {func(x *journal.Exchange) { x.Role = "doctor" }, false},
		"of a private note":        {func(x *journal.Exchange) { x.File = "Journal/a.md" }, false},
		"quoting a private note":   {func(x *journal.Exchange) { x.Recipe.Sources = []string{"b.md", "Journal/a.md"} }, false},
		"quoting a public note":    {func(x *journal.Exchange) { x.Recipe.Sources = []string{"b.md"} }, true},
		"of the Miner, of private": {func(x *journal.Exchange) { x.Runner, x.File = "builtin", "journal/x.md" }, false},
	} {
		x := public
		tt.change(&x)
		if got := rulesOf(cfg).MayLeave(x); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if !rulesOf(config.Config{Agents: cfg.Agents}).HideAny() {
		t.Error("a private role hides nothing")
	}
}

func TestHoldsBlock(t *testing.T) {
	const block = "> <!-- agent-response -->\r\n> short\r\n> the longest of the lines\r\n> <!-- /agent-response -->\r\n"
	for src, want := range map[string]bool{
		"top\r\n" + block + "end":                   true,
		strings.ReplaceAll("top\n"+block, "\r", ""): true,
		"top\n> the longest of the lines, edited\n": true,
		"top\n> short\n":                            false,
		"<!-- agent-response -->\n":                 false,
		"":                                          false,
	} {
		if got := HoldsBlock([]byte(src), []byte(block)); got != want {
			t.Errorf("%q: %t", src, got)
		}
	}
	if HoldsBlock([]byte("anything"), nil) || HoldsBlock([]byte("<!-- agent-response -->"), []byte("<!-- agent-response -->\n")) {
		t.Error("no text stands there")
	}
}

package config

import "testing"

func TestWhoCosts(t *testing.T) {
	for text, want := range map[string]bool{
		"{runner: builtin}":                                              false,
		"{runner: broadcast}":                                            false,
		"{runner: claude}":                                               true,
		"{runner: claude, costs: false}":                                 false,
		"{runner: claude, costs: true}":                                  true,
		"{runner: command, command: [x]}":                                true,
		"{runner: acp, command: [x]}":                                    true,
		"{runner: pi-subagents}":                                         true,
		"{runner: openai, url: 'http://127.0.0.1:11434/v1'}":             false,
		"{runner: openai, url: 'http://localhost:1/v1'}":                 false,
		"{runner: openai, url: 'http://[::1]:1/v1'}":                     false,
		"{runner: openai, url: 'https://api.example.com/v1'}":            true,
		"{runner: openai, url: 'https://localhost.example.com/v1'}":      true,
		"{runner: openai, url: 'http://192.168.1.2:11434/v1'}":           true,
		"{runner: openai, url: 'http://192.168.1.2:1/v1', costs: false}": false,
	} {
		c := mustParse(t, "wiki:\n  agents:\n    Editor: "+text+"\n")
		if a, ok := c.Agent("editor"); !ok || a.Costs() != want {
			t.Errorf("%s costs: %v", text, a.Costs())
		}
	}
}

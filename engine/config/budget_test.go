package config

import (
	"strings"
	"testing"
)

// A limit in dollars is refused where nobody can say what an answer costs, with what to write.
func TestBudgetNeedsAPrice(t *testing.T) {
	for text, want := range map[string]string{
		"limits: {dollarsPerDay: 5}":                                                       "",
		"limits: {dollarsPerDay: 5}, agents: {Editor: {runner: claude}}":                   "",
		"limits: {dollarsPerDay: 5}, agents: {Editor: {runner: codex}}":                    "wiki.agents.Editor.price: missing: wiki.limits.dollarsPerDay is a limit in dollars, and what answers Editor does not tell what it costs; add its price for a million tokens, such as price: {in: 3, out: 15}, or costs: false",
		"limits: {dollarsPerDay: 5}, agents: {Editor: {runner: codex, costs: false}}":      "",
		"limits: {dollarsPerDay: 5}, agents: {Editor: {runner: codex, price: {in: 1.25}}}": "wiki.agents.Editor.price: says in without out, so answers would count as free; write both, such as price: {in: 3, out: 15}",
		"agents: {Editor: {runner: codex, price: {out: 15}}}":                              "says out without in",
		"agents: {Editor: {runner: codex, price: {in: 3, out: 0}}}":                        "",
		"agents: {Editor: {runner: codex, price: {}}}":                                     "",
		"limits: {tokensPerDay: 5}, agents: {Editor: {runner: codex}}":                     "",
		"agents: {Editor: {runner: codex, limits: {dollarsPerDay: 1}}}":                    "wiki.agents.Editor.limits.dollarsPerDay is a limit in dollars",
		"agents: {Editor: {runner: codex, limits: {dollarsPerDay: -1}}}":                   "-1 is not a number of dollars",
		"agents: {Editor: {runner: codex, price: {in: -1, out: 1}}}":                       "-1 is not a number of dollars",
		"agents: {Editor: {runner: codex, price: 3}}":                                      "expected a block such as {in: 3, out: 15}",
		"limits: {tokensPerDay: -1}":                                                       "-1 is not a number of tokens",
		"limits: {dollarsPerDay: .nan}":                                                    "is not a number of dollars",
	} {
		_, err := parseConfig("c.yaml", []byte("wiki: {"+text+"}\n"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	c := mustParse(t, "wiki: {limits: {dollarsPerDay: 2.5, tokensPerDay: 9}, agents: {Editor: {runner: acp, command: [x], price: {in: 3, out: 15}, limits: {tokensPerDay: 7}}}}")
	if a, _ := c.Agent("editor"); c.Limits.Budget != (Budget{2.5, 9}) || a.Price != (Price{3, 15}) || a.Limits != (Budget{TokensPerDay: 7}) {
		t.Errorf("%+v, %+v", c.Limits, a)
	}
}

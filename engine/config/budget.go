package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/config/yamltext"
)

// Budget is what may be used in a day; 0 is no limit.
type Budget struct {
	DollarsPerDay float64
	TokensPerDay  int
}

// Price is what a million tokens cost, in dollars.
type Price struct{ Input, Output float64 }

// readBlock reads the fields of a block of a role, such as price; no node is nothing said.
func (l *loader) readBlock(key, example string, n *yaml.Node, fields map[string]any) {
	switch {
	case n == nil:
	case n.Kind != yaml.MappingNode:
		l.refuse(key, fmt.Errorf("expected a block such as %s, found %s", example, yamltext.Describe(n)))
	default:
		l.readFields(key, n, fields)
	}
}

// readPrice reads the price of a role, which has both parts: one that is not said would count as free.
func (l *loader) readPrice(key string, n *yaml.Node) Price {
	p := Price{math.NaN(), math.NaN()}
	l.readBlock(key, "{in: 3, out: 15}", n, map[string]any{"in": &p.Input, "out": &p.Output})
	const refusal = "says %s without %s, so %s would count as free; write both, such as price: {in: 3, out: 15}"
	switch noInput, noOutput := math.IsNaN(p.Input), math.IsNaN(p.Output); {
	case noInput && noOutput:
		return Price{}
	case noOutput:
		l.refuse(key, fmt.Errorf(refusal, "in", "out", "answers"))
	case noInput:
		l.refuse(key, fmt.Errorf(refusal, "out", "in", "questions"))
	}
	return p
}

var (
	checkDollars = numberWithin(0.0, 1_000_000, "is not a number of dollars")
	checkTokens  = numberWithin(0, 1_000_000_000_000, "is not a number of tokens")
)

func (b Budget) check() error {
	return errors.Join(checkDollars(b.DollarsPerDay), checkTokens(b.TokensPerDay))
}

func (p Price) check() error { return errors.Join(checkDollars(p.Input), checkDollars(p.Output)) }

// checkBudgets refuses a limit in dollars for a role whose costs in dollars are unknown.
func (c *Config) checkBudgets(refuse func(key string, err error)) {
	for _, role := range slices.Sorted(maps.Keys(c.Agents)) {
		a, limit := c.Agents[role], agentsKey+"."+role+".limits.dollarsPerDay"
		if a.Limits.DollarsPerDay == 0 && a.Costs() {
			limit = "wiki.limits.dollarsPerDay"
		}
		limited := a.Limits.DollarsPerDay > 0 || a.Costs() && c.Limits.DollarsPerDay > 0
		runner, _ := runners.Find(a.Runner)
		if limited && !runner.TellsDollars && a.Price == (Price{}) {
			refuse(agentsKey+"."+role+".price", fmt.Errorf("missing: %s is a limit in dollars, and what answers %s does not tell what it costs; "+
				"add its price for a million tokens, such as price: {in: 3, out: 15}, or costs: false", limit, role))
		}
	}
}

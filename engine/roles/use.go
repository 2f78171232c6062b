package roles

import (
	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/budget"
)

// Price returns what a run of a role's agent has used as it counts for the budgets: what its program tells, else by the role's
// price, and where not even tokens are told, by the lengths of what it was asked and has answered. told is what a person is
// shown: with the dollars of the price.
func (r *Roles) Price(role string, told agent.Usage, asked, answered int) (agent.Usage, budget.Use) {
	a, _, _ := r.agentOf(role)
	price := r.answering(a).Price
	in, out := told.Input, told.Output
	if in+out == 0 {
		in, out = budget.EstimateTokens(asked), budget.EstimateTokens(answered)
	}
	used := budget.Use{Dollars: told.Cost, Tokens: in + out}
	if used.Dollars == 0 {
		used.Dollars = budget.DollarsOf(price, in, out)
	}
	if told.Input+told.Output > 0 {
		told.Cost = used.Dollars
	}
	return told, used
}

// Estimate returns what a text will cost at least to be read by a role's agent; without a price no dollars are known.
func (r *Roles) Estimate(role string, bytes int) budget.Use {
	a, _, _ := r.agentOf(role)
	tokens := budget.EstimateTokens(bytes)
	return budget.Use{Dollars: budget.DollarsOf(r.answering(a).Price, tokens, 0), Tokens: tokens}
}

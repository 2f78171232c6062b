package engine

import (
	"context"

	"vaultdispatcher/engine/agent"
)

// played is a runner that speaks in the words of a role's definition.
type played struct {
	agent.Runner
	prompt string
}

// Run implements [agent.Runner].
func (p played) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	task.System = p.prompt
	return p.Runner.Run(ctx, task)
}

// together is a role whose runner carries several tasks; each of them is in the
// words of its own role.
type together struct {
	agent.BatchRunner
	prompt string
}

// Run implements [agent.Runner].
func (p together) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	return p.BatchRunner.Run(ctx, p.Own(task))
}

// Own implements [agent.BatchRunner].
func (p together) Own(task agent.Task) agent.Task {
	task.System = p.prompt
	return task
}

// misdefined stands for a role whose definition cannot be used. It fails, and
// says why, rather than answer in other words than those that were wanted.
type misdefined struct{ err error }

// Run implements [agent.Runner].
func (m misdefined) Run(context.Context, agent.Task) (agent.Reply, error) {
	return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: m.err.Error(), Cause: m.err}
}

// Capabilities implements [agent.Runner].
func (m misdefined) Capabilities() agent.Capabilities { return agent.Capabilities{} }

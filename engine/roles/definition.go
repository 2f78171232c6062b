package roles

import (
	"context"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/syserr"
)

// playedRole is a runner with the prompt of a role's definition.
type playedRole struct {
	agent.Runner
	prompt string
}

// Run implements [agent.Runner].
func (p playedRole) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	task.System = p.prompt
	return p.Runner.Run(ctx, task)
}

// batchRole is a playedRole whose runner carries several tasks at once; each task
// keeps the prompt of its own role.
type batchRole struct {
	agent.BatchRunner
	prompt  string
	company string // equal for roles that may see each other's tasks
}

// BatchKey implements [agent.BatchRunner].
func (p batchRole) BatchKey() string { return p.company + " " + p.BatchRunner.BatchKey() }

// Run implements [agent.Runner].
func (p batchRole) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	return p.BatchRunner.Run(ctx, p.Own(task))
}

// Own implements [agent.BatchRunner].
func (p batchRole) Own(task agent.Task) agent.Task {
	task.System = p.prompt
	return task
}

// brokenRole is a role whose definition cannot be used. It fails and says why,
// rather than answer with another prompt.
type brokenRole struct{ err error }

// Run implements [agent.Runner].
func (m brokenRole) Run(context.Context, agent.Task) (agent.Reply, error) {
	return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: syserr.Plain(m.err), Cause: m.err}
}

// Capabilities implements [agent.Runner].
func (m brokenRole) Capabilities() agent.Capabilities { return agent.Capabilities{} }

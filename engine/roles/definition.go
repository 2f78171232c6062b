package roles

import (
	"context"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/secret"
	"vaultdispatcher/engine/syserr"
)

// playedRole is a runner with the prompt of a role's definition, in whose failures no secret of the role is.
type playedRole struct {
	agent.Runner
	prompt  string
	secrets secret.Redactor
}

// Run implements [agent.Runner].
func (p playedRole) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	task.System = p.prompt
	task.TellCall()
	return hideSecrets(p.secrets)(p.Runner.Run(ctx, task))
}

// batchRole is a playedRole whose runner carries several tasks at once; each task
// keeps the prompt of its own role.
type batchRole struct {
	agent.BatchRunner
	prompt  string
	secrets secret.Redactor
	company string // equal for roles that may see each other's tasks
}

// BatchKey implements [agent.BatchRunner].
func (p batchRole) BatchKey() string { return p.company + " " + p.BatchRunner.BatchKey() }

// Run implements [agent.Runner].
func (p batchRole) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	task.TellCall()
	return hideSecrets(p.secrets)(p.BatchRunner.Run(ctx, p.Own(task)))
}

// RunBatch implements [agent.BatchRunner].
func (p batchRole) RunBatch(ctx context.Context, b agent.Batch) []agent.Outcome {
	for _, task := range b.Tasks {
		task.TellCall()
	}
	outcomes := p.BatchRunner.RunBatch(ctx, b)
	for i, o := range outcomes {
		outcomes[i].Reply, outcomes[i].Err = hideSecrets(p.secrets)(o.Reply, o.Err)
	}
	return outcomes
}

// Own implements [agent.BatchRunner].
func (p batchRole) Own(task agent.Task) agent.Task {
	task.System = p.prompt
	return task
}

// brokenRole is a role whose definition or key cannot be used. It fails and says why,
// rather than answer with another prompt, or send what is no key.
type brokenRole struct{ err error }

// Run implements [agent.Runner].
func (m brokenRole) Run(context.Context, agent.Task) (agent.Reply, error) {
	return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: syserr.Plain(m.err), Cause: m.err}
}

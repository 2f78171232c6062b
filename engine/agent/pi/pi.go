// Package pi answers tasks with the subagents of pi: the package pi-subagents,
// which runs several agents for one call of its tool.
//
// [New] makes the runner of a role. [Runner.RunBatch] carries a whole payload,
// tasks or chain, to the tool; [Runner.Run] is a payload of one. The payload is
// ours, and is translated for the version that is installed: up to 0.40 the tool
// takes tasks and chain as they are, from 0.41 on a script that says the same.
//
// A small extension of ours calls the tool, so no model decides what is run. If that extension gets no answer,
// because its inner events have changed, each task is given to pi itself.
//
// # Promises
//
// The role alone defines an agent: its file is made for the run, under a random name, and pi does not read the
// vault's own settings for it. It has no tools, or only tools that read. If the user has a definition named
// vault-mind-<role> in pi's own folder, that one is used instead, under that name. One that may do more than read is
// refused, unless the role trusts it. Every result is checked by itself, because the tool reports success even if all
// its agents have failed.
//
// The project history is a session of pi, made for the run, which every agent
// forks. Tasks with different histories cannot share one; they bring theirs as a
// block of the prompt. Nothing is left behind in the vault or in pi's folders.
package pi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"vaultdispatcher/engine/agent"
)

const (
	program = "pi"
)

// Runner is pi with its subagents and the settings of one role.
type Runner struct {
	settings agent.Settings
	plain    agent.Runner // pi without its subagents
}

var _ agent.BatchRunner = (*Runner)(nil)

// New returns the runner of a role; plain is what answers a task where the
// subagents cannot be reached.
func New(s agent.Settings, plain agent.Runner) *Runner {
	if s.Tools == "" {
		s.Tools = agent.ToolsNone
	}
	s.Timeout = s.TimeLimit()
	return &Runner{settings: s, plain: plain}
}

// Program returns the name under which pi is looked up, or its path.
func (r *Runner) Program() string { return cmp.Or(r.settings.Program, program) }

// BatchKey is equal for equal settings.
func (r *Runner) BatchKey() string { return fmt.Sprintf("pi-subagents %+v", r.settings) }

// Own returns the task as it is: a role without words of its own.
func (r *Runner) Own(task agent.Task) agent.Task { return task }

// Run carries one task.
func (r *Runner) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	outcome := r.RunBatch(ctx, agent.Batch{Tasks: []agent.Task{task}, Concurrency: 1})[0]
	return outcome.Reply, outcome.Err
}

// RunBatch carries a payload to the tool and returns what became of each task.
func (r *Runner) RunBatch(ctx context.Context, b agent.Batch) []agent.Outcome {
	b.Concurrency = max(b.Concurrency, 1)
	if err := r.checkBatch(b); err != nil {
		return failAll(b, err)
	}
	own := r.findDefinitions()
	if refused := r.refuse(b, own); refused != nil {
		return refused
	}
	outcomes, err := r.callTool(ctx, b, own)
	switch {
	case errors.Is(err, errUnreachable) && r.plain != nil:
		return r.askEach(ctx, b)
	case errors.Is(err, errUnreachable):
		return failAll(b, &agent.Failure{Kind: agent.Transient, Cause: err, Reason: err.Error()})
	case err != nil:
		return failAll(b, err)
	}
	return outcomes
}

// errUnreachable means that no agent was started and none will be.
var errUnreachable = errors.New("pi-subagents gave no answer")

// checkBatch refuses what pi would misread or cannot take.
func (r *Runner) checkBatch(b agent.Batch) error {
	if s := r.settings.Model; strings.HasPrefix(s, "-") || strings.ContainsAny(s, "\r\n") {
		return &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf("the model %q would read as an option of pi", s)}
	}
	for _, t := range b.Tasks {
		if n := utf8.RuneCountInString(t.Text); n > agent.MaxPrompt {
			return &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf(
				"the prompt has %d characters and pi takes %d; ask for less of the note with wiki.context", n, agent.MaxPrompt)}
		}
	}
	return nil
}

// callTool runs pi once for the whole batch.
func (r *Runner) callTool(ctx context.Context, b agent.Batch, own map[string]definition) ([]agent.Outcome, error) {
	tool, err := r.awaitTool(ctx, b.Tasks[0].Root)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "vault-dispatcher-")
	if err != nil {
		return nil, agent.Unwritable(err)
	}
	defer os.RemoveAll(scratch)
	p, err := r.prepareRun(b, tool, own, scratch)
	if err != nil {
		return nil, agent.Unwritable(err)
	}
	ended, err := p.Run(ctx)
	if err != nil {
		return nil, err
	}
	return readOutcomes(scratch, len(b.Tasks), tool, ended)
}

// askEach asks pi itself, task by task, as the batch says.
func (r *Runner) askEach(ctx context.Context, b agent.Batch) []agent.Outcome {
	outcomes := make([]agent.Outcome, len(b.Tasks))
	if b.Chain {
		for i, task := range b.Tasks {
			if i > 0 {
				if outcomes[i-1].Err != nil {
					outcomes[i].Err = agent.ErrNoTurn
					continue
				}
				task = task.WithPrevious(outcomes[i-1].Reply.Text)
			}
			outcomes[i].Reply, outcomes[i].Err = r.plain.Run(ctx, task)
		}
		return outcomes
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, b.Concurrency)
	for i, task := range b.Tasks {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			outcomes[i].Reply, outcomes[i].Err = r.plain.Run(ctx, task)
		})
	}
	wg.Wait()
	return outcomes
}

// failAll is the same error for every task.
func failAll(b agent.Batch, err error) []agent.Outcome {
	outcomes := make([]agent.Outcome, len(b.Tasks))
	for i := range outcomes {
		outcomes[i].Err = err
	}
	return outcomes
}

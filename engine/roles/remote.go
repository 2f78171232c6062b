package roles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/syserr"
)

// This file has the roles that another machine answers, and what a worker answers for others.

// Remote is what the queue of an engine needs.
type Remote struct {
	State   string // folder of the engine; "" = no queue
	Journal *journal.Journal
	Log     *slog.Logger
}

// newQueue returns the queue, or nil where nothing is asked of workers.
func (r *Roles) newQueue(remote Remote) *queue.Client {
	if remote.State == "" || len(r.remoteRoles()) == 0 {
		return nil
	}
	return queue.NewClient(queue.Options{
		Credentials: func() (queue.Credentials, error) { return Credentials(r.config, remote.State) },
		IsOpen: func(ctx context.Context, id string, attempt int) bool {
			d, err := remote.Journal.Get(ctx, id)
			if err != nil {
				return !errors.Is(err, journal.ErrNotFound)
			}
			return !d.Answered && d.Attempts == attempt && (d.Status == journal.Queued || d.Status == journal.Processing)
		},
		Log: remote.Log,
	})
}

// Credentials open the queue that a configuration names, else the hub of this user on this machine.
func Credentials(cfg config.Config, state string) (queue.Credentials, error) {
	file := queue.EngineFile(state)
	if named := cfg.Queue.Credentials; named != "" {
		file = named
		if rest, ok := strings.CutPrefix(named, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				file = filepath.Join(home, rest)
			}
		}
	}
	c, err := queue.Read(file, cfg.Queue.URL, cfg.Queue.Name)
	if errors.Is(err, fs.ErrNotExist) && cfg.Queue.Credentials == "" {
		return c, errors.New("there is no hub on this machine yet; start one with wiki hub")
	}
	return c, err
}

// remoteRoles are the roles that workers answer.
func (r *Roles) remoteRoles() []string {
	var list []string
	for _, role := range r.config.Roles() {
		if r.config.Agents[role].Runner == "worker" && role != "*" {
			list = append(list, role)
		}
	}
	return list
}

// laneOf is the lane of the queue in which a role is asked.
func laneOf(role string, a config.Agent) string {
	if a.Label != "" {
		return queue.LabelLane(a.Label)
	}
	return queue.RoleLane(role)
}

// RunQueue keeps up the connection to the queue until ctx ends.
func (r *Roles) RunQueue(ctx context.Context) {
	if r.queue != nil {
		r.queue.Run(ctx)
	}
}

// WhyAway says why the machines that answer a role cannot be asked now, or nothing.
func (r *Roles) WhyAway(role string) string {
	a, ok, err := r.agentOf(role)
	if err != nil || !ok || a.Runner != "worker" || r.queue == nil {
		return ""
	}
	return r.queue.WhyAway(laneOf(role, a))
}

// awayProblems says which roles wait for other machines.
func (r *Roles) awayProblems() []string {
	var list []string
	for _, role := range r.remoteRoles() {
		if why := r.WhyAway(role); why != "" {
			list = append(list, fmt.Sprintf("questions to %s wait for a worker: %s", role, why))
		}
	}
	return list
}

// Answer asks the agent of a role for another machine: it gets the text of the task and nothing of
// this machine. An agent that only reads a vault, or asks yet another machine, does not answer for
// others.
func (r *Roles) Answer(ctx context.Context, task agent.Task) (agent.Reply, error) {
	a, ok, err := r.agentOf(task.Role)
	if err != nil {
		return agent.Reply{}, &agent.Failure{Reason: syserr.Plain(err), Cause: err}
	}
	if !ok || !answersOthers(a) {
		return agent.Reply{}, &agent.Failure{Reason: fmt.Sprintf("the worker has no agent for the role %s; add it under wiki.agents there", task.Role)}
	}
	a.Tools, a.Session = agent.ToolsNone, ""
	runner, err := r.newRunner(task.Role, a)
	if err != nil {
		return agent.Reply{}, &agent.Failure{Reason: syserr.Plain(err), Cause: err}
	}
	if task.Root, err = os.MkdirTemp("", "vault-dispatcher-"); err != nil {
		return agent.Reply{}, agent.NoFolder(err)
	}
	defer os.RemoveAll(task.Root)
	return hideSecrets(secretsOf(a))(runner.Run(ctx, task))
}

// answersOthers reports whether an agent needs nothing but the text it is given.
func answersOthers(a config.Agent) bool {
	return a.Runner != "builtin" && a.Runner != "broadcast" && a.Runner != "worker"
}

// Lanes are the lanes of the queue for the roles this machine can answer for others.
func Lanes(cfg config.Config) []string {
	var list []string
	for _, role := range cfg.Roles() {
		if a, ok := cfg.Agent(role); ok && role != "*" && answersOthers(a) {
			list = append(list, queue.RoleLane(role))
		}
	}
	return list
}

package roles

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/openai"
	"vaultdispatcher/engine/broadcast/outside"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/wording"
)

// This file finds the agent that writes for the Broadcaster, and tells whose questions wait for each other.

// nobody is the author of a Broadcaster that quotes and asks no agent.
const nobody = "none"

// authorOf returns the agent that writes for an agent with the runner broadcast, and its role: the
// named one, else that of all other roles; "" without such an agent. The author is given text and no
// tools.
func (r *Roles) authorOf(a config.Agent) (role string, author config.Agent, err error) {
	if a.Runner != "broadcast" || a.Author == nobody {
		return "", config.Agent{}, nil
	}
	role = cmp.Or(a.Author, "*")
	author, ok, err := r.agentOf(role)
	switch {
	case a.Author != "" && (err != nil || !ok):
		return "", config.Agent{}, fmt.Errorf("wiki.agents.Broadcaster.agent names %s, which no agent answers; name a role of wiki.agents", role)
	case a.Author != "" && (author.Runner == "builtin" || author.Runner == "broadcast"):
		return "", config.Agent{}, fmt.Errorf("wiki.agents.Broadcaster.agent names %s, which quotes and does not write; name a role with a program or a model", role)
	case a.Author != "" && author.Runner == "worker":
		return "", config.Agent{}, fmt.Errorf("wiki.agents.Broadcaster.agent names %s, which workers answer, and these write for no Broadcaster yet; name a role that this machine answers", role)
	case err != nil || !ok || author.Runner == "builtin" || author.Runner == "broadcast" || author.Runner == "worker":
		return "", config.Agent{}, nil
	}
	def, _ := r.definitions.Find(role) // of it only the model and the like count
	author = def.Apply(author)
	author.Tools, author.Session = agent.ToolsNone, ""
	return role, author, nil
}

// answering returns the agent that is asked where one answers a role: for the Broadcaster the one that writes for it.
func (r *Roles) answering(a config.Agent) config.Agent {
	if role, author, err := r.authorOf(a); err == nil && role != "" {
		author.Private = author.Private || a.Private
		return author
	}
	return a
}

// findBroadcaster returns the runner of the Broadcaster, with the agent that writes for it, and its name.
func (r *Roles) findBroadcaster(a config.Agent) (string, agent.Runner, error) {
	role, author, err := r.authorOf(a)
	if err != nil || role == "" || r.runners.Broadcaster == nil {
		return a.Runner, r.runners.Broadcaster, err
	}
	runner, err := r.newRunner(role, author)
	if err != nil {
		return "", nil, err
	}
	room := func(context.Context) int { return 0 }
	if model, ok := runner.(openai.Model); ok {
		room = func(ctx context.Context) int { return fit.RoomOf(model.Window(ctx)) }
	}
	runner = withoutSecrets{runner, secretsOf(author)}
	return author.Runner, r.runners.Broadcaster.With(nameAuthor(role, author), runner, !r.Rules.Stays("Broadcaster"), room), nil
}

// nameAuthor names the writer for people: the kind of program or model, or the program of a command of
// theirs.
func nameAuthor(role string, author config.Agent) string {
	name := wording.Answerer(author.Runner, author.Model)
	if (name == "command" || name == "acp") && len(author.Command) > 0 {
		name = strings.TrimSuffix(filepath.Base(author.Command[0]), ".exe")
		if name == "sh" || name == "bash" || name == "cmd" || name == "powershell" {
			name = "the role " + role // a shell says nothing of what it runs
			if role == "*" {
				name = "your own command"
			}
		}
	}
	if author.Model != "" && name != author.Model {
		name += " (" + author.Model + ")"
	}
	return name
}

// newOutside returns the runner of a third-party controller, which is a command.
func (r *Roles) newOutside(role string, a config.Agent) agent.Runner {
	command := func(job string, limit time.Duration) agent.Command {
		env := map[string]string{outside.Variable: job}
		maps.Copy(env, a.Env)
		return agent.Command{Argv: a.Command, Answer: a.Answer, Timeout: limit, Env: env}
	}
	limit := cmp.Or(r.config.Agents[r.config.EntryOf(role)].Timeout, outside.Usual)
	return outside.Controller{
		Runner: command("", limit), Parts: r.runners.Parts, Limit: limit,
		Program: func(job string, limit time.Duration) agent.Runner { return command(job, limit) },
	}
}

// Lane returns the name that roles share if they are answered one at a time; "" means no lane.
func (r *Roles) Lane(role string) string {
	entry := r.config.EntryOf(role)
	if runner := r.config.Agents[entry].Runner; strings.EqualFold(entry, "Broadcaster") && (runner == "broadcast" || runner == "command") {
		return entry
	}
	return ""
}

// Package roles finds what answers a role: a program, a model behind a server, an
// agent of a protocol, or the built-in Miner, each in the words of the role's
// definition.
//
// [New] reads the definitions once; [Roles.Find] returns the runner of a role. The
// command line uses [Describe] and [Ineffective], which need no engine.
//
// # Promises
//
// No program starts but by a runner that the configuration names; [Describe] asks
// known programs for their version and nothing else. A role whose definition cannot
// be used fails and says why; it never answers in other words. A Roles is safe for
// concurrent use.
package roles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/acp"
	"vaultdispatcher/engine/agent/cli"
	"vaultdispatcher/engine/agent/openai"
	"vaultdispatcher/engine/agent/pi"
	"vaultdispatcher/engine/broadcast/outside"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/definition"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/sharing"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

// Roles says what answers a role.
type Roles struct {
	config      config.Config
	definitions *definition.Set // the prompts of roles
	runners     Own
	servers     *openai.Servers // of models
	queue       *queue.Client   // of the roles that workers answer; nil = none is

	// Rules say what is private, and which roles stay on this machine.
	Rules *sharing.Rules
}

// Own are the runners without a program: they read the vault themselves.
type Own struct {
	Miner       agent.Runner
	Broadcaster interface {
		agent.Runner
		// With returns a Broadcaster whose texts an agent writes. It knows a name of the agent for
		// people, whether prompts leave this machine, and how many bytes the agent reads at once; 0 =
		// not known.
		With(name string, agent agent.Runner, leaves bool, room func(ctx context.Context) int) agent.Runner
	}
	Remote Remote
	Parts  outside.Parts // keeps the jobs of a third-party controller; nil = not kept
}

// New returns the roles of a configuration. builtin holds the definitions that come
// with the program; nil means none.
func New(cfg config.Config, builtin fs.FS, own Own) (*Roles, error) {
	definitions, err := definition.NewSet(builtin, cfg)
	if err != nil {
		return nil, err
	}
	r := &Roles{config: cfg, definitions: definitions, runners: own, servers: openai.NewServers()}
	r.Rules = sharing.NewRules(cfg, r.stays)
	r.Rules.Find = r.findForRules
	r.queue = r.newQueue(own.Remote)
	return r, nil
}

// stays reports whether the prompts of a role do not leave this machine. It is false for a role
// without an agent.
func (r *Roles) stays(role string) bool {
	a, ok, err := r.agentOf(role)
	def, _ := r.definitions.Find(role) // its runner reports what is wrong with it
	return err == nil && ok && sharing.Stays(r.answering(def.Apply(a)))
}

// settle returns the agent of a role as it is started: with its definition applied, and without tools
// that would read private notes to a program that leaves the machine.
func (r *Roles) settle(a config.Agent, def definition.Definition) config.Agent {
	a = def.Apply(a)
	if r.losesTools(a) {
		a.Tools = agent.ToolsNone
	}
	return a
}

// losesTools reports whether an agent may not read files although it is allowed to.
func (r *Roles) losesTools(a config.Agent) bool {
	return a.Tools == agent.ToolsRead && r.Rules.HideNotes() && !sharing.Stays(a)
}

// Find returns the runner of a role and its name, or one sentence that says why it has no runner.
func (r *Roles) Find(role string) (string, agent.Runner, error) {
	a, ok, err := r.agentOf(role)
	if err != nil {
		return "", nil, err
	}
	if !ok {
		return "", nil, errors.New(wording.NoAgent.Say(role, role))
	}
	if a.Runner == "worker" && r.config.EntryOf(role) == "*" {
		return "", nil, fmt.Errorf(`wiki.agents."*" has the runner worker, which answers only roles that are named; write wiki.agents.%s: {runner: worker}`, role)
	}
	switch a.Runner { // these take no definition
	case "builtin":
		return a.Runner, r.runners.Miner, nil
	case "broadcast":
		return r.findBroadcaster(a)
	}
	def, err := r.definitions.Find(role)
	if err != nil {
		return a.Runner, brokenRole{err}, nil
	}
	a = r.settle(a, def)
	if err := checkKeys(a); err != nil {
		return a.Runner, brokenRole{err}, nil
	}
	runner, err := r.newRunner(role, a)
	if err != nil {
		return "", nil, err
	}
	if a.Runner == "command" && r.Lane(role) != "" {
		runner = r.newOutside(role, a)
	}
	prompt := def.Prompt
	if def.Name == definition.General {
		prompt = "Your role is " + role + ".\n\n" + prompt // the one thing this definition cannot know
	}
	if carrier, ok := runner.(agent.BatchRunner); ok {
		company := fmt.Sprint(sharing.Stays(a), a.Private)
		if a.Private && !sharing.Stays(a) {
			company += " " + strings.ToLower(role) // its answers are told to no other agent that leaves the machine
		}
		return a.Runner, batchRole{BatchRunner: carrier, prompt: prompt, secrets: secretsOf(a), company: company}, nil
	}
	return a.Runner, playedRole{Runner: runner, prompt: prompt, secrets: secretsOf(a)}, nil
}

// newRunner returns the runner that the configuration names, or one sentence that says why it has no
// runner.
func (r *Roles) newRunner(role string, a config.Agent) (agent.Runner, error) {
	if err := checkKeys(a); err != nil {
		return nil, err
	}
	switch a.Runner { // to add a runner, add a case
	case "command":
		return agent.Command{Argv: a.Command, Answer: a.Answer, Timeout: a.Timeout, Env: a.Env}, nil
	case "acp":
		return acp.Agent{Command: a.Command, Settings: agentSettings(a)}, nil
	case "openai":
		return openai.Model{Servers: r.servers, URL: a.URL, KeyVariable: a.KeyEnv, ContextTokens: a.ContextTokens, Settings: agentSettings(a)}, nil
	case "worker":
		return r.queue.Runner(laneOf(role, a)), nil
	case "pi-subagents":
		plain, _ := cli.New("pi", agentSettings(a))
		return pi.New(agentSettings(a), plain), nil
	}
	if r, ok := cli.New(a.Runner, agentSettings(a)); ok {
		return r, nil
	}
	return nil, &unknownRunner{role, a.Runner}
}

// unknownRunner is a runner that this version does not have.
type unknownRunner struct{ role, runner string }

func (u *unknownRunner) Error() string {
	return fmt.Sprintf("the role %s wants the runner %s, which this version does not have; use builtin, command or an agent program such as claude", u.role, u.runner)
}

// agentSettings converts what the configuration says about a role.
func agentSettings(a config.Agent) agent.Settings {
	program := ""
	if known, _ := runners.Find(a.Runner); known.Program != "" {
		program = a.Program()
	}
	return agent.Settings{Program: program, Model: a.Model, Tools: a.Tools, Timeout: a.Timeout, Env: a.Env, Session: a.Session, Trust: a.Trust}
}

// ShareLimit reports whether two roles are answered by the same program, model and
// account, so that a rate limit of one is the limit of both.
func (r *Roles) ShareLimit(a, b string) bool {
	one, known, _ := r.agentOf(a)
	other, also, _ := r.agentOf(b)
	if strings.EqualFold(a, b) || !known || !also {
		return strings.EqualFold(a, b)
	}
	one, other = r.answering(one), r.answering(other)
	return one.Runner == other.Runner && one.Runner != "worker" && one.Model == other.Model && one.URL == other.URL && one.KeyEnv == other.KeyEnv &&
		slices.Equal(one.Command, other.Command) && maps.Equal(one.Env, other.Env)
}

// WantsPassages reports whether passages of other notes go with the tasks of a role.
// The built-in runners search the vault themselves.
func (r *Roles) WantsPassages(role string) bool {
	a, ok, _ := r.agentOf(role)
	return ok && !a.Plain && a.Runner != "builtin" && a.Runner != "broadcast"
}

// WritesParts reports whether the answers of a role take the place of parts of notes. The built-in runners edit nothing.
func (r *Roles) WritesParts(role string) bool {
	a, ok, err := r.agentOf(role)
	def, broken := r.definitions.Find(role)
	return ok && err == nil && broken == nil && a.Runner != "builtin" && a.Runner != "broadcast" && def.Apply(a).Writes == "section"
}

// Room returns how many tokens what answers a role reads at once, 0 where that is not
// known, and how many bytes of a task are to fit into them beside the role's own words. It
// may ask a server on this machine. Of a model on a worker only the configuration tells.
func (r *Roles) Room(ctx context.Context, role string) (tokens, bytes int) {
	_, runner, _ := r.Find(role)
	played, _ := runner.(playedRole)
	if model, ok := played.Runner.(openai.Model); ok {
		tokens = model.Window(ctx)
	} else if a, _, _ := r.agentOf(role); a.Runner == "worker" {
		tokens = a.ContextTokens
	}
	if tokens == 0 {
		return 0, 0
	}
	return tokens, max(0, fit.RoomOf(tokens)-len(played.prompt))
}

// List says of every configured role whether it can answer now.
func (r *Roles) List() []Role {
	list := []Role{}
	for _, role := range r.config.Roles() {
		a, _ := r.config.Agent(role)
		described := Role{Role: role, Runner: a.Runner}
		if def, err := r.definitions.Find(role); err == nil {
			described.Reach = r.reachOf(a, def)
		}
		if err := r.checkReady(role, a); err != nil {
			described.Detail = syserr.Plain(err)
			_, described.Absent = errors.AsType[*unknownRunner](err)
		}
		described.Usable = described.Detail == ""
		list = append(list, described)
	}
	return list
}

// checkReady returns why a role cannot answer now, or nil.
func (r *Roles) checkReady(role string, a config.Agent) error {
	_, runner, err := r.Find(role)
	if err != nil {
		return err
	}
	if why := r.WhyAway(role); why != "" {
		return errors.New(why)
	}
	_, _, err = findProgram(a, runner)
	return err
}

// Problems returns one sentence for each definition that cannot be used, and for each role that waits for a worker.
func (r *Roles) Problems() []string {
	if _, err := r.definitions.List(); err != nil {
		return append(strings.Split(syserr.Plain(err), "\n"), r.awayProblems()...)
	}
	return r.awayProblems()
}

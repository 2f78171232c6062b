// Package roles finds what answers a role: a program, a model behind a server, an
// agent of a protocol, or the built-in Miner, each in the words of the role's
// definition.
//
// [New] reads the definitions once; [Roles.Find] returns the runner of a role. The
// command line uses [Describe], [Try] and [Ineffective], which need no engine.
//
// # Promises
//
// No program starts but by a runner that the configuration names; [Describe] asks
// known programs for their version and nothing else. A role whose definition cannot
// be used fails and says why; it never answers in other words. A Roles is safe for
// concurrent use.
package roles

import (
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
	"vaultdispatcher/engine/config"
)

// Roles says what answers a role.
type Roles struct {
	config      config.Config
	definitions *config.Definitions // the prompts of roles
	miner       agent.Runner        // answers from the vault itself
	servers     *openai.Servers     // of models
}

// New returns the roles of a configuration. builtin holds the definitions that come
// with the program; nil means none.
func New(cfg config.Config, builtin fs.FS, miner agent.Runner) (*Roles, error) {
	definitions, err := config.NewDefinitions(builtin, cfg)
	if err != nil {
		return nil, err
	}
	return &Roles{config: cfg, definitions: definitions, miner: miner, servers: openai.NewServers()}, nil
}

// Find returns the runner of a role and its name, or one sentence that says why
// there is none.
func (r *Roles) Find(role string) (string, agent.Runner, error) {
	a, ok := r.config.Agent(role)
	if !ok {
		return "", nil, fmt.Errorf("no agent answers the role %s; add it under wiki.agents", role)
	}
	if a.Runner == "builtin" {
		return a.Runner, r.miner, nil // the Miner takes no definition
	}
	definition, err := r.definitions.Find(role)
	if err != nil {
		return a.Runner, brokenRole{err}, nil
	}
	runner, err := r.newRunner(role, a.As(definition))
	if err != nil {
		return "", nil, err
	}
	prompt := definition.Prompt
	if definition.Name == config.GeneralDefinition {
		prompt = "Your role is " + role + ".\n\n" + prompt // the one thing this definition cannot know
	}
	if carrier, ok := runner.(agent.BatchRunner); ok {
		return a.Runner, batchRole{BatchRunner: carrier, prompt: prompt}, nil
	}
	return a.Runner, playedRole{Runner: runner, prompt: prompt}, nil
}

// newRunner returns the runner that the configuration names, or one sentence that
// says why there is none.
func (r *Roles) newRunner(role string, a config.Agent) (agent.Runner, error) {
	switch a.Runner { // to add a runner, add a case
	case "command":
		return agent.Command{Argv: a.Command, Answer: a.Answer, Timeout: a.Timeout, Env: a.Env}, nil
	case "acp":
		return acp.Agent{Command: a.Command, Settings: agentSettings(a)}, nil
	case "openai":
		return openai.Model{Servers: r.servers, URL: a.URL, KeyVariable: a.KeyEnv, Settings: agentSettings(a)}, nil
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
	return agent.Settings{Model: a.Model, Tools: a.Tools, Timeout: a.Timeout, Env: a.Env, Session: a.Session}
}

// ShareLimit reports whether two roles are answered by the same program, model and
// account, so that a rate limit of one is the limit of both.
func (r *Roles) ShareLimit(a, b string) bool {
	one, known := r.config.Agent(a)
	other, also := r.config.Agent(b)
	if strings.EqualFold(a, b) || !known || !also {
		return strings.EqualFold(a, b)
	}
	return one.Runner == other.Runner && one.Model == other.Model && one.URL == other.URL && one.KeyEnv == other.KeyEnv &&
		slices.Equal(one.Command, other.Command) && maps.Equal(one.Env, other.Env)
}

// WantsPassages reports whether passages of other notes go with the tasks of a role.
// The built-in runners search the vault themselves.
func (r *Roles) WantsPassages(role string) bool {
	a, ok := r.config.Agent(role)
	return ok && !a.Plain && a.Runner != "builtin" && a.Runner != "broadcast"
}

// List says of every configured role whether it can answer now.
func (r *Roles) List() []Role {
	list := []Role{}
	for _, role := range r.config.Roles() {
		a, _ := r.config.Agent(role)
		described := Role{Role: role, Runner: a.Runner}
		if err := r.checkReady(role, a); err != nil {
			described.Detail = err.Error()
			_, described.Absent = errors.AsType[*unknownRunner](err)
		}
		described.Ready = described.Detail == ""
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
	_, _, err = findProgram(a, runner)
	return err
}

// Problems returns one sentence for each definition that cannot be used.
func (r *Roles) Problems() []string {
	if _, err := r.definitions.List(); err != nil {
		return strings.Split(err.Error(), "\n")
	}
	return nil
}

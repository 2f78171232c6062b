package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/acp"
	"vaultdispatcher/engine/agent/cli"
	"vaultdispatcher/engine/agent/openai"
	"vaultdispatcher/engine/agent/pi"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// runners says what answers a role.
type runners struct {
	config      config.Config
	definitions *config.Definitions // in whose words
	miner       agent.Runner        // answers from the vault itself
	servers     *openai.Servers     // of models
}

// find returns the runner of a role and its name, or one sentence that says why
// there is none.
func (r *runners) find(role string) (string, agent.Runner, error) {
	a, ok := r.config.Agent(role)
	if !ok {
		return "", nil, fmt.Errorf("no agent answers the role %s; add it under wiki.agents", role)
	}
	if a.Runner == "builtin" {
		return a.Runner, r.miner, nil // there is nobody to tell a definition
	}
	definition, err := r.definitions.Find(role)
	if err != nil {
		return a.Runner, misdefined{err}, nil
	}
	runner, err := r.runner(role, a.As(definition))
	if err != nil {
		return "", nil, err
	}
	prompt := definition.Prompt
	if definition.Name == config.GeneralDefinition {
		prompt = "Your role is " + role + ".\n\n" + prompt // the one thing this definition cannot know
	}
	if carrier, ok := runner.(agent.BatchRunner); ok {
		return a.Runner, together{BatchRunner: carrier, prompt: prompt}, nil
	}
	return a.Runner, played{Runner: runner, prompt: prompt}, nil
}

// runner returns what the configuration names, or one sentence that says why it
// cannot.
func (r *runners) runner(role string, a config.Agent) (agent.Runner, error) {
	switch a.Runner { // a runner of another program or server is one more case
	case "command":
		return agent.Command{Argv: a.Command, Answer: a.Answer, Timeout: a.Timeout, Env: a.Env}, nil
	case "acp":
		return acp.Agent{Command: a.Command, Settings: settings(a)}, nil
	case "openai":
		return openai.Model{Servers: r.servers, URL: a.URL, KeyVariable: a.KeyEnv, Settings: settings(a)}, nil
	case "pi-subagents":
		plain, _ := cli.New("pi", settings(a))
		return pi.New(settings(a), plain), nil
	}
	if r, ok := cli.New(a.Runner, settings(a)); ok {
		return r, nil
	}
	return nil, fmt.Errorf("the role %s wants the runner %s, which this version does not have; use builtin, command or an agent program such as claude", role, a.Runner)
}

// settings are what the configuration says of a role, as a runner wants them.
func settings(a config.Agent) agent.Settings {
	return agent.Settings{Model: a.Model, Tools: a.Tools, Timeout: a.Timeout, Env: a.Env, Session: a.Session}
}

// same reports whether two roles are answered by the same program, model and
// account, so that a limit of one is the limit of both.
func (r *runners) same(a, b string) bool {
	one, known := r.config.Agent(a)
	other, also := r.config.Agent(b)
	if strings.EqualFold(a, b) || !known || !also {
		return strings.EqualFold(a, b)
	}
	return one.Runner == other.Runner && one.Model == other.Model && one.URL == other.URL && one.KeyEnv == other.KeyEnv &&
		slices.Equal(one.Command, other.Command) && maps.Equal(one.Env, other.Env)
}

// list describes every configured role.
func (r *runners) list() []api.Agent {
	agents := []api.Agent{}
	for _, role := range r.config.Roles() {
		a, _ := r.config.Agent(role)
		described := api.Agent{Role: role, Runner: a.Runner, Ready: true}
		if err := r.ready(role, a); err != nil {
			described.Ready, described.Detail = false, err.Error()
		}
		agents = append(agents, described)
	}
	return agents
}

// ready returns why a role cannot answer now, or nil.
func (r *runners) ready(role string, a config.Agent) error {
	_, runner, err := r.find(role)
	if err != nil {
		return err
	}
	_, _, err = found(a, runner)
	return err
}

// Package installer decides for setup, for the login service and for their removal: what
// this machine has, what a person chose, what keeps that from working, and what is done.
// It asks and prints nothing; the command line, its wizard and the dashboard's page do.
//
//	now, err := installer.Read(file)            // what is configured
//	vaults := places.Obsidian(machine)          // what could be
//	programs := installer.Programs(environ)
//	plan := installer.Plan{Now: now, Choice: choice}
//	err = plan.Check(ctx, report)               // what cannot be, and where
//	written, err := plan.Write()
//	proof, err := proof.FirstAnswer(ctx, state, written.Config, run, os.Stderr)
//
// # Promises
//
// Nothing is changed before Write, and Write replaces one file in one step: the new
// configuration is valid, and a copy of the old one is kept beside it. Only an Ollama
// on this machine and the engine of this user are contacted. No agent is started. The
// person's own shell is started once, to say its PATH, where a program is not found without.
package installer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/secret"
)

// Runners are the agent programs that setup knows how to look for, the first the
// one it names first.
var Runners = offeredRunners()

func offeredRunners() (names []string) {
	for _, r := range runners.All {
		if r.Setup {
			names = append(names, r.Name)
		}
	}
	return names
}

// Choice is what a person chose, on the command line, in the wizard or on the dashboard's page. An empty field keeps
// the configured value.
type Choice = api.SetupChoice

// Plan is what setup shall do: a choice over what is configured.
type Plan struct {
	Present Present
	Choice  Choice

	// Host is the engine of this process, on the dashboard's page; nil elsewhere.
	Host Host
}

// Host is the engine of this process, as far as a plan concerns it.
type Host interface {
	Port() int
	HasFixedPort() bool                       // the port is not the configuration's
	Move(port int, commit func() error) error // continues at another port if commit succeeds
}

// ErrAgent says that there is no such agent to choose.
var ErrAgent = errors.New("no such agent")

// longestModel is more than a name, or the folder, of a model has, in bytes.
const longestModel = 4096

// CheckModel refuses what cannot be the name of a model.
func CheckModel(name string) error {
	if strings.ContainsFunc(name, unicode.IsControl) || len(name) > longestModel {
		return errors.New("invalid model name")
	}
	return nil
}

// ParseAgent takes NAME[:MODEL] apart.
func ParseAgent(text string) (name, model string, err error) {
	name, model, _ = strings.Cut(text, ":")
	switch {
	case name == "ollama" && model == "":
		return "", "", fmt.Errorf("%w: ollama needs a model, as in ollama:qwen3", ErrAgent)
	case name == "builtin" && model != "":
		return "", "", fmt.Errorf("%w: builtin has no models", ErrAgent)
	case name != "builtin" && name != "ollama" && !slices.Contains(Runners, name):
		return "", "", fmt.Errorf("%w: %q; there are builtin, ollama:MODEL, %s", ErrAgent, name, strings.Join(Runners, ", "))
	}
	return name, model, CheckModel(model)
}

// Change is the choice as a change of the configuration. An agent answers the Miner
// and every role without an entry of its own; the built-in Miner replaces it in both,
// and no program answers unknown roles then. Roles take precedence over that.
func (p Plan) Change() config.Change {
	c, now := p.Choice, p.Present.Config
	change := config.Change{Vaults: c.Vaults, HTTPPort: c.Port}
	if c.Provider != "" || c.Model != "" || c.URL != nil && (*c.URL != "" || now.Embedding.URL != "") {
		e := p.Embedding()
		change.Embedding = &e
	}
	switch c.Agent {
	case "":
	case "builtin":
		change.Agents = map[string]config.Agent{"Miner": {Runner: "builtin"}}
		change.Removals = []string{"*"}
	default:
		a := agentOf(c.Agent, c.AgentModel)
		change.Agents = map[string]config.Agent{"Miner": a, "*": a}
	}
	for _, r := range c.Roles {
		applyRole(r, &change, now)
	}
	return change
}

// Chosen returns the present configuration as a choice. Agent is empty when a runner that setup does not know answers
// the Miner.
func Chosen(cfg config.Config) Choice {
	c := Choice{Port: cfg.HTTPPort, Provider: cfg.Embedding.Provider, Model: cfg.Embedding.Model}
	if cfg.Embedding.URL != "" {
		url := secret.RedactAddress(cfg.Embedding.URL)
		c.URL = &url
	}
	for _, v := range cfg.Vaults {
		c.Vaults = append(c.Vaults, v.Path)
	}
	miner, _ := cfg.Agent("Miner")
	if c.Agent, c.AgentModel = agentName(miner); c.Agent == "" {
		c.AgentModel = ""
	}
	return c
}

// Package installer holds the steps of setup as functions and plain values: what is
// there on this machine, what a person chose, and what becomes of that. It asks and
// prints nothing; the command line and the dashboard do.
//
//	now, err := installer.Read(file)            // what is configured
//	vaults := installer.Obsidian(machine)       // what could be
//	programs := installer.Programs(environ)
//	written, err := installer.Write(now, choice.Change(now.Config))
//	proof, err := installer.Prove(ctx, client, vault)
//
// # Promises
//
// Nothing is changed before Write, and Write changes one file: it is valid, in one
// step in its place, and what was there before lies beside it. Nobody is contacted
// but an Ollama on this machine and the engine of this user. No agent is started.
package installer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall/embed"
)

// Runners are the agent programs that setup knows how to look for, the first the
// one it names first.
var Runners = []string{"claude", "codex", "gemini", "opencode", "pi"}

// Choice is what a person chose. What is empty or zero stays as it is.
type Choice struct {
	Vaults   []string // all folders that shall be watched, absolute
	Port     int
	Provider string  // of embeddings; "none" for words alone
	Model    string  // of embeddings
	URL      *string // where the provider is asked; "" is the usual place on this machine
	Agent    string  // one of Runners, "builtin", or "ollama" for a model there
	// AgentModel is the model of the agent; empty is the program's own.
	AgentModel string
	Roles      []Role // who answers these roles, whatever Agent says
}

// ErrAgent says that there is no such agent to choose.
var ErrAgent = errors.New("no such agent")

// longestModel is more than a name, or the folder, of a model has, in bytes.
const longestModel = 4096

// CheckModel refuses what is no name of a model.
func CheckModel(name string) error {
	if strings.ContainsFunc(name, unicode.IsControl) || len(name) > longestModel {
		return errors.New("that is no name of a model")
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
// and every role without an entry of its own; the built-in Miner takes its place
// again, and no program answers unknown roles then. Roles counts more than that.
func (c Choice) Change(now config.Config) config.Change {
	change := config.Change{Vaults: c.Vaults, HTTPPort: c.Port}
	if c.Provider != "" || c.Model != "" || c.URL != nil && (*c.URL != "" || now.Embedding.URL != "") {
		e := c.Embedding(now)
		change.Embedding = &e
	}
	switch c.Agent {
	case "":
	case "builtin":
		change.Agents = map[string]config.Agent{"Miner": {Runner: "builtin"}}
		change.Without = []string{"*"}
	default:
		a := agentOf(c.Agent, c.AgentModel)
		change.Agents = map[string]config.Agent{"Miner": a, "*": a}
	}
	for _, r := range c.Roles {
		r.apply(&change, now)
	}
	return change
}

// Chosen is what the configuration says today, as a choice; Agent is empty when
// somebody answers the Miner that setup does not know.
func Chosen(cfg config.Config) Choice {
	c := Choice{Port: cfg.HTTPPort, Provider: cfg.Embedding.Provider, Model: cfg.Embedding.Model}
	if cfg.Embedding.URL != "" {
		url := embed.Shown(cfg.Embedding.URL)
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

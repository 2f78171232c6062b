package roles

import (
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/config"
)

// agentOf returns the agent that answers a role: its own of the configuration, else the
// one that its definition names, else the one of all other roles; false when there is
// none. The error says why the one that is named cannot be had. Whoever is named, the
// configuration has: its program, tools and costs are no affair of a definition.
func (r *Roles) agentOf(role string) (config.Agent, bool, error) {
	a, ok := r.config.Agent(role)
	if slices.ContainsFunc(r.config.Roles(), func(own string) bool { return strings.EqualFold(own, role) }) {
		return a, ok, nil
	}
	definition, err := r.definitions.Find(role)
	if err != nil || definition.Runner == "" { // what is broken, its runner reports
		return a, ok, nil
	}
	named, found := findNamed(r.config, definition.Runner)
	if !found {
		return config.Agent{}, false, fmt.Errorf("the definition %s names the runner %q, which is neither a role of the configuration nor what one of them alone runs; roles are %s",
			definition.Name, definition.Runner, strings.Join(r.config.Roles(), ", "))
	}
	return named, true, nil
}

// findNamed finds an agent of the configuration by its role, or by its runner where
// one alone has it.
func findNamed(cfg config.Config, name string) (config.Agent, bool) {
	var running []string
	for _, role := range cfg.Roles() {
		if strings.EqualFold(role, name) {
			return cfg.Agent(role)
		}
		if cfg.Agents[role].Runner == name {
			running = append(running, role)
		}
	}
	if len(running) != 1 {
		return config.Agent{}, false
	}
	return cfg.Agent(running[0])
}

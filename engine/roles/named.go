package roles

import (
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/config"
)

// agentOf returns the agent that answers a role: its own of the configuration, else the one that its
// definition names, else the one of all other roles; false without any. The error says why the named
// one is missing. Every named agent is one of the configuration: its program, tools and costs do not
// depend on a definition.
func (r *Roles) agentOf(role string) (config.Agent, bool, error) {
	entry, err := r.entryOf(role)
	if err != nil {
		return config.Agent{}, false, err
	}
	a, ok := r.config.Agent(entry)
	return a, ok, nil
}

// entryOf returns the name under which the agent of a role is configured.
func (r *Roles) entryOf(role string) (string, error) {
	entry := r.config.EntryOf(role)
	if slices.ContainsFunc(r.config.Roles(), func(own string) bool { return strings.EqualFold(own, role) }) {
		return entry, nil
	}
	def, err := r.definitions.Find(role)
	if err != nil || def.Runner == "" { // its runner reports a broken definition
		return entry, nil
	}
	named := findNamed(r.config, def.Runner)
	if named == "" {
		return "", fmt.Errorf("the definition %s names the runner %q, which is neither a role of the configuration nor what one of them alone runs; roles are %s",
			def.Name, def.Runner, strings.Join(r.config.Roles(), ", "))
	}
	return named, nil
}

// EntryOf returns the name under which the agent of a role is configured; if a definition names no
// usable one, that of the general agent.
func (r *Roles) EntryOf(role string) string {
	entry, err := r.entryOf(role)
	if err != nil {
		return r.config.EntryOf(role)
	}
	return entry
}

// HistoryOf returns how much a role sees of earlier questions, as the configuration of its agent says.
func (r *Roles) HistoryOf(role string) config.History {
	entry, err := r.entryOf(role)
	if err != nil {
		entry = role // no agent answers it
	}
	return r.config.HistoryOf(entry)
}

// findForRules is agentOf for [sharing.Rules]: an agent that cannot be found may have been private,
// and a Broadcaster with a private author is private.
func (r *Roles) findForRules(role string) config.Agent {
	a, _, err := r.agentOf(role)
	a.Private = a.Private || err != nil || r.answering(a).Private
	return a
}

// findNamed returns the role of the configuration that has a name, or that alone has it for its runner; "" where none.
func findNamed(cfg config.Config, name string) string {
	var running []string
	for _, role := range cfg.Roles() {
		if strings.EqualFold(role, name) {
			return role
		}
		if cfg.Agents[role].Runner == name {
			running = append(running, role)
		}
	}
	if len(running) != 1 {
		return ""
	}
	return running[0]
}

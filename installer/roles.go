package installer

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// None is the agent of a role that has no entry of its own: it is answered like every
// other role, and a built-in role as without any configuration. For "*" it means that
// roles without an entry are not answered.
const None = "none"

// Role is who answers one role.
type Role = api.SetupRole

// refuseRole is what is wrong with a part of the choice for a role: name, agent or model.
func refuseRole(role, part string, err error) error {
	return &Refusal{Field: "role-" + part, Value: role, Err: err}
}

// ParseRole takes ROLE=NAME[:MODEL] apart. Without a role, Name is empty.
func ParseRole(text string) (Role, error) {
	var r Role
	name, agent, ok := strings.Cut(text, "=")
	if !ok || strings.Contains(name, ":") { // a model may have the sign in its name
		var err error
		r.Agent, r.Model, err = ParseAgent(text)
		return r, err
	}
	if err := config.CheckRole(name); err != nil {
		return r, refuseRole(name, "name", fmt.Errorf("%q is %w", name, err))
	}
	r = Role{Role: name}
	r.Agent, r.Model, _ = strings.Cut(agent, ":")
	if r.Agent == "" {
		return r, refuseRole(name, "agent", fmt.Errorf("%w is named for %s", ErrAgent, name))
	}
	return r, checkRole(r)
}

// checkRole refuses what the choice for a role cannot be, whatever is configured.
func checkRole(r Role) error {
	if err := config.CheckRole(r.Role); err != nil {
		return refuseRole(r.Role, "name", fmt.Errorf("%q is %w", r.Role, err))
	}
	if err := CheckModel(r.Model); err != nil {
		return refuseRole(r.Role, "model", err)
	}
	switch {
	case r.Agent == "":
		return nil
	case r.Agent == None && r.Model != "":
		return refuseRole(r.Role, "model", errors.New("a role without an entry of its own has no model of its own"))
	case r.Agent == None:
		return nil
	}
	text := r.Agent
	if r.Model != "" {
		text += ":" + r.Model
	}
	if _, _, err := ParseAgent(text); err != nil {
		part := "agent"
		if r.Agent == "ollama" || r.Agent == "builtin" {
			part = "model"
		}
		return refuseRole(r.Role, part, err)
	}
	return nil
}

// CheckRoles refuses what the roles of the choice cannot be, with a *[Refusal].
func (p Plan) CheckRoles() error {
	seen := make(map[string]bool)
	for _, r := range p.Choice.Roles {
		if err := checkRole(r); err != nil {
			return err
		}
		key := strings.ToLower(r.Role)
		if seen[key] {
			return refuseRole(r.Role, "name", fmt.Errorf("%s is named twice", r.Role))
		}
		seen[key] = true
		if err := checkEntry(r, p.Present.Config); err != nil {
			return err
		}
	}
	return nil
}

// checkEntry refuses what the choice for a role cannot be because of its entry.
func checkEntry(r Role, now config.Config) error {
	own, there := entryOf(now, r.Role)
	switch {
	case r.Agent == None && there && roleOf(now, r.Role, own).Kept:
		return refuseRole(r.Role, "agent", fmt.Errorf("the entry of %s says more than setup can write again; take it out of the configuration by hand", r.Role))
	case r.Agent == "ollama" && own.Tools == "read":
		return refuseRole(r.Role, "agent", fmt.Errorf("%s may use tools (tools: read), and a model of Ollama is given none", r.Role))
	case r.Agent != "" || r.Model == "":
		return nil
	case !there:
		return refuseRole(r.Role, "agent", fmt.Errorf("choose who answers %s; nobody does by an entry of its own", r.Role))
	case own.Runner == "command" || own.Runner == "builtin" || own.Runner == "broadcast":
		return refuseRole(r.Role, "model", fmt.Errorf("%s is answered by the runner %s, which takes no model", r.Role, own.Runner))
	}
	return nil
}

// applyRole puts the choice for a role over what a change says of it already.
func applyRole(r Role, change *config.Change, now config.Config) {
	same := func(name string) bool { return strings.EqualFold(name, r.Role) }
	maps.DeleteFunc(change.Agents, func(name string, _ config.Agent) bool { return same(name) })
	change.Removals = slices.DeleteFunc(change.Removals, same)
	if r.Agent == None {
		change.Removals = append(change.Removals, r.Role)
		return
	}
	a := agentOf(r.Agent, r.Model)
	if r.Agent == "" {
		own, there := entryOf(now, r.Role)
		if !there || r.Model == "" {
			return
		}
		a = config.Agent{Runner: own.Runner, Model: r.Model}
	}
	if change.Agents == nil {
		change.Agents = make(map[string]config.Agent)
	}
	change.Agents[r.Role] = a
	if r.Model == "" {
		change.OwnModel = append(change.OwnModel, r.Role)
	}
}

// agentOf is an agent that setup knows as the configuration has it.
func agentOf(name, model string) config.Agent {
	if name == "ollama" {
		return config.Agent{Runner: "openai", URL: ollamaURL, Model: model}
	}
	return keepPath(config.Agent{Runner: name, Model: model})
}

// entryOf is what a configuration says of just this role.
func entryOf(cfg config.Config, role string) (config.Agent, bool) {
	for name, a := range cfg.Agents {
		if strings.EqualFold(name, role) {
			return a, true
		}
	}
	return config.Agent{}, false
}

// Roles is who answers each role today: those of the configuration, those that are
// defined without an entry, and last every other one.
func Roles(cfg config.Config, defined []string) []Role {
	var roles []Role
	for _, name := range cfg.Roles() {
		if name != "*" {
			roles = append(roles, roleOf(cfg, name, cfg.Agents[name]))
		}
	}
	others, _ := entryOf(cfg, "*")
	for _, name := range defined {
		if _, there := entryOf(cfg, name); !there {
			roles = append(roles, Role{Role: name, Agent: None, Runner: others.Runner})
		}
	}
	slices.SortFunc(roles, func(a, b Role) int { return strings.Compare(strings.ToLower(a.Role), strings.ToLower(b.Role)) })
	if others.Runner == "" {
		return append(roles, Role{Role: "*", Agent: None})
	}
	return append(roles, roleOf(cfg, "*", others))
}

// roleOf is an entry of the configuration as a choice.
func roleOf(cfg config.Config, name string, a config.Agent) Role {
	r := Role{Role: name, Runner: a.Runner}
	r.Agent, r.Model = agentName(a)
	if by, builtin := entryOf(config.Default(), name); builtin && r.Agent == "" && reflect.DeepEqual(a, by) {
		r.Agent = None
	}
	more := a
	more.Runner, more.Model = "", ""
	if a.Runner != "command" && a.Runner != "acp" {
		more.Command = nil // setup writes it
	}
	if r.Agent == "ollama" {
		more.URL = ""
	}
	unknown := func(warning string) bool {
		return strings.HasPrefix(strings.ToLower(warning), strings.ToLower("wiki.agents."+name+"."))
	}
	r.Kept = r.Agent == "" || !reflect.DeepEqual(more, config.Agent{}) || slices.ContainsFunc(cfg.Warnings, unknown)
	return r
}

// agentName is an agent of the configuration as setup names it; empty is one that
// setup does not know.
func agentName(a config.Agent) (name, model string) {
	switch {
	case a.Runner == "builtin":
		return "builtin", ""
	case a.Runner == "openai" && a.URL == ollamaURL:
		return "ollama", a.Model
	case slices.Contains(Runners, a.Runner):
		return a.Runner, a.Model
	}
	return "", a.Model
}

package installer

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"vaultdispatcher/engine/config"
)

// None is the agent of a role that has no entry of its own: it is answered like
// every other role, a built-in one as it is without any configuration, and for "*"
// it means that roles without an entry are left alone.
const None = "none"

// Role is who answers one role.
type Role struct {
	Name  string // "*" = every role without an entry of its own
	Agent string // as that of a [Choice], or None; empty when setup does not know who it is
	Model string // of the agent; empty is the agent's own

	// Of what the configuration says today; they choose nothing.
	Runner string // who answers; empty when nobody does
	Kept   bool   // its entry says more than setup can, and is not taken out
}

// RoleError says what is wrong with the choice for one role.
type RoleError struct {
	Role string
	Part string // "name", "agent" or "model"
	Err  error
}

func (e *RoleError) Error() string { return e.Err.Error() }
func (e *RoleError) Unwrap() error { return e.Err }

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
		return r, &RoleError{name, "name", fmt.Errorf("%q is %w", name, err)}
	}
	r = Role{Name: name}
	r.Agent, r.Model, _ = strings.Cut(agent, ":")
	if r.Agent == "" {
		return r, &RoleError{name, "agent", fmt.Errorf("%w is named for %s", ErrAgent, name)}
	}
	return r, r.check()
}

// check is what can be said of a choice for a role alone.
func (r Role) check() error {
	if err := config.CheckRole(r.Name); err != nil {
		return &RoleError{r.Name, "name", fmt.Errorf("%q is %w", r.Name, err)}
	}
	if err := CheckModel(r.Model); err != nil {
		return &RoleError{r.Name, "model", err}
	}
	switch {
	case r.Agent == "":
		return nil
	case r.Agent == None && r.Model != "":
		return &RoleError{r.Name, "model", errors.New("a role without an entry of its own has no model of its own")}
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
		return &RoleError{r.Name, part, err}
	}
	return nil
}

// CheckRoles says what the roles of a choice cannot be, as a *[RoleError].
func (c Choice) CheckRoles(now config.Config) error {
	seen := make(map[string]bool)
	for _, r := range c.Roles {
		if err := r.check(); err != nil {
			return err
		}
		key := strings.ToLower(r.Name)
		if seen[key] {
			return &RoleError{r.Name, "name", fmt.Errorf("%s is named twice", r.Name)}
		}
		seen[key] = true
		if err := r.against(now); err != nil {
			return err
		}
	}
	return nil
}

// against says what a role cannot be because of its entry.
func (r Role) against(now config.Config) error {
	own, there := entry(now, r.Name)
	switch {
	case r.Agent == None && there && roleOf(now, r.Name, own).Kept:
		return &RoleError{r.Name, "agent", fmt.Errorf("the entry of %s says more than setup can write again; take it out of the configuration by hand", r.Name)}
	case r.Agent == "ollama" && own.Tools == "read":
		return &RoleError{r.Name, "agent", fmt.Errorf("%s may use tools (tools: read), and a model of Ollama is given none", r.Name)}
	case r.Agent != "" || r.Model == "":
		return nil
	case !there:
		return &RoleError{r.Name, "agent", fmt.Errorf("choose who answers %s; nobody does by an entry of its own", r.Name)}
	case own.Runner == "command" || own.Runner == "builtin" || own.Runner == "broadcast":
		return &RoleError{r.Name, "model", fmt.Errorf("%s is answered by the runner %s, which takes no model", r.Name, own.Runner)}
	}
	return nil
}

// apply puts the choice for a role over what a change says of it already.
func (r Role) apply(change *config.Change, now config.Config) {
	same := func(name string) bool { return strings.EqualFold(name, r.Name) }
	maps.DeleteFunc(change.Agents, func(name string, _ config.Agent) bool { return same(name) })
	change.Without = slices.DeleteFunc(change.Without, same)
	if r.Agent == None {
		change.Without = append(change.Without, r.Name)
		return
	}
	a := agentOf(r.Agent, r.Model)
	if r.Agent == "" {
		own, there := entry(now, r.Name)
		if !there || r.Model == "" {
			return
		}
		a = config.Agent{Runner: own.Runner, Model: r.Model}
	}
	if change.Agents == nil {
		change.Agents = make(map[string]config.Agent)
	}
	change.Agents[r.Name] = a
	if r.Model == "" {
		change.OwnModel = append(change.OwnModel, r.Name)
	}
}

// agentOf is an agent that setup knows as the configuration has it.
func agentOf(name, model string) config.Agent {
	if name == "ollama" {
		return config.Agent{Runner: "openai", URL: ollamaURL, Model: model}
	}
	return config.Agent{Runner: name, Model: model}
}

// entry is what a configuration says of just this role.
func entry(cfg config.Config, role string) (config.Agent, bool) {
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
	others, _ := entry(cfg, "*")
	for _, name := range defined {
		if _, there := entry(cfg, name); !there {
			roles = append(roles, Role{Name: name, Agent: None, Runner: others.Runner})
		}
	}
	slices.SortFunc(roles, func(a, b Role) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	if others.Runner == "" {
		return append(roles, Role{Name: "*", Agent: None})
	}
	return append(roles, roleOf(cfg, "*", others))
}

// roleOf is an entry of the configuration as a choice.
func roleOf(cfg config.Config, name string, a config.Agent) Role {
	r := Role{Name: name, Runner: a.Runner}
	r.Agent, r.Model = agentName(a)
	if by, builtin := entry(config.Default(), name); builtin && r.Agent == "" && reflect.DeepEqual(a, by) {
		r.Agent = None
	}
	more := a
	more.Runner, more.Model = "", ""
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

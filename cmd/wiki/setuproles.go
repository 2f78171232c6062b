package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
)

// agentHint shows how --agent is written.
const agentHint = "write --agent builtin, --agent claude:MODEL, or --agent Editor=claude for one role"

// agents are what --agent says: who answers the Miner and every other role, and who
// answers roles one by one.
func (f setupFlags) agents() (installer.Choice, error) {
	var c installer.Choice
	for _, text := range f.agent {
		r, err := installer.ParseRole(text)
		switch {
		case err != nil:
			return c, usage(agentHint, "%w", err)
		case r.Name != "":
			c.Roles = append(c.Roles, r)
		case c.Agent != "":
			return c, usage(agentHint, "--agent names two agents without a role, %s and %s", c.Agent, r.Agent)
		default:
			c.Agent, c.AgentModel = r.Agent, r.Model
		}
	}
	return c, nil
}

// checkAgents refuses who cannot answer, each agent once.
func (a *app) checkAgents(ctx context.Context, c installer.Choice, now config.Config) error {
	first := embeddingOf(c, now)
	first.Agent, first.AgentModel = c.Agent, c.AgentModel
	all := []installer.Choice{first}
	roles := []string{"Miner"}
	for _, r := range c.Roles {
		if !slices.ContainsFunc(all, func(o installer.Choice) bool { return o.Agent == r.Agent && o.AgentModel == r.Model }) {
			all, roles = append(all, installer.Choice{Agent: r.Agent, AgentModel: r.Model}), append(roles, r.Name)
		}
	}
	for i, one := range all {
		if err := a.checkAgent(ctx, roles[i], one); err != nil {
			return err
		}
	}
	return nil
}

// embeddingOf is what finds by meaning, if the choice says anything of it.
func embeddingOf(c installer.Choice, now config.Config) installer.Choice {
	if !c.ChoosesMeaning() {
		return installer.Choice{}
	}
	e := c.Embedding(now)
	return installer.Choice{Provider: e.Provider, Model: e.Model, URL: &e.URL}
}

// setupRoles is who answers each role, also those that only have a definition.
func setupRoles(cfg config.Config) []api.SetupRole {
	var defined []string
	if definitions, err := config.NewDefinitions(assets.Agents(), cfg); err == nil {
		list, _ := definitions.List() // the doctor tells of those that cannot be used
		for _, d := range list {
			if d.Name != config.GeneralDefinition {
				defined = append(defined, capitals(strings.TrimPrefix(d.Name, "vault-mind-")))
			}
		}
	}
	var roles []api.SetupRole
	for _, r := range installer.Roles(cfg, defined) {
		roles = append(roles, api.SetupRole{Role: r.Name, Agent: r.Agent, Model: r.Model, Runner: r.Runner, Kept: r.Kept})
	}
	return roles
}

// capitals is a role as it is usually spelled, such as Heavy-Lifter.
func capitals(name string) string {
	words := strings.Split(name, "-")
	for i, word := range words {
		if word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "-")
}

// rolesChoice is what differs from who answers today.
func rolesChoice(wanted []api.SetupRole, now config.Config) ([]installer.Role, error) {
	present := installer.Roles(now, nil)
	c := installer.Choice{}
	for _, w := range wanted {
		role := installer.Role{Name: w.Role, Agent: w.Agent, Model: w.Model}
		same := slices.ContainsFunc(present, func(r installer.Role) bool {
			return strings.EqualFold(r.Name, w.Role) && r.Agent == w.Agent && (r.Model == w.Model || w.Agent == "" && w.Model == "")
		})
		absent := !slices.ContainsFunc(present, func(r installer.Role) bool { return strings.EqualFold(r.Name, w.Role) })
		if known := config.CheckRole(w.Role) == nil; known && (same || absent && w.Agent == installer.None && w.Model == "" || w.Agent == "" && w.Model == "") {
			continue
		}
		c.Roles = append(c.Roles, role)
	}
	if err := c.CheckRoles(now); err != nil {
		return nil, roleAt(err)
	}
	return c.Roles, nil
}

// ownModel is what takes the model away from who answers the Miner and the others,
// which a choice without a model alone would leave as it is.
func ownModel(c installer.Choice, now config.Config) (roles []installer.Role) {
	if was := installer.Chosen(now); c.Agent == "" || c.Agent != was.Agent || c.AgentModel != "" || was.AgentModel == "" {
		return nil
	}
	return []installer.Role{{Name: "Miner", Agent: c.Agent}, {Name: "*", Agent: c.Agent}}
}

// roleAt is what is wrong with a role, beside its field.
func roleAt(err error) error {
	if wrong, ok := errors.AsType[*installer.RoleError](err); ok {
		return at("role-"+wrong.Part, wrong.Role, wrong)
	}
	return err
}

// checkRoles refuses who cannot answer a role, beside its field.
func (p *setupPage) checkRoles(ctx context.Context, roles []installer.Role) error {
	for _, r := range roles {
		err := p.checkAgent(ctx, r.Name, installer.Choice{Agent: r.Agent, AgentModel: r.Model})
		if err == nil {
			continue
		}
		part := "agent"
		if r.Agent == "ollama" && !errors.Is(err, installer.ErrNoOllama) {
			part = "model"
		}
		return roleAt(&installer.RoleError{Role: r.Name, Part: part, Err: err})
	}
	return nil
}

// roleLines are the chosen roles in words, a line each.
func roleLines(roles []installer.Role) (lines []string) {
	for _, r := range roles {
		name, who := r.Name, strings.TrimSpace(r.Agent+" "+r.Model)
		if name == "*" {
			name = "other roles"
		}
		if r.Agent == installer.None {
			who = "no entry of its own"
		}
		lines = append(lines, fmt.Sprintf("answers    %s: %s", name, who))
	}
	return lines
}

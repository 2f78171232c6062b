package installer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/definition"
)

// Difference is what a whole form says otherwise than the configuration. What is the
// same is not touched: it may have been written by hand with more to it. The error is
// a *[Refusal].
func Difference(form Choice, cfg config.Config) (Choice, error) {
	now := Chosen(cfg)
	c := Choice{Login: form.Login, Tray: form.Tray, Sure: form.Sure}
	for field, text := range map[string]string{"agentModel": form.AgentModel, "model": form.Model} {
		if err := CheckModel(text); err != nil {
			return c, &Refusal{Field: field, Err: err}
		}
	}
	for _, folder := range form.Vaults {
		path, err := ParseFolder(folder)
		if err != nil {
			return c, &Refusal{Field: "vaults", Value: folder, Err: err}
		}
		if !slices.Contains(c.Vaults, path) {
			c.Vaults = append(c.Vaults, path)
		}
	}
	if form.Agent != "" && (form.Agent != now.Agent || form.AgentModel != now.AgentModel) {
		var err error
		if c.Agent, c.AgentModel, err = ParseAgent(joinModel(form.Agent, form.AgentModel)); err != nil {
			field := "agent"
			if form.Agent == "ollama" || form.Agent == "builtin" {
				field = "agentModel"
			}
			return c, &Refusal{Field: field, Err: err}
		}
	}
	if form.Provider != now.Provider || form.Model != now.Model {
		c.Provider, c.Model = form.Provider, form.Model
	}
	c.URL = differentURL(form, now)
	if form.Port != now.Port {
		c.Port = form.Port
	}
	roles, err := differentRoles(form.Roles, cfg)
	c.Roles = append(ownModel(c, now), roles...)
	return c, err
}

// joinModel writes an agent and its model as ParseAgent takes them apart.
func joinModel(agent, model string) string {
	if model == "" {
		return agent
	}
	return agent + ":" + model
}

// ParseFolder is a folder as the configuration has it; it is written from ~ or the
// root on.
func ParseFolder(folder string) (string, error) {
	if strings.ContainsFunc(folder, unicode.IsControl) { // the error message is one line
		return "", fmt.Errorf("%q holds a character no path should have", folder)
	}
	if !strings.HasPrefix(folder, "~") && !filepath.IsAbs(folder) {
		return "", fmt.Errorf("\"%s\" is no whole path; write it from ~ or the root on", folder)
	}
	vaults, err := config.NewVaults(folder)
	if problems, ok := errors.AsType[config.Problems](err); ok {
		return "", errors.New(problems[0].Text) // there is one path, and so one problem
	}
	return vaults[0].Path, nil
}

// TypedFolder is [ParseFolder] for a folder that may be relative to where this program
// runs. A shell that does not know ~ leaves it to us.
func TypedFolder(folder string) (string, error) {
	if !strings.HasPrefix(folder, "~") && !filepath.IsAbs(folder) {
		full, err := filepath.Abs(folder)
		if err != nil {
			return "", fmt.Errorf("find the folder %s: %w", folder, err)
		}
		folder = full
	}
	return ParseFolder(folder)
}

// differentURL is the address that is chosen; nil if none is. With another provider the
// present address is chosen if it was given with it, unless that provider has none.
func differentURL(form, now Choice) *string {
	if form.URL == nil {
		return nil
	}
	url, was := strings.TrimSpace(*form.URL), ""
	if now.URL != nil {
		was = *now.URL
	}
	e := config.Embedding{Provider: cmp.Or(form.Provider, now.Provider)}
	if url == was && (e.Provider == now.Provider || e.NeedsNoServer()) {
		return nil
	}
	return &url
}

// differentRoles are the roles that are to be answered otherwise than today.
func differentRoles(wanted []Role, now config.Config) ([]Role, error) {
	present := Roles(now, nil)
	var roles []Role
	for _, w := range wanted {
		w.Runner, w.Kept = "", false
		isSame := slices.ContainsFunc(present, func(r Role) bool {
			return strings.EqualFold(r.Role, w.Role) && r.Agent == w.Agent && (r.Model == w.Model || w.Agent == "" && w.Model == "")
		})
		isAbsent := !slices.ContainsFunc(present, func(r Role) bool { return strings.EqualFold(r.Role, w.Role) })
		isRole := config.CheckRole(w.Role) == nil
		if !isRole || !isSame && !(isAbsent && w.Agent == None && w.Model == "") && (w.Agent != "" || w.Model != "") {
			roles = append(roles, w)
		}
	}
	plan := Plan{Present: Present{Config: now}, Choice: Choice{Roles: roles}}
	if err := plan.CheckRoles(); err != nil {
		return nil, err
	}
	return roles, nil
}

// ownModel removes the model from the agent of the Miner and of other roles, which a
// choice without a model would leave as it is.
func ownModel(c, now Choice) []Role {
	if c.Agent == "" || c.Agent != now.Agent || c.AgentModel != "" || now.AgentModel == "" {
		return nil
	}
	return []Role{{Role: "Miner", Agent: c.Agent}, {Role: "*", Agent: c.Agent}}
}

// AllRoles is [Roles] with those that only have a definition, of the user or built in.
func AllRoles(cfg config.Config, builtin fs.FS) []Role {
	var defined []string
	if definitions, err := definition.NewSet(builtin, cfg); err == nil {
		list, _ := definitions.List() // the doctor reports those that cannot be used
		for _, d := range list {
			if d.Name != definition.General {
				defined = append(defined, definition.RoleOf(d.Name))
			}
		}
	}
	return Roles(cfg, defined)
}

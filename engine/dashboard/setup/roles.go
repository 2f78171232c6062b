package setup

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/api"
)

// Row is a line of the table of roles.
type Row struct {
	ID    string // of its fields: "0" on
	Role  string // empty = one that is still to be named
	Agent string // as chosen, or as it was filled in
	Model string
	Named string // the typed name of another role
	Here  bool   // the page was opened for this row

	Was     api.SetupRole     // the settings when the page was made
	Now     api.SetupRole     // the present settings
	Options []api.SetupOption // to choose from
	State   *api.Agent        // of its agent; nil = it has none
}

// builtin is the agent that is always there.
const builtin = "builtin"

// NeedsProgram says whether no program was found that could answer.
func (v View) NeedsProgram() bool {
	return !slices.ContainsFunc(v.Agents, func(a api.SetupOption) bool { return a.Name != builtin })
}

// Label is the role as a person reads it.
func (r Row) Label() string {
	switch r.Role {
	case "":
		return "another role"
	case "*":
		return "every other role"
	}
	return r.Role
}

// SeekRole marks the row of a role that the page was opened for: a new row where it has none.
func (v *View) SeekRole(role string) {
	for i := range v.Rows {
		r := &v.Rows[i]
		if r.Here = role != "" && (r.Role == "" || strings.EqualFold(r.Role, role)); r.Here {
			if r.Role == "" {
				r.Named = role
			}
			return
		}
	}
}

// listRows returns the roles that are set or defined, those that the engine knows, and
// one to be named.
func listRows(found api.Setup, states []api.Agent) []Row {
	roles := slices.Clone(found.Chosen.Roles)
	for _, a := range states {
		if !slices.ContainsFunc(roles, func(r api.SetupRole) bool { return strings.EqualFold(r.Role, a.Role) }) {
			roles = append(roles, api.SetupRole{Role: a.Role, Runner: a.Runner, Kept: true})
		}
	}
	var rows []Row
	for _, r := range roles {
		rows = append(rows, Row{Role: r.Role, Agent: r.Agent, Model: r.Model, Was: r, Now: r, State: stateOf(states, r)})
	}
	rows = append(rows, Row{})
	for i := range rows {
		rows[i].ID = strconv.Itoa(i)
		rows[i].Options = rows[i].listOptions(found.Agents)
	}
	return rows
}

// stateOf returns the state of a role's agent, which may be the one of all other roles.
func stateOf(states []api.Agent, r api.SetupRole) *api.Agent {
	for _, name := range []string{r.Role, "*"} {
		i := slices.IndexFunc(states, func(a api.Agent) bool { return strings.EqualFold(a.Role, name) })
		if i >= 0 {
			return &states[i]
		}
	}
	return nil
}

// listOptions returns the agents that a role can have; leaving it unchanged comes first.
func (r Row) listOptions(agents []api.SetupOption) []api.SetupOption {
	var options []api.SetupOption
	if r.Role == "" {
		options = append(options, api.SetupOption{Detail: "choose"})
	} else if r.Now.Agent == "" {
		options = append(options, api.SetupOption{Detail: "configured by hand" + withPrefix(": ", r.Now.Runner)})
	}
	switch own := r.Now.Kept || strings.EqualFold(r.Role, "Miner"); {
	case r.Role == "" || own:
	case r.Role == "*":
		options = append(options, api.SetupOption{Name: "none", Detail: "nobody"})
	case strings.EqualFold(r.Role, "Broadcaster"):
		options = append(options, api.SetupOption{Name: "none", Detail: "the built-in Broadcaster"})
	default:
		options = append(options, api.SetupOption{Name: "none", Detail: "like every other role"})
	}
	for _, a := range agents {
		if a.Name == builtin { // of another role a person may expect more
			options = append(options, api.SetupOption{Name: a.Name, Detail: a.Name + withPrefix(": ", a.Detail)})
			continue
		}
		options = append(options, api.SetupOption{Name: a.Name, Detail: a.Name})
	}
	return options
}

// withPrefix is a text with something before it, or nothing.
func withPrefix(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// FillRoles returns the rows as they were filled in. It ignores an unchanged field: another person may have changed
// the setting since.
func (v View) FillRoles(form url.Values) []Row {
	rows := slices.Clone(v.Rows)
	for n := range len(form) {
		id := strconv.Itoa(n)
		role, agent, model := form.Get("role-"+id), "role-agent-"+id, "role-model-"+id
		if !form.Has("role-"+id) || role != "" && !hasChanged(form, agent, model) {
			continue
		}
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Role == role })
		if i < 0 { // it was taken out meanwhile
			rows = append(rows, Row{ID: strconv.Itoa(len(rows)), Role: role})
			i = len(rows) - 1
			rows[i].Options = rows[i].listOptions(v.Agents)
		}
		rows[i].Agent, rows[i].Model = form.Get(agent), strings.TrimSpace(form.Get(model))
		rows[i].Was.Agent, rows[i].Was.Model = form.Get("was-"+agent), form.Get("was-"+model)
		if role == "" {
			rows[i].Named = strings.TrimSpace(form.Get("another"))
		}
	}
	return rows
}

// ReadRoles returns the rows that differ from what is set.
func (v View) ReadRoles() (api.SetupChoice, error) {
	var choice api.SetupChoice
	for _, r := range v.Rows {
		name := r.Role
		switch {
		case r.Agent == r.Now.Agent && r.Model == r.Now.Model && r.Named == "":
			continue
		case name == "" && r.Named == "":
			return choice, &api.Invalid{Reason: "Name the role.", Field: "role-name"}
		case name == "" && r.Agent == "":
			return choice, &api.Invalid{Reason: "Choose who answers it.", Field: "role-agent"}
		case name == "" && slices.ContainsFunc(v.Rows, func(o Row) bool { return strings.EqualFold(o.Role, r.Named) }):
			return choice, &api.Invalid{Reason: r.Named + " is in the list above already; change it there.", Field: "role-name"}
		case r.Agent == "" && r.Model == "":
			return choice, &api.Invalid{Reason: "Somebody wrote the model into the configuration by hand; take it out of that file.", Field: "role-model", Value: name}
		case name == "":
			name = r.Named
		}
		choice.Roles = append(choice.Roles, api.SetupRole{Role: name, Agent: r.Agent, Model: r.Model})
	}
	return choice, nil
}

// FieldOf returns the field of the table that something is wrong with.
func (v View) FieldOf(wrong *api.Invalid) string {
	if !strings.HasPrefix(wrong.Field, "role-") {
		return "roles"
	}
	another := ""
	for _, r := range v.Rows {
		if r.Role == "" {
			another = r.ID
		}
		if r.Role != "" && strings.EqualFold(r.Role, wrong.Value) && wrong.Field != "role-name" {
			return wrong.Field + "-" + r.ID
		}
	}
	if wrong.Field == "role-name" {
		return "another"
	}
	return wrong.Field + "-" + another
}

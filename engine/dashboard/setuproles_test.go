package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
)

// rolesTools is a setup with roles in it.
func rolesTools(c *chooser, roles []api.SetupRole) api.Tools {
	tools := c.tools()
	look, write := tools.Setup.Look, tools.Setup.Write
	tools.Setup.Look = func(ctx context.Context) (api.Setup, error) {
		s, err := look(ctx)
		s.Chosen.Roles = roles
		return s, err
	}
	tools.Setup.Write = func(ctx context.Context, choice api.SetupChoice) (api.SetupWritten, error) {
		for _, r := range choice.Roles {
			switch {
			case r.Role == "a b":
				return api.SetupWritten{}, &api.Invalid{Reason: "It is not a role.", Field: "role-name", Value: r.Role}
			case r.Model == "gone":
				return api.SetupWritten{}, &api.Invalid{Reason: "There is no such model.", Field: "role-model", Value: r.Role}
			case r.Agent == "nobody":
				return api.SetupWritten{}, &api.Invalid{Reason: "There is no nobody.", Field: "role-agent", Value: r.Role}
			}
		}
		return write(ctx, choice)
	}
	return tools
}

var someRoles = []api.SetupRole{{Role: "Editor", Agent: "claude", Model: "opus", Runner: "claude"}, {Role: "Own", Runner: "command", Kept: true},
	{Role: "Far", Model: "m", Runner: "openai", Kept: true}, {Role: "*", Agent: "none"}}

// rolesFields are the fields of the table, as a browser sends them when nothing is
// touched.
func rolesFields(t *testing.T, page string) url.Values {
	t.Helper()
	form := url.Values{}
	elements, _ := parsed(t, page)
	within := ""
	for _, e := range elements {
		name := e.attrs["name"]
		ours := strings.HasPrefix(name, "role-") || strings.HasPrefix(name, "was-role-") || name == "another"
		switch _, selected := e.attrs["selected"]; {
		case e.name == "select" && ours:
			within = name
			form.Set(name, "")
		case e.name == "select":
			within = ""
		case e.name == "option" && selected && within != "":
			form.Set(within, e.attrs["value"])
		case e.name == "input" && ours:
			form.Set(name, e.attrs["value"])
		}
	}
	return form
}

// Only what was touched is chosen; what is refused stands beside its field, and what
// was filled in is not lost.
func TestSetupRoles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		typed   map[string]string
		want    []api.SetupRole
		field   string // that is wrong
		refused string
	}{
		{name: "nothing"},
		{name: "another agent", typed: map[string]string{"role-agent-0": "builtin", "role-model-0": ""}, want: []api.SetupRole{{Role: "Editor", Agent: "builtin"}}},
		{name: "another model", typed: map[string]string{"role-model-0": "sonnet"}, want: []api.SetupRole{{Role: "Editor", Agent: "claude", Model: "sonnet"}}},
		{name: "no entry", typed: map[string]string{"role-agent-0": "none", "role-model-0": ""}, want: []api.SetupRole{{Role: "Editor", Agent: "none"}}},
		{name: "by hand, its model", typed: map[string]string{"role-model-2": "n"}, want: []api.SetupRole{{Role: "Far", Model: "n"}}},
		{name: "the others", typed: map[string]string{"role-agent-3": "claude"}, want: []api.SetupRole{{Role: "*", Agent: "claude"}}},
		{name: "a new one", typed: map[string]string{"another": " Translator ", "role-agent-5": "claude", "role-model-5": "m"}, want: []api.SetupRole{{Role: "Translator", Agent: "claude", Model: "m"}}},
		{name: "by hand, without its model", typed: map[string]string{"role-model-2": ""}, field: "role-model-2", refused: "take it out of that file"},
		{name: "without a name", typed: map[string]string{"role-agent-5": "claude"}, field: "another", refused: "Name the role."},
		{name: "without an agent", typed: map[string]string{"another": "New"}, field: "role-agent-5", refused: "Choose who answers it."},
		{name: "one that is there", typed: map[string]string{"another": "editor", "role-agent-5": "claude"}, field: "another", refused: "is in the list above already"},
		{name: "no role", typed: map[string]string{"another": "a b", "role-agent-5": "claude"}, field: "another", refused: "It is not a role."},
		{name: "no model", typed: map[string]string{"role-model-0": "gone"}, field: "role-model-0", refused: "no such model"},
		{name: "no agent", typed: map[string]string{"another": "New", "role-agent-5": "nobody"}, field: "role-agent-5", refused: "There is no nobody."},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c chooser
			b := openSite(t, func(s *parts) { s.UseTools(rolesTools(&c, someRoles)) }).browser(t)
			form := rolesFields(t, b.get(t, "/setup").text)
			if form.Get("role-0") != "Editor" || form.Get("role-agent-0") != "claude" || form.Get("role-model-0") != "opus" || form.Get("role-3") != "*" || form.Get("role-agent-3") != "none" || form.Get("role-4") != "Miner" || form.Get("role-5") != "" {
				t.Fatalf("the page shows %v", form)
			}
			for name, text := range test.typed {
				form.Set(name, text)
			}
			form.Set("form", b.form)
			a := b.send(t, "POST", "/setup/roles", b.posting(map[string]string{"Accept": "text/html"}), form.Encode())
			if test.field == "" {
				if a.status != http.StatusSeeOther || len(c.chosen) != 1 || !reflect.DeepEqual(c.chosen[0], api.SetupChoice{Roles: test.want}) {
					t.Errorf("%d, chosen %+v", a.status, c.chosen)
				}
				return
			}
			if a.status != http.StatusBadRequest || !strings.Contains(a.text, test.refused) || len(c.chosen) != 0 {
				t.Errorf("%d, chosen %+v\n%s", a.status, c.chosen, a.text)
			}
			elements, _ := parsed(t, a.text)
			for _, e := range elements {
				if _, focused := e.attrs["autofocus"]; focused != (e.attrs["id"] == test.field) {
					t.Errorf("the focus is on %v", e.attrs)
				}
			}
			again := rolesFields(t, a.text)
			for name := range form {
				if got, want := again.Get(name), strings.TrimSpace(form.Get(name)); name != "form" && want != "nobody" && got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
		})
	}
}

// A page left open takes nothing back of what somebody else has chosen meanwhile.
func TestSetupRolesMeanwhile(t *testing.T) {
	var c chooser
	roles := []api.SetupRole{{Role: "Clerk", Agent: "claude"}, {Role: "Editor", Agent: "claude", Model: "opus"}, {Role: "*", Agent: "none"}}
	tools := rolesTools(&c, roles)
	b := openSite(t, func(s *parts) { s.UseTools(tools) }).browser(t)
	form := rolesFields(t, b.get(t, "/setup").text)
	roles[1].Model = "sonnet"
	form.Set("role-agent-0", "builtin")
	form.Set("form", b.form)
	a := b.send(t, "POST", "/setup/roles", b.posting(map[string]string{"Accept": "text/html"}), form.Encode())
	if want := []api.SetupChoice{{Roles: []api.SetupRole{{Role: "Clerk", Agent: "builtin"}}}}; a.status != http.StatusSeeOther || !reflect.DeepEqual(c.chosen, want) {
		t.Errorf("%d, chosen %+v", a.status, c.chosen)
	}
}

package main

import (
	"errors"
	"reflect"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
)

// What a role is answered by already is no choice, and what cannot be is told beside
// its field.
func TestRolesChoice(t *testing.T) {
	now := config.Default()
	now.Agents["Editor"] = config.Agent{Runner: "claude", Model: "opus"}
	now.Agents["Own"] = config.Agent{Runner: "command", Command: []string{"my-agent"}}
	now.Agents["Far"] = config.Agent{Runner: "acp", Command: []string{"far"}, Model: "m"}
	if got, err := rolesChoice(setupRoles(now), now); err != nil || got != nil {
		t.Errorf("what is so already: %+v, %v", got, err)
	}
	for _, test := range []struct {
		wanted api.SetupRole
		want   installer.Role
		field  string
	}{
		{api.SetupRole{Role: "editor", Agent: "claude"}, installer.Role{Name: "editor", Agent: "claude"}, ""},
		{api.SetupRole{Role: "Editor", Agent: "none"}, installer.Role{Name: "Editor", Agent: "none"}, ""},
		{api.SetupRole{Role: "Manager", Agent: "builtin"}, installer.Role{Name: "Manager", Agent: "builtin"}, ""},
		{api.SetupRole{Role: "Far", Model: "n"}, installer.Role{Name: "Far", Model: "n"}, ""},
		{api.SetupRole{Role: "*", Agent: "pi", Runner: "claude", Kept: true}, installer.Role{Name: "*", Agent: "pi"}, ""},
		{api.SetupRole{Role: "2nd"}, installer.Role{}, "role-name"},
		{api.SetupRole{Agent: "claude"}, installer.Role{}, "role-name"},
		{api.SetupRole{Role: "Own", Agent: "none"}, installer.Role{}, "role-agent"},
		{api.SetupRole{Role: "Own", Model: "m"}, installer.Role{}, "role-model"},
		{api.SetupRole{Role: "Editor", Agent: "chatgpt"}, installer.Role{}, "role-agent"},
		{api.SetupRole{Role: "Editor", Agent: "ollama"}, installer.Role{}, "role-model"},
	} {
		got, err := rolesChoice([]api.SetupRole{test.wanted}, now)
		if test.field == "" {
			if err != nil || !reflect.DeepEqual(got, []installer.Role{test.want}) {
				t.Errorf("%+v: %+v, %v", test.wanted, got, err)
			}
			continue
		}
		if wrong, ok := errors.AsType[*api.Invalid](err); !ok || wrong.Field != test.field || wrong.Value != test.wanted.Role {
			t.Errorf("%+v: %+v", test.wanted, wrong)
		}
	}
}

// Those that are defined are offered, spelled as people do.
func TestSetupRoles(t *testing.T) {
	var names []string
	for _, r := range setupRoles(config.Default()) {
		names = append(names, r.Role)
	}
	if want := []string{"Broadcaster", "Heavy-Lifter", "Manager", "Miner", "*"}; !reflect.DeepEqual(names, want) {
		t.Errorf("%q", names)
	}
}

func TestOwnModel(t *testing.T) {
	now := config.Default()
	now.Agents["Miner"] = config.Agent{Runner: "claude", Model: "opus"}
	for agent, want := range map[string]int{"claude": 2, "pi": 0, "": 0} {
		if got := ownModel(installer.Choice{Agent: agent}, now); len(got) != want {
			t.Errorf("%q: %+v", agent, got)
		}
	}
	if got := ownModel(installer.Choice{Agent: "claude", AgentModel: "sonnet"}, now); got != nil {
		t.Errorf("%+v", got)
	}
}

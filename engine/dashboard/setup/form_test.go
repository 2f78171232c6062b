package setup

import (
	"net/url"
	"testing"

	"vaultdispatcher/engine/api"
)

// A folder is taken as file managers copy it: with quotes, or with a blank behind it.
func TestPastedFolder(t *testing.T) {
	for text, want := range map[string]string{
		`"C:\Users\me\My notes"`: `C:\Users\me\My notes`, " /notes\t": "/notes", ` "/a b" `: "/a b", "'/a b'": "/a b",
		`/a"b"`: `/a"b"`, `"/a`: `"/a`, `"`: `"`, "~/Notes": "~/Notes",
	} {
		choice, refused := View{}.ReadChoice(url.Values{"folder": {text}})
		if refused != nil || len(choice.Vaults) != 1 || choice.Vaults[0] != want {
			t.Errorf("%q: %q, %v", text, choice.Vaults, refused)
		}
	}
	for _, nothing := range []string{"", "  ", `""`} {
		if _, refused := (View{}).ReadChoice(url.Values{"folder": {nothing}}); refused == nil {
			t.Errorf("%q is taken for a folder", nothing)
		}
	}
}

// A row says what the built-in agent does, and the page whether any program was found.
func TestBuiltInIsDescribed(t *testing.T) {
	found := api.Setup{Agents: []api.SetupOption{{Name: "builtin", Detail: "quotes your notes"}}}
	found.Chosen.Roles, found.Chosen.URL = []api.SetupRole{{Role: "Editor", Agent: "none"}}, new(string)
	v := New(found, nil)
	if got := v.Rows[0].Options; !v.NeedsProgram() || len(got) != 2 || got[1].Detail != "builtin: quotes your notes" {
		t.Errorf("%+v", got)
	}
	found.Agents = append(found.Agents, api.SetupOption{Name: "claude"})
	if v := New(found, nil); v.NeedsProgram() {
		t.Error("claude is none")
	}
}

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/installer"
)

// What is as it was is not touched, and what is wrong is told in a sentence.
func TestSetupChoice(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "Notes")
	url := func(text string) *string { return &text }
	now := installer.Choice{Vaults: []string{notes}, Agent: "claude", AgentModel: "opus", Provider: "ollama", Model: "m", URL: url("http://nas"), Port: 11435}
	same := api.SetupChoice{Vaults: []string{notes, notes}, Agent: "claude", AgentModel: "opus", Provider: "ollama", Model: "m"}
	for _, test := range []struct {
		change func(*api.SetupChoice)
		want   installer.Choice
		wrong  string
	}{
		{func(*api.SetupChoice) {}, installer.Choice{}, ""},
		{func(c *api.SetupChoice) { c.Agent, c.AgentModel = "", "" }, installer.Choice{}, ""},
		{func(c *api.SetupChoice) { c.AgentModel = "" }, installer.Choice{Agent: "claude"}, ""},
		{func(c *api.SetupChoice) { c.Agent, c.AgentModel = "ollama", "qwen3:8b" }, installer.Choice{Agent: "ollama", AgentModel: "qwen3:8b"}, ""},
		{func(c *api.SetupChoice) { c.Provider, c.Model = "none", "" }, installer.Choice{Provider: "none"}, ""},
		{func(c *api.SetupChoice) { c.URL = url("http://nas") }, installer.Choice{}, ""},
		{func(c *api.SetupChoice) { c.URL = url(" http://attic ") }, installer.Choice{URL: url("http://attic")}, ""},
		{func(c *api.SetupChoice) { c.URL = url("") }, installer.Choice{URL: url("")}, ""},
		{func(c *api.SetupChoice) { c.Provider, c.URL = "openai", url("http://nas") }, installer.Choice{Provider: "openai", Model: "m", URL: url("http://nas")}, ""},
		{func(c *api.SetupChoice) { c.Provider = "openai" }, installer.Choice{Provider: "openai", Model: "m"}, ""},
		{func(c *api.SetupChoice) { c.Provider, c.URL = "static", url("http://nas") }, installer.Choice{Provider: "static", Model: "m"}, ""},
		{func(c *api.SetupChoice) { c.Port = 11500 }, installer.Choice{Port: 11500}, ""},
		{func(c *api.SetupChoice) { c.Port = 11435 }, installer.Choice{}, ""},
		{func(c *api.SetupChoice) { c.Agent = "nobody" }, installer.Choice{}, "No such agent"},
		{func(c *api.SetupChoice) { c.Agent, c.AgentModel = "ollama", "" }, installer.Choice{}, "needs a model"},
		{func(c *api.SetupChoice) { c.Vaults = []string{"notes"} }, installer.Choice{}, `"notes" is no whole path`},
		{func(c *api.SetupChoice) { c.Vaults = []string{"Notes\nmore"} }, installer.Choice{}, `"Notes\nmore" holds a character`},
		{func(c *api.SetupChoice) { c.AgentModel = "opus\x00" }, installer.Choice{}, "no name of a model"},
		{func(c *api.SetupChoice) { c.Model = "m\nurl: x" }, installer.Choice{}, "no name of a model"},
		{func(c *api.SetupChoice) { c.Model = strings.Repeat("m", 60000) }, installer.Choice{}, "no name of a model"},
	} {
		c := same
		test.change(&c)
		got, err := setupChoice(c, now)
		if test.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%+v: %v, want %s", c, err, test.wrong)
			}
			continue
		}
		test.want.Vaults = []string{notes}
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: %+v, %v, want %+v", c, got, err, test.want)
		}
	}
}

func TestSetupAgents(t *testing.T) {
	programs := []installer.Program{{Runner: "claude", Path: "/bin/claude", LoggedIn: true}, {Runner: "codex", Path: "/bin/codex"}, {Runner: "pi", Path: "/bin/pi", Needs: "node"}}
	got := setupAgents(programs, true, api.SetupChoice{Agent: "gemini", Roles: []api.SetupRole{{Agent: "gemini"}, {Agent: "none"}, {}}})
	want := []api.SetupOption{{Name: "builtin", Detail: "quotes your notes"}, {Name: "claude", Detail: "/bin/claude"}, {Name: "codex", Detail: "/bin/codex, perhaps not logged in"},
		{Name: "pi", Detail: "cannot start, node is missing"}, {Name: "ollama", Detail: "a model on this machine"}, {Name: "gemini", Detail: "as it is now"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := setupAgents(nil, false, api.SetupChoice{Agent: "builtin"}); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	err, ok := errors.AsType[*api.Invalid](at("vaults", "/x", fail("name another", "there is no folder %s", "/x")))
	if want := (api.Invalid{Reason: "There is no folder /x; name another.", Field: "vaults", Value: "/x"}); !ok || *err != want {
		t.Errorf("%+v", err)
	}
}

// An entry of the icon that nothing can start is seen, and can be taken away.
func TestTrayNow(t *testing.T) {
	for _, test := range []struct {
		program                string
		installed, offered, on bool
	}{{"", false, false, false}, {"", true, true, true}, {"/bin/wiki-tray", false, true, false}, {"/bin/wiki-tray", true, true, true}} {
		got := trayNow(test.program, test.installed)
		if told := got.Detail != ""; got.Offered != test.offered || got.On != test.on || told != (test.program == "" && test.on) {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}

// A role that lets its time pass is told of in words for people.
func TestSetupTryTakesTooLong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("wiki: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	p := &setupPage{app: app{configFile: file}}
	_, err := p.setupTry(ctx, "Miner")
	refused, ok := errors.AsType[*api.Conflict](err)
	if !ok || !strings.HasPrefix(refused.Reason, "Miner did not answer within ") {
		t.Errorf("%v", err)
	}
}

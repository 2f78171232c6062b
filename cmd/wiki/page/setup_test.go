package page

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

func TestSetupAgents(t *testing.T) {
	programs := []installer.Program{{Runner: "claude", Path: "/bin/claude", LoggedIn: true}, {Runner: "codex", Path: "/bin/codex"}, {Runner: "pi", Path: "/bin/pi", Needs: "node"}}
	got := agentChoices(programs, true, installer.Choice{Agent: "gemini", Roles: []installer.Role{{Agent: "gemini"}, {Agent: "none"}, {}}})
	want := []api.SetupOption{{Name: "builtin", Detail: "quotes your notes"}, {Name: "claude", Detail: "/bin/claude"}, {Name: "codex", Detail: "/bin/codex, perhaps not logged in"},
		{Name: "pi", Detail: "cannot start, node is missing"}, {Name: "ollama", Detail: "a model on this machine"}, {Name: "gemini", Detail: "as it is now"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := agentChoices(nil, false, installer.Choice{Agent: "builtin"}); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	err, ok := errors.AsType[*api.Invalid](invalidField(&installer.Refusal{Field: "vaults", Value: "/x", Err: errors.New("there is no folder /x"), Remedy: "name another"}, nil))
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
		got := traySwitch(test.program, test.installed)
		if told := got.Detail != ""; got.Offered != test.offered || got.Enabled != test.on || told != (test.program == "" && test.on) {
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
	p := &setup{Options{ConfigFile: file}}
	_, err := p.tryRole(ctx, "Miner")
	refused, ok := errors.AsType[*api.Conflict](err)
	if !ok || !strings.HasPrefix(refused.Reason, "Miner did not answer within ") {
		t.Errorf("%v", err)
	}
}

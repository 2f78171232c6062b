package proof

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// The first vault is one whose disk responds.
func TestFirstVaultIsNoSilentOne(t *testing.T) {
	paused, silent, there := t.TempDir(), t.TempDir(), t.TempDir()
	silentdisk.HangAt(t, silent)
	cfg := config.Config{Vaults: []config.Vault{{Path: paused, Paused: true}, {Path: silent}, {Path: there}}}
	if got := firstVault(cfg); got != there {
		t.Errorf("%q of %q, which hangs, and %q", got, silent, there)
	}
}

// Nobody waits for a vault of which the engine says that its disk does not respond, and that is the cause that is told.
func TestNoWaitForASilentVault(t *testing.T) {
	silentdisk.HangAt(t, "/notes")
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		vault := api.Vault{Path: "/notes", State: "offline", Reason: "not responding since 14:05"}
		if asked.Add(1) > 1 { // who waits sees it come back
			vault.State, vault.Reason = "watching", ""
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Server", api.Product)
		_ = json.NewEncoder(w).Encode(api.Status{
			Vaults: []api.Vault{vault}, Agents: []api.Agent{{Role: api.DefaultRole, Runner: "builtin", Ready: true}},
		})
	}))
	defer server.Close()
	c := client.New(server.Listener.Addr().(*net.TCPAddr).Port, "")
	_, err := waitForVault(t.Context(), c, "/notes", "builtin")
	if err == nil || err.Error() != "the folder is offline: not responding since 14:05" {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

func TestScratchNote(t *testing.T) {
	n := newNote(subject{})
	if n.question == newNote(subject{}).question {
		t.Errorf("%q is asked twice, and the second time nobody answers", n.question)
	}
	whole := n.head + "<!-- agent-response -->\nIt is.\n<!-- /agent-response -->\n" + n.tail
	if answer, ok := n.findAnswer(whole); !ok || answer != "It is." {
		t.Errorf("%q, %v", answer, ok)
	}
	for name, text := range map[string]string{
		"not answered":  n.head + n.question + n.tail,
		"half":          n.head + "<!-- agent-response -->\nIt is.\n" + n.tail,
		"above changed": strings.Replace(whole, "first", "second", 1),
		"below changed": strings.Replace(whole, "end", "start", 1),
		"empty":         "",
	} {
		if _, ok := n.findAnswer(text); ok {
			t.Errorf("%s counts as answered", name)
		}
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

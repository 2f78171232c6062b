package relay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/cmd/wiki/relay"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/recall"
)

// TestPrivateSinceTheLastCall: a note that the configuration makes private is shown no more, also
// where no engine runs and the client is the same one as before.
func TestPrivateSinceTheLastCall(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "Diary.md"), []byte("# Diary\n\nthe red disk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Vaults = []config.Vault{{Name: "v", Path: root}}
	dir, err := config.CacheDir(root)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := recall.Open(t.Context(), filepath.Join(dir, "index.db"), root, recall.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Sync(t.Context(), []string{"Diary.md"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	r := &relay.Relay{
		Engine: func(context.Context) (*client.Client, error) {
			return nil, fmt.Errorf("no engine: %w", api.ErrNotRunning)
		},
		Config: func() (config.Config, error) { return cfg, nil },
		State:  t.TempDir(),
	}
	read := func() string {
		told, err := r.Call(t.Context(), mcp.Scope{}, "read_note", json.RawMessage(`{"note":"Diary"}`))
		if err != nil {
			return err.Error()
		}
		text, err := json.Marshal(told)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if text := read(); !strings.Contains(text, "the red disk") {
		t.Fatalf("before: %s", text)
	}
	cfg.Private = []string{"Diary.md"}
	if text := read(); strings.Contains(text, "red disk") || !strings.Contains(text, "no such note") {
		t.Errorf("private: %s", text)
	}
}

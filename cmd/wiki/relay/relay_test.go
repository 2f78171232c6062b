package relay_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/cmd/wiki/relay"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/recall"
)

// indexedVault is a configuration with one vault, whose note an engine has read that runs no more.
func indexedVault(t *testing.T) config.Config {
	t.Helper()
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
	dir, err := place.CacheDir(root)
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
	return cfg
}

func besideNoEngine(t *testing.T, cfg *config.Config) *relay.Relay {
	return &relay.Relay{
		Engine: func(context.Context) (*client.Client, error) {
			return nil, fmt.Errorf("no engine: %w", api.ErrNotRunning)
		},
		Config: func() (config.Config, error) { return *cfg, nil },
		State:  t.TempDir(),
	}
}

// TestPrivateSinceTheLastCall: a note that the configuration makes private is shown no more, also
// where no engine runs and the client is the same one as before.
func TestPrivateSinceTheLastCall(t *testing.T) {
	cfg := indexedVault(t)
	r := besideNoEngine(t, &cfg)
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

// What a client sends badly is answered, and what it sends after that, too.
func TestSloppyClient(t *testing.T) {
	cfg := indexedVault(t)
	in, write := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcp.ServeLines(t.Context(), mcp.Options{Library: besideNoEngine(t, &cfg)}, in, out) }()
	answers := bufio.NewReader(read)
	for _, c := range []struct{ said, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `"serverInfo"`},
		{"hello", "-32700"},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_note","arguments":{"note":"Diary","from":"1","to":3.0,"why":"x"}}}`, "the red disk"},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read_note","arguments":{"note":"Diary","from":"one"}}}`, "The argument from is to be a whole number"},
		{`{"jsonrpc":"2.0","id":4,"method":`, "-32700"},
		{`{"jsonrpc":"2.0","id":5,"method":"ping"}`, `"id":5,"result"`},
	} {
		if _, err := io.WriteString(write, c.said+"\n"); err != nil {
			t.Fatal(err)
		}
		if got, err := answers.ReadString('\n'); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, %v", c.said, got, err)
		}
	}
	write.Close()
	if err := <-ended; err != nil {
		t.Errorf("the end: %v", err)
	}
}

// openDesk answers everything with its own number.
type openDesk struct {
	closedDesk
	number int
}

func (d openDesk) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"result":{"content":[{"text":"%d"}]}}`, d.number)
}

// TestEngineIsFoundOnce: an engine that has answered is not looked for again, until it is gone or has moved.
func TestEngineIsFoundOnce(t *testing.T) {
	serve := func(number int) (port int, stop func() error) {
		s := server.New(apitest.NewBackend(t), apitest.Token, slog.New(slog.DiscardHandler))
		s.UseDesk(openDesk{number: number})
		engine, stop := apitest.Serve(t, s.Run)
		return engine.Port, stop
	}
	found := 0
	port, stop := serve(1)
	r := &relay.Relay{Engine: func(context.Context) (*client.Client, error) {
		found++
		return client.New(port, apitest.Token), nil
	}, State: t.TempDir()}
	call := func(wantAnswer string, wantFound int) {
		t.Helper()
		told, err := r.Call(t.Context(), mcp.Scope{}, "search", json.RawMessage(`{"query":"disk"}`))
		if text, _ := told.(json.RawMessage); err != nil || string(text) != wantAnswer || found != wantFound {
			t.Errorf("%s, %v; found %d times, want %s and %d", text, err, found, wantAnswer, wantFound)
		}
	}
	call("1", 1)
	call("1", 1)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	port, _ = serve(2)
	call("2", 2)
	call("2", 2)
}

// closedDesk answers nobody: the token is refused before.
type closedDesk struct{}

func (closedDesk) ServeHTTP(http.ResponseWriter, *http.Request)               {}
func (closedDesk) Knows(string) bool                                          { return false }
func (closedDesk) Read(context.Context, string, json.RawMessage) (any, error) { return nil, nil }

// TestOtherStateIsNamed: a client that drops XDG_STATE_HOME starts us with another state folder than the engine's, and is told
// which one that is.
func TestOtherStateIsNamed(t *testing.T) {
	s := server.New(apitest.NewBackend(t), apitest.Token, slog.New(slog.DiscardHandler))
	s.UseDesk(closedDesk{})
	engine, stop := apitest.Serve(t, s.Run)
	defer stop()
	port, state := engine.Port, t.TempDir()
	r := &relay.Relay{Engine: func(ctx context.Context) (*client.Client, error) { return client.FindEngine(ctx, state, port) }, State: state}
	_, err := r.Call(t.Context(), mcp.Scope{}, "search", json.RawMessage(`{"query":"disk"}`))
	if err == nil || !strings.Contains(err.Error(), state) || !strings.Contains(err.Error(), "XDG_STATE_HOME") {
		t.Errorf("%v", err)
	}
}

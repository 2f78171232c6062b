//go:build realagents

package cli_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/mcp"
)

// shelf answers each call and remembers it.
type shelf struct {
	mu    sync.Mutex // guards calls
	calls []string
}

func (s *shelf) Call(_ context.Context, who mcp.Scope, tool string, arguments json.RawMessage) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, tool+" "+string(arguments))
	if who.Private || who.Vault != "the vault" {
		return nil, mcp.Refusal("the scope is wrong")
	}
	return map[string]string{"cite": "[[Backups#Decision]]"}, nil
}

// TestRealDesk: a program that reads finds the desk, is told its tools, may call them, and is
// told nothing by the vault nevertheless. One without tools is not told of it.
func TestRealDesk(t *testing.T) {
	call := map[string]string{"claude": "mcp__notes__search", "codex": "mcp__notes__search", "gemini": "mcp_notes_search", "opencode": "notes_search", "pi": "notes_search"}
	var names []string
	for _, name := range presetNames() {
		if call[name] != "" {
			names = append(names, name)
		}
	}
	with(t, names, func(t *testing.T, w world) {
		library := &shelf{}
		desk := mcp.NewDesk(library, "test")
		ticket, leave := desk.Admit(mcp.Scope{Vault: "the vault"})
		defer leave()
		site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !desk.Knows(bearer) {
				http.Error(rw, "no", http.StatusUnauthorized)
				return
			}
			desk.ServeHTTP(rw, r)
		}))
		defer site.Close()
		started := t.TempDir()
		if w.preset != "opencode" { // which refuses a vault that configures it
			w.poison(t, started)
		}
		for _, tools := range []string{agent.ToolsRead, agent.ToolsNone} {
			library.calls = nil
			task := w.task(nil, `{{CALLTOOL `+call[w.preset]+` {"query":"backups"}}}`)
			task.Desk = agent.Desk{Address: site.URL + "/mcp", Ticket: ticket}
			reply, err := w.runner(t, agent.Settings{Tools: tools}).Run(t.Context(), task)
			t.Logf("tools %s: %q, %v; %q", tools, reply.Text, err, library.calls)
			if found := strings.Contains(reply.Text, "[[Backups#Decision]]"); found != (tools == agent.ToolsRead) {
				t.Errorf("tools %s: the desk's answer came: %t", tools, found)
			}
			for _, c := range w.model.Calls() {
				if strings.Contains(string(c.Body), "CANARY") && w.preset != "gemini" {
					t.Errorf("tools %s: the model was told what the vault says: ...%s", tools, around(string(c.Body), "CANARY"))
				}
				if strings.Contains(string(c.Body), ticket) {
					t.Errorf("tools %s: the model was told the ticket", tools)
				}
				if tools == agent.ToolsRead {
					t.Logf("tools offered: %q", c.Tools)
				}
			}
		}
		if entries, err := os.ReadDir(started); err != nil || len(entries) > 0 {
			t.Errorf("the vault started %v, %v", entries, err)
		}
	})
}

//go:build realagents

package acp

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/testdata/fakemodel"
	"vaultdispatcher/engine/mcp"
)

// shelf is a library with one passage.
type shelf struct{}

func (shelf) Call(context.Context, mcp.Scope, string, json.RawMessage) (any, error) {
	return map[string]string{"cite": "[[Backups#Decision]]"}, nil
}

// TestRealDesk: what an agent that reads is told of the desk lets it call the desk's tools. With
// ALL_AGENTS=1, for it takes a minute.
func TestRealDesk(t *testing.T) {
	dir := os.Getenv("REAL_AGENTS")
	if dir == "" {
		t.Fatal("REAL_AGENTS does not name the folder of the programs")
	}
	if os.Getenv("ALL_AGENTS") == "" {
		return
	}
	for name, program := range map[string]string{"claude-agent-acp": "claude", "codex-acp": "codex"} {
		t.Run(name, func(t *testing.T) {
			model, desk := fakemodel.New(t), mcp.NewDesk(shelf{}, "test")
			ticket, leave := desk.Admit(mcp.Scope{Vault: "the vault"})
			defer leave()
			site := httptest.NewServer(desk)
			defer site.Close()
			a := Agent{Command: []string{filepath.Join(dir, "acp", "node_modules", ".bin", name)}, desk: "notes_test", Settings: agent.Settings{Tools: agent.ToolsRead, Timeout: 2 * time.Minute, Env: model.Home(t, dir, program)}}
			task := agent.Task{Role: "Editor", Text: `{{CALLTOOL mcp__notes_test__search {"query":"backups"}}}`, Root: t.TempDir(), Requests: make([]agent.Request, 1), Desk: agent.Desk{Address: site.URL + "/mcp", Ticket: ticket}}
			reply, err := a.Run(t.Context(), task)
			t.Logf("%q, %v", reply.Text, err)
			if !strings.Contains(reply.Text, "[[Backups#Decision]]") {
				t.Error("nothing came of the desk")
			}
			for _, c := range model.Calls() {
				t.Logf("tools offered: %q", c.Tools)
				if strings.Contains(string(c.Body), ticket) {
					t.Error("the model was told the ticket")
				}
			}
		})
	}
}

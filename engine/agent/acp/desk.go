package acp

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
)

// offerDesk is what a session begins with: the engine's desk, for an agent that reads and says that it takes
// a server over HTTP (https://agentclientprotocol.com/protocol/session-setup#http-transport). The name is
// made for this session, so that no server of the person's own is taken for the desk.
func (s *session) offerDesk(greeting sdk.InitializeResponse) []sdk.McpServer {
	d := s.task.Desk
	if s.agent.Tools != agent.ToolsRead || d.Address == "" || !greeting.AgentCapabilities.McpCapabilities.Http || isAgent("gemini", s.agent.Command, greeting.AgentInfo) {
		return []sdk.McpServer{}
	}
	name := cmp.Or(s.agent.desk, "notes_"+strings.ToLower(rand.Text()[:8]))
	s.client.openDesk(name)
	return []sdk.McpServer{{Http: &sdk.McpServerHttpInline{Type: "http", Name: name, Url: d.Address,
		Headers: []sdk.HttpHeader{{Name: "Authorization", Value: "Bearer " + d.Ticket}}}}}
}

// openDesk says how the agent knows the desk.
func (c *client) openDesk(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.desk = name
}

// asksDesk reports whether the tool that an agent asks leave for is one of the desk's. claude-agent-acp says so
// where no model writes (0.101). codex-acp asks for no tool that only reads (2.6). gemini asks for each and
// does not say whose it is (0.61), so it is not told of the desk.
func (c *client) asksDesk(call sdk.ToolCallUpdate) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	told, _ := call.Meta["claudeCode"].(map[string]any)
	tool, isDesk := strings.CutPrefix(fmt.Sprint(told["toolName"]), "mcp__"+c.desk+"__")
	return c.desk != "" && isDesk && slices.Contains(agent.DeskTools, tool)
}

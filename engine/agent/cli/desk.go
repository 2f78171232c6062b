package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/agent"
)

// deskName is what the programs call the engine's desk. It is no name that wiki mcp install
// gives: what a person has let their own agents do is not what one that answers a note may.
const deskName = "notes"

// offerDesk names the engine's desk to a program that reads. The ticket is in a file of this user alone or in the
// environment, never in the arguments, which other users can see.
func (r *Runner) offerDesk(call *agent.Program, task agent.Task, scratch string) error {
	if r.settings.Tools != agent.ToolsRead || r.preset.desk == nil || task.Desk.Address == "" {
		return nil
	}
	if err := r.preset.desk(call, task.Desk, scratch); err != nil {
		return agent.Unwritable(err)
	}
	return nil
}

// deskEntry is a server as claude, gemini and opencode name it, with the word each has for the
// address and what else it wants.
func deskEntry(d agent.Desk, address string, more map[string]any) map[string]any {
	entry := map[string]any{address: d.Address, "headers": map[string]string{"Authorization": "Bearer " + d.Ticket}}
	for key, value := range more {
		entry[key] = value
	}
	return map[string]any{deskName: entry}
}

// claudeDesk needs --safe-mode out of the way, which starts no server. What it switched off that
// --restricted and --disable-slash-commands leave on are the instructions and memories of
// CLAUDE.md and its like (https://code.claude.com/docs/en/env-vars).
func claudeDesk(call *agent.Program, d agent.Desk, scratch string) error {
	path := filepath.Join(scratch, "mcp.json")
	var allowed []string
	for _, tool := range agent.DeskTools {
		allowed = append(allowed, "mcp__"+deskName+"__"+tool)
	}
	for i, arg := range call.Args {
		if arg == "--safe-mode" {
			call.Args = append(call.Args[:i:i], call.Args[i+1:]...)
			break
		}
	}
	call.Args = append(call.Args, "--mcp-config="+path, "--allowedTools="+strings.Join(allowed, ","))
	call.Env["CLAUDE_CODE_DISABLE_CLAUDE_MDS"], call.Env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "1", "1"
	return writeObject(path, map[string]any{"mcpServers": deskEntry(d, "url", map[string]any{"type": "http"})})
}

// codexDesk: https://developers.openai.com/codex/mcp
func codexDesk(call *agent.Program, d agent.Desk, _ string) error {
	call.Env["WIKI_TICKET"] = d.Ticket
	call.Args = append(call.Args, "-c", fmt.Sprintf("mcp_servers.%s={url='%s',bearer_token_env_var='WIKI_TICKET',default_tools_approval_mode='approve'}", deskName, d.Address))
	return nil
}

// geminiDesk adds the desk to the settings that are ours, and a rule, because plan mode asks a
// person about every tool of a server
// (https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/policy-engine.md).
func geminiDesk(call *agent.Program, d agent.Desk, scratch string) error {
	file := filepath.Join(call.Dir, filepath.FromSlash(geminiSettings))
	var settings map[string]any
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &settings)
	}
	if err != nil {
		return err
	}
	settings["mcp"] = map[string]any{"allowed": []string{deskName}}
	settings["mcpServers"] = deskEntry(d, "httpUrl", map[string]any{"includeTools": agent.DeskTools})
	if err := writeObject(file, settings); err != nil {
		return err
	}
	policy, err := os.OpenFile(filepath.Join(scratch, "policy.toml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer policy.Close()
	_, err = fmt.Fprintf(policy, "[[rule]]\ntoolName = \"*\"\nmcpName = %q\ndecision = \"allow\"\npriority = 950\n\n", deskName)
	return err
}

// opencodeDesk: https://opencode.ai/docs/mcp-servers
func opencodeDesk(call *agent.Program, d agent.Desk, _ string) error {
	config := make(map[string]any)
	if text := call.Env["OPENCODE_CONFIG_CONTENT"]; text != "" {
		if err := json.Unmarshal([]byte(text), &config); err != nil {
			return nil // a role's own, in a form that is not ours to change: it works without
		}
	}
	servers, _ := config["mcp"].(map[string]any)
	if servers == nil {
		servers = make(map[string]any)
	}
	for name, entry := range deskEntry(d, "url", map[string]any{"type": "remote", "enabled": true, "oauth": false}) {
		servers[name] = entry
	}
	config["mcp"] = servers
	text, err := json.Marshal(config)
	call.Env["OPENCODE_CONFIG_CONTENT"] = string(text)
	call.Env["OPENCODE_PERMISSION"] = strings.Replace(call.Env["OPENCODE_PERMISSION"], `{"*":"deny",`, `{"*":"deny","`+deskName+`_*":"allow",`, 1)
	return err
}

func writeObject(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

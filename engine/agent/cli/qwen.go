package cli

import (
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
)

// qwen is Qwen Code, as of 0.24. Safe mode leaves aside the instructions, servers and hooks of
// its user and of a folder, but not a folder's settings; so the folder is never the
// vault. It then takes tools away only one by one: what a later version brings is
// refused by plan mode where it writes.
var qwen = preset{
	program: "qwen",
	args:    []string{"-o", "stream-json", "--approval-mode", "plan", "--safe-mode", "--exclude-tools", strings.Join(qwenTools, ",")},
	aloud:   []string{"--include-partial-messages"},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--exclude-tools", "read_file,glob"}},
		agent.ToolsRead: {},
	},
	include:  "--include-directories",
	confine:  confineQwen,
	mentions: true,
	reserve:  "it finds files by their names alone, because its search would look into hidden ones",
	model:    "-m",
	read:     readQwen,
	hear:     hearClaude,
}

// qwenTools are the tools that no role is given.
var qwenTools = []string{"run_shell_command", "edit", "write_file", "notebook_edit", "web_fetch", "web_search", "grep_search",
	"list_directory", "zoom_image", "agent", "list_agents", "send_message", "task_stop", "skill", "tool_search", "tool_call",
	"get_goal", "update_goal", "todo_write", "save_memory", "ask_user_question", "enter_plan_mode", "exit_plan_mode",
	"enter_worktree", "exit_worktree", "cron_create", "cron_delete", "cron_list", "loop_wakeup", "monitor", "lsp",
	"read_mcp_resource", "list_mcp_resources", "record_artifact", "report_findings"}

// confineQwen denies hidden files, by the name of the vault and by its own. qwen asks leave for a link that leads out
// of the vault, and no person is there to give it:
// https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings/
func confineQwen(call *agent.Program, v view, _ string) error {
	for _, root := range v.roots {
		within := "Read(/" + filepath.ToSlash(root) + "/**/"
		call.Args = append(call.Args, "--exclude-tools", within+".*)", "--exclude-tools", within+".*/**)")
	}
	return nil
}

// qwenEnds are the subtypes of a result that qwen 0.24 knows.
var qwenEnds = endings.Table{"success": endings.Good, "error_max_turns": endings.Steps}

// readQwen reads events. The last one is the result.
func readQwen(out []byte) outcome {
	var o outcome
	printed.EachObject(out, func(e struct {
		Type, Subtype, Result string
		IsError               bool `json:"is_error"`
		Error                 struct{ Message string }
		Message               struct{ Model string }
		Usage                 struct {
			Input  int64 `json:"input_tokens"`
			Output int64 `json:"output_tokens"`
		}
	}) {
		if e.Message.Model != "" {
			o.usage.Model = e.Message.Model
		}
		if e.Type != "result" {
			return
		}
		o.text, o.refusal = e.Result, nil
		o.finish(qwenEnds, e.Subtype)
		o.usage.Input, o.usage.Output = e.Usage.Input, e.Usage.Output
		if words := firstOf(e.Error.Message, e.Result); e.IsError && words != "" && o.end.Meaning != endings.Limited {
			o.refuse(0, words)
			o.text = ""
		}
	})
	return o
}

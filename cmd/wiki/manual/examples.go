package manual

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are lines that a person can copy, by the path of their command. The ID in them has
// the form of a real one.
var examples = map[string][]string{
	"wiki":                       {"wiki demo", "wiki setup", `wiki ask "what did we decide about backups?"`},
	"wiki accept":                {"wiki accept 0p4y7k2m9x3td", `wiki accept 0p4y7k2m9x3td --text "Weekly, on Fridays."`},
	"wiki agents":                {"wiki agents", "wiki agents --json"},
	"wiki schedule":              {"wiki schedule"},
	"wiki schedule list":         {"wiki schedule list"},
	"wiki schedule pause":        {"wiki schedule pause 33edb08f"},
	"wiki schedule resume":       {"wiki schedule resume 33edb08f"},
	"wiki schedule run":          {"wiki schedule run 33edb08f"},
	"wiki agents add":            {"wiki agents add Editor"},
	"wiki agents test":           {"wiki agents test Editor", `wiki agents test Miner --ask "what did we decide about backups?"`},
	"wiki answers":               {"wiki answers"},
	"wiki ask":                   {`wiki ask "what did we decide about backups?"`, `wiki ask --role Editor --note Meetings/Budget.md "which points are open?"`, `wiki ask --append "what did we decide about backups?"`},
	"wiki cancel":                {"wiki cancel 0p4y7k2m9x3td"},
	"wiki completion":            {"wiki completion bash"},
	"wiki completion bash":       {"wiki completion bash > ~/.local/share/bash-completion/completions/wiki"},
	"wiki completion fish":       {"wiki completion fish > ~/.config/fish/completions/wiki.fish"},
	"wiki completion powershell": {"wiki completion powershell >> $PROFILE"},
	"wiki completion zsh":        {`wiki completion zsh > "${fpath[1]}/_wiki"`},
	"wiki config":                {"wiki config list --changed", "wiki config set wiki.settle 5s"},
	"wiki config edit":           {"wiki config edit"},
	"wiki config get":            {"wiki config get wiki.settle"},
	"wiki config list":           {"wiki config list", "wiki config list --changed"},
	"wiki config path":           {"wiki config path"},
	"wiki config set":            {"wiki config set wiki.settle 5s", `wiki config set wiki.agents.Editor "{runner: claude}"`, `wiki config set wiki.settle ""`},
	"wiki demo":                  {"wiki demo", "wiki demo --keep"},
	"wiki dispatches":            {"wiki dispatches", "wiki dispatches --status unanswered", "wiki dispatches --query backups --limit 5"},
	"wiki dispatches show":       {"wiki dispatches show 0p4y7k2m9x3td"},
	"wiki docs":                  {"wiki docs", "wiki docs icon in the panel"},
	"wiki doctor":                {"wiki doctor", "wiki doctor --fix"},
	"wiki held":                  {"wiki held", "wiki held --kind untrusted", "wiki held --folder Inbox"},
	"wiki help":                  {"wiki help retry", "wiki help dispatches show"},
	"wiki hub token":             {"wiki hub token --roles Writer"},
	"wiki logs":                  {"wiki logs", "wiki logs --follow", "wiki logs --lines 500"},
	"wiki mcp":                   {"wiki mcp install claude", "claude mcp add vault-dispatcher -- wiki mcp"},
	"wiki mcp install":           {"wiki mcp install claude", "wiki mcp install codex --ask"},
	"wiki mcp uninstall":         {"wiki mcp uninstall claude"},
	"wiki notify":                {"wiki notify Daily/2026-03-02.md"},
	"wiki open":                  {"wiki open", "wiki open --print"},
	"wiki proposed":              {"wiki proposed", "wiki proposed --json"},
	"wiki reject":                {"wiki reject 0p4y7k2m9x3td", "wiki reject 0p4y7k2m9x3td --because \"shorter\""},
	"wiki release":               {"wiki release 0p4y7k2m9x3td", "wiki release --all", "wiki release --kind burst --folder Inbox"},
	"wiki retry":                 {"wiki retry 0p4y7k2m9x3td", "wiki retry --fresh 0p4y7k2m9x3td", "wiki retry --all"},
	"wiki run":                   {"wiki run", "wiki run --vault ~/Notes", "wiki run --vault ~/Notes --port 0"},
	"wiki scan":                  {"wiki scan Daily/2026-03-02.md", "wiki scan Meetings/*.md"},
	"wiki search":                {"wiki search backups of the server", `wiki search "summer menu" --limit 10`, "wiki search backups --explain Projects/Backups.md"},
	"wiki server":                {"wiki server status"},
	"wiki server status":         {"wiki server status", "wiki server status --json"},
	"wiki service":               {"wiki service install", "wiki service status"},
	"wiki service install":       {"wiki service install", "wiki service install --linger"},
	"wiki service logs":          {"wiki service logs", "wiki service logs --follow"},
	"wiki service restart":       {"wiki service restart"},
	"wiki service start":         {"wiki service start"},
	"wiki service status":        {"wiki service status", "wiki service status --json"},
	"wiki service stop":          {"wiki service stop"},
	"wiki service uninstall":     {"wiki service uninstall", "wiki service uninstall --purge"},
	"wiki setup": {"wiki setup", "wiki setup --vault ~/Notes --yes", "wiki setup --vault ~/Notes --agent claude --no-service --yes",
		"wiki setup --agent builtin --agent Editor=claude:opus --yes", "wiki setup --provider ollama --model embeddinggemma --yes"},
	"wiki status":         {"wiki status", "wiki status --json"},
	"wiki token":          {"wiki token"},
	"wiki undo":           {"wiki undo 0p4y7k2m9x3td"},
	"wiki update":         {"wiki update", "wiki update --json"},
	"wiki version":        {"wiki version", "wiki version --json"},
	"wiki watcher":        {"wiki watcher status", "wiki watcher stop --for 1h"},
	"wiki watcher start":  {"wiki watcher start", "wiki watcher start --vault Notes"},
	"wiki watcher status": {"wiki watcher status", "wiki watcher status --json"},
	"wiki watcher stop":   {"wiki watcher stop", "wiki watcher stop --vault Notes --for 1h"},
	"wiki worker drain":   {"wiki worker drain"},
	"wiki worker join":    {"wiki worker join wiki-join-...", "wiki worker join -"},
	"wiki worker run":     {"wiki worker run", "wiki worker run --roles Writer --max 2"},
	"wiki workers":        {"wiki workers", "wiki workers --json"},
	"wiki workers revoke": {"wiki workers revoke attic"},
	"wiki why":            {"wiki why Daily/2026-03-02.md"},
}

// AddExamples gives a command and all below it their examples.
func AddExamples(cmd *cobra.Command) {
	if lines := examples[cmd.CommandPath()]; lines != nil {
		cmd.Example = "  " + strings.Join(lines, "\n  ")
	}
	for _, c := range cmd.Commands() {
		AddExamples(c)
	}
}

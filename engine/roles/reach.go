package roles

import (
	"fmt"
	"path/filepath"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/acp"
	"vaultdispatcher/engine/agent/pi"
	"vaultdispatcher/engine/agent/sandbox"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/definition"
)

// Reach says what a role's agent can touch, each in a few words: where it reads and
// writes, the network, a shell, and what sees to it. A program's own calls, such as
// those to its model, are not the agent's.
type Reach struct {
	Read    string `json:"read"`
	Write   string `json:"write"`
	Network string `json:"network"`
	Shell   string `json:"shell"`
	Guard   string `json:"by"`
}

// String is the reach in one line.
func (r Reach) String() string {
	if r == (Reach{}) {
		return ""
	}
	return fmt.Sprintf("reads %s; writes %s; network: %s; shell: %s; by %s", r.Read, r.Write, r.Network, r.Shell, r.Guard)
}

const (
	nothing    = "nothing"
	anything   = "whatever you may"
	noTool     = "no tool, the program's own calls only"
	ownFolders = "its scratch folder, with a copy of its configuration"
	ownFiles   = ownFolders + ", its own files and the system's libraries"
	shown      = "what the vault shows"
)

// reachOf returns the reach of the agent of a role, and for the Broadcaster that of its author.
func (r *Roles) reachOf(a config.Agent, def definition.Definition) Reach {
	reach := findReach(r.settle(a, def), sandbox.Supported())
	if role, author, err := r.authorOf(a); err == nil && role != "" {
		reach.Network, reach.Guard = "what "+author.Runner+" uses, which writes for it", "giving "+author.Runner+" text and no tools"
	}
	return reach
}

// findReach returns what an agent can touch that answers as the configuration says;
// kernel is why the kernel cannot confine a program, or nil.
func findReach(a config.Agent, kernel error) Reach {
	switch {
	case a.Runner == "builtin":
		return Reach{"the index of the vault", nothing, "none", "none", "being built in"}
	case a.Runner == "broadcast":
		return Reach{"the index of the vault", "wiki.broadcast.folder", "none", "none", "being built in"}
	case a.Runner == "openai":
		return Reach{"the text it is given", nothing, "its server alone", "none", "being given no tools"}
	case a.Runner == "worker":
		return Reach{"the text it is given", nothing, "as the worker's own agent", "as the worker's own agent", "being given text alone, on another machine"}
	case a.Runner == "command":
		return Reach{anything, anything, "yes", "yes", "the program itself, which nothing confines"}
	case a.Runner == "acp" && a.Trust:
		return Reach{anything, anything, "yes", "yes", "the program itself, which is trusted"}
	}
	name, unconfined := a.Runner, Reach{nothing, nothing, noTool, "none", "its own settings"}
	switch a.Runner {
	case "acp":
		name = sandbox.NameOf(a.Command)
		unconfined = Reach{acp.Agent{Command: a.Command, Settings: agentSettings(a)}.Reads(), nothing, noTool, "what it runs without asking",
			"its mode, which asks before it acts, and refusing what it asks"}
	case "pi-subagents":
		name = "pi"
	}
	held := Reach{ownFiles, ownFolders, noTool, "none", unconfined.Guard + ", and the kernel"}
	if a.Tools == agent.ToolsRead {
		unconfined = findReadingReach(a.Runner, unconfined)
		held.Read = shown + ", " + ownFiles
		if a.Runner == "acp" {
			held.Read = "the vault, its hidden files too, " + ownFiles
		}
	}
	if why := whyUnheld(a, name, kernel); why != "" {
		unconfined.Guard += " alone: no sandbox, because " + why
		return unconfined
	}
	return held
}

// whyUnheld says why the program of this name is not in the sandbox; "" where it is.
func whyUnheld(a config.Agent, name string, kernel error) string {
	switch {
	case a.Trust:
		return "it is trusted"
	case a.Session != "":
		return "it forks a session"
	case a.Runner == "pi-subagents" && a.Env[pi.DirVariable] != "":
		return "its package lies where the role says"
	case !sandbox.Knows(name):
		return whyUnmeasured(a)
	case a.Tools == agent.ToolsRead && !sandbox.KnowsReading(name):
		return "its shell has one of its own, which would not work in it"
	case kernel != nil:
		return kernel.Error()
	}
	return ""
}

// whyUnmeasured says why a program is not in the table of the sandbox, and what to do where it is there under its own name.
func whyUnmeasured(a config.Agent) string {
	if name, pack := sandbox.StartedBy(a.Command); a.Runner == "acp" && name != "" {
		return filepath.Base(a.Command[0]) + " starts it; install " + pack + " and set command: [" + name + "] to have one"
	}
	return "nobody has measured which files the program needs"
}

// findReadingReach is what a program reaches that reads, where nothing has it confined but
// its settings or its mode.
func findReadingReach(runner string, r Reach) Reach {
	switch runner {
	case "acp", "copilot": // their own runners say what, and why copilot is given no tools
	case "codex":
		r.Read, r.Shell = shown+" and the system's own files", "in its sandbox"
	default:
		r.Read = shown
	}
	return r
}

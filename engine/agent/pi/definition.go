package pi

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/wording"
)

// definition is what one of the user's own in pi's folder says, as far as it is read here:
// pi reads the rest (https://github.com/nicobailon/pi-subagents#agents).
type definition struct {
	name   string
	tools  []string
	hasAll bool // it names no tools, so the agent has all of them
}

// findDefinitions returns the user's own definitions by their names.
func (r *Runner) findDefinitions() map[string]definition {
	found := make(map[string]definition)
	dir := r.folder()
	if dir == "" {
		return found
	}
	agents, err := filepath.EvalSymlinks(filepath.Join(dir, "agents"))
	if err != nil {
		return found // no definitions
	}
	_ = filepath.WalkDir(agents, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return nil // a file that pi cannot read either
		}
		if data, err := os.ReadFile(path); err == nil {
			if def := readDefinition(string(data)); def.name != "" {
				found[def.name] = def
			}
		}
		return nil
	})
	return found
}

// folder returns pi's own folder; "" without one.
func (r *Runner) folder() string {
	if dir := r.settings.Env["PI_CODING_AGENT_DIR"]; dir != "" {
		return dir
	}
	home := r.settings.Env["HOME"]
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".pi", "agent")
}

// readDefinition reads the lines between two --- at the top: name, and tools as a list in
// one line or in several.
func readDefinition(text string) definition {
	d := definition{hasAll: true}
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\n")
	key := ""
	for i, line := range lines {
		switch {
		case i == 0 && strings.TrimRight(line, " \t") != "---":
			return definition{}
		case i == 0:
			continue
		case strings.TrimRight(line, " \t") == "---":
			return d
		}
		value := line
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "-") {
			key, value, _ = strings.Cut(line, ":")
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch key {
		case "name":
			d.name = value
		case "tools":
			d.hasAll = false
			for tool := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(`,[]"' `, r) }) {
				if tool != "-" {
					d.tools = append(d.tools, tool)
				}
			}
		}
	}
	return definition{} // it has no end
}

// reading are the tools that change nothing. none is no tool's name.
const reading = " read grep find ls none "

// refuse fails the tasks whose definition would let a note do more than have notes read, unless
// the role trusts it; the others have had no turn then. nil is a batch that may run.
func (r *Runner) refuse(b agent.Batch, own map[string]definition) []agent.Outcome {
	outcomes, refused := failAll(b, agent.ErrNoTurn), false
	for i, task := range b.Tasks {
		d := own[task.Agent]
		may := d.exceeds()
		if may == "" || r.settings.Trust {
			continue
		}
		refused = true
		outcomes[i].Err = &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf(
			"pi's own definition %s may use %s; write tools: read, grep, find, ls into it, or set trust: true for the role", d.name, may)}
	}
	if !refused {
		return nil
	}
	return outcomes
}

// exceeds names what a definition grants beyond reading, or nothing.
func (d definition) exceeds() string {
	if d.hasAll {
		return "every tool"
	}
	for _, tool := range d.tools {
		if !strings.Contains(reading, " "+tool+" ") {
			return wording.Clip(tool)
		}
	}
	return ""
}

package pi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"vaultdispatcher/engine/agent"
)

// DirVariable names the folder of the package pi-subagents if it is not in one of the usual places; set it in the env
// of a role.
const DirVariable = "PI_SUBAGENTS_DIR"

// tool is an installed pi-subagents.
type tool struct {
	version string
	entry   string // of its extension
}

// takesScript reports whether this version takes a script: from 0.41 on.
func (t tool) takesScript() bool {
	major, rest, _ := strings.Cut(t.version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(minor)
	return major != "0" || err != nil || n >= 41
}

// noTools is how a definition says that an agent has none. Up to 0.40 an empty list
// would be all of them; a name that no tool has leaves none.
func (t tool) noTools() string {
	if t.takesScript() {
		return ""
	}
	return "none"
}

// awaitTool is findTool, but does not wait for a vault whose disk does not respond.
func (r *Runner) awaitTool(ctx context.Context, vault string) (tool, error) {
	type answer struct {
		tool tool
		err  error
	}
	found, err := agent.AwaitFolder(ctx, vault, func(context.Context, func()) answer {
		t, err := r.findTool(vault)
		return answer{t, err}
	})
	if err != nil {
		return tool{}, err
	}
	return found.tool, found.err
}

// findTool looks for the package where the role says, where pi installs it, where its
// own installer does, and beside pi itself, which is not looked for in the vault.
func (r *Runner) findTool(vault string) (tool, error) {
	if dir := r.settings.Env[DirVariable]; dir != "" {
		return openTool(dir)
	}
	path, err := agent.Find(r.Program(), r.settings.Env, vault)
	if err != nil {
		return tool{}, agent.Fail(err)
	}
	for _, dir := range r.listPlaces(path) {
		if t, err := openTool(dir); err == nil {
			return t, nil
		}
	}
	return tool{}, &agent.Failure{Kind: agent.Transient,
		Reason: "pi has no package pi-subagents; run pi install npm:pi-subagents"}
}

func (r *Runner) listPlaces(path string) []string {
	var list []string
	if agents := r.folder(); agents != "" {
		list = append(list, filepath.Join(agents, "npm", "node_modules", "pi-subagents"), filepath.Join(agents, "extensions", "subagent"))
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "node_modules" {
			list = append(list, filepath.Join(dir, "pi-subagents"))
		}
	}
	return list
}

// openTool reads the description of an installed package.
func openTool(dir string) (tool, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return tool{}, &agent.Failure{Kind: agent.Transient, Cause: err, Reason: "pi-subagents cannot be read: " + err.Error()}
	}
	var p struct {
		Name, Version string
		Pi            struct{ Extensions []string }
	}
	err = json.Unmarshal(data, &p)
	if err == nil && (p.Name != "pi-subagents" || len(p.Pi.Extensions) == 0) {
		err = errors.New("it is not the package pi-subagents")
	}
	if err != nil {
		return tool{}, &agent.Failure{Kind: agent.Permanent, Cause: err, Reason: fmt.Sprintf("%s cannot be used: %v", dir, err)}
	}
	return tool{version: p.Version, entry: filepath.Join(dir, filepath.FromSlash(p.Pi.Extensions[0]))}, nil
}

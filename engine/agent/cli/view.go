package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
)

// A view is the part of a vault that is kept from an agent that reads: hidden files and folders, and the targets of
// links. Plugins keep keys in .obsidian, and a link may lead to any file that its user can read.
type view struct {
	roots   []string // the folder of the vault, by the name it was given and by its own
	folders []string // hidden ones, as paths in the vault with slashes; those in hidden ones left out
	links   []string // as paths in the vault with slashes, wherever they lead

	believed string // the first file or folder of the vault by which the program is configured; then the rest is not known
	program  string // where the program is; empty if it is not found
}

// lookAtVault asks the disk of a vault what has to be known before a program of the role is started. Where it does not
// respond the run is refused.
func (r *Runner) lookAtVault(ctx context.Context, call agent.Program, vault string) (view, error) {
	believes, surveys := []string(nil), r.settings.Tools == agent.ToolsRead && r.preset.confine != nil
	if call.Dir == vault {
		believes = r.preset.believes
	}
	if len(believes) == 0 && !surveys {
		return view{}, nil
	}
	type answer struct {
		view view
		err  error
	}
	found, err := agent.AwaitFolder(ctx, vault, func(ctx context.Context, answered func()) answer {
		for _, name := range believes {
			if _, err := os.Lstat(filepath.Join(vault, name)); !errors.Is(err, fs.ErrNotExist) {
				return answer{view: view{believed: name}}
			}
		}
		if !surveys {
			return answer{}
		}
		v, err := surveyVault(ctx, vault, answered)
		v.program, _ = agent.Find(call.Path, call.Env, call.Vault)
		return answer{v, err}
	})
	if err != nil {
		return view{}, err
	}
	if found.err != nil {
		return view{}, &agent.Failure{Kind: agent.Transient, Reason: "the vault cannot be looked through for what is hidden in it", Cause: found.err}
	}
	return found.view, nil
}

// surveyVault walks a vault for its view, and says whenever its disk has answered. It follows no link.
func surveyVault(ctx context.Context, root string, answered func()) (view, error) {
	v := view{roots: []string{root}}
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		v.roots = append(v.roots, real)
	}
	top := v.roots[len(v.roots)-1]
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		answered()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || path == top {
			return err
		}
		rel, err := filepath.Rel(top, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case entry.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0: // a junction of Windows is irregular
			v.links = append(v.links, rel)
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			v.folders = append(v.folders, rel)
			return fs.SkipDir
		}
		return nil
	})
	return v, err
}

// confineReading takes from a program what the vault hides. Where it cannot be told
// so, the run is refused.
func (r *Runner) confineReading(call *agent.Program, v view, scratch string) error {
	if r.settings.Tools != agent.ToolsRead || r.preset.confine == nil {
		return nil
	}
	if r.preset.byName && foldsCase && len(v.links) > 0 {
		return &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf(
			"the vault holds %s, a link that %s would follow under any spelling; remove it, or let the role work without tools",
			v.links[0], r.preset.program)}
	}
	if err := r.preset.confine(call, v, scratch); err != nil {
		return agent.Unwritable(err)
	}
	return nil
}

// foldsCase is whether the file systems of this machine know a file by more than one
// spelling.
var foldsCase = slices.Contains([]string{"darwin", "ios", "windows"}, runtime.GOOS)

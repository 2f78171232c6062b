package cli

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
)

// A view is what a vault does not show to an agent that reads: what is hidden, and
// what a link leads to. Plugins keep keys in .obsidian, and a link may lead to
// anything its user can read.
type view struct {
	roots   []string // the folder of the vault, by the name it was given and by its own
	folders []string // hidden ones, as paths in the vault with slashes; those in hidden ones left out
	links   []string // as paths in the vault with slashes, wherever they lead
}

// surveyVault walks a vault for its view. It follows no link.
func surveyVault(ctx context.Context, root string) (view, error) {
	v := view{roots: []string{root}}
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		v.roots = append(v.roots, real)
	}
	top := v.roots[len(v.roots)-1]
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
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
func (r *Runner) confineReading(ctx context.Context, call *agent.Program, task agent.Task, scratch string) error {
	if r.settings.Tools != agent.ToolsRead || r.preset.confine == nil {
		return nil
	}
	v, err := surveyVault(ctx, task.Root)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &agent.Failure{Kind: agent.Transient, Reason: "the vault cannot be looked through for what is hidden in it", Cause: err}
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

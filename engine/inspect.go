package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
)

// Role says who answers a role, and what there is of that on this machine.
type Role struct {
	Role       string `json:"role"` // "*" stands for every other one
	Runner     string `json:"runner"`
	Definition string `json:"definition"` // its name
	File       string `json:"file"`       // of the definition; "" = built in
	Model      string `json:"model"`      // "" = the runner's own
	Tools      string `json:"tools"`
	Program    string `json:"program"` // path of what would be started; "" = nothing is
	Version    string `json:"version"` // as the program says; "" = it was not asked
	Ready      bool   `json:"ready"`
	Detail     string `json:"detail"` // why not ready
}

// versionTime is how long a program may take to tell its version; those written
// in JavaScript take seconds.
const versionTime = 20 * time.Second

// Roles says who answers the roles that are configured or defined. It needs no
// running engine, asks no agent, and starts programs for their version only, those
// that are known to tell it.
func Roles(ctx context.Context, cfg config.Config, agents fs.FS) ([]Role, error) {
	definitions, err := config.NewDefinitions(agents, cfg)
	if err != nil {
		return nil, err
	}
	r := &runners{config: cfg, definitions: definitions}
	list, tell := []Role{}, make(map[string]bool)
	for _, role := range r.names() {
		described, known := r.describe(role)
		if described.Program != "" && known {
			tell[described.Program] = true
		}
		list = append(list, described)
	}
	versions, err := versions(ctx, slices.Collect(maps.Keys(tell)))
	for i := range list {
		list[i].Version = versions[list[i].Program]
	}
	return list, err
}

// names are the roles that are configured, those that are only defined where
// somebody answers all others, and then these.
func (r *runners) names() []string {
	names := r.config.Roles()
	defined, _ := r.definitions.List() // what is broken is told with its role
	for _, d := range defined {
		role := strings.TrimPrefix(d.Name, "vault-mind-")
		known := slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, role) })
		if !known && d.Name != config.GeneralDefinition {
			names = append(names, role)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	if i := slices.Index(names, "*"); i >= 0 {
		names = append(slices.Delete(names, i, i+1), "*")
	}
	return names
}

// describe says who answers a role and whether they can; known is whether the
// program is one that tells its version when asked.
func (r *runners) describe(role string) (described Role, known bool) {
	described.Role = role
	definition, _ := r.definitions.Find(role) // what is wrong with it, its runner says
	described.Definition, described.File = definition.Name, definition.File
	a, ok := r.config.Agent(role)
	if !ok {
		described.Detail = fmt.Sprintf("nobody answers it; add wiki.agents.%s or \"*\" to the configuration", role)
		return described, false
	}
	a = a.As(definition)
	described.Runner, described.Model, described.Tools = a.Runner, a.Model, a.Tools
	if a.Runner == "builtin" {
		described.Definition, described.File, described.Tools = "", "", agent.ToolsRead
	}
	_, runner, err := r.find(role)
	if err == nil {
		described.Program, known, err = found(a, runner)
	}
	if err != nil {
		described.Detail = strings.Split(err.Error(), "\n")[0]
	}
	described.Ready = err == nil
	return described, known
}

// found returns the path of the program that a role's runner would start, or
// nothing for one that starts none; known is whether that is a program we know.
func found(a config.Agent, runner agent.Runner) (path string, known bool, err error) {
	program := ""
	if a.Runner == "command" || a.Runner == "acp" {
		program = a.Command[0]
	}
	switch p := runner.(type) {
	case played:
		runner = p.Runner
	case together:
		runner = p.BatchRunner
	case misdefined:
		return "", false, p.err
	}
	if named, ok := runner.(interface{ Program() string }); ok {
		program, known = named.Program(), true
	}
	if program == "" {
		return "", false, nil
	}
	path, err = agent.Find(program, a.Env, "")
	if _, missing := errors.AsType[*agent.NotFound](err); missing {
		err = fmt.Errorf("%w; install it, or name another runner", err)
	}
	return path, known, err
}

var versionText = regexp.MustCompile(`\d+\.\d+(\.\d+)?[0-9A-Za-z.+-]*`)

// versions asks programs for their versions, beside each other. One that does not
// tell has none.
func versions(ctx context.Context, programs []string) (map[string]string, error) {
	empty, err := os.MkdirTemp("", "vault-dispatcher-")
	if err != nil {
		return nil, fmt.Errorf("make an empty folder to ask for versions in: %w", err)
	}
	defer os.RemoveAll(empty)
	told := make([]string, len(programs))
	var g errgroup.Group
	for i, path := range programs {
		g.Go(func() error {
			ended, err := agent.Program{Path: path, Args: []string{"--version"}, Dir: empty, Timeout: versionTime}.Run(ctx)
			if err == nil && ended.Status == 0 {
				told[i] = versionText.FindString(string(ended.Out))
			}
			return nil
		})
	}
	err = g.Wait()
	all := make(map[string]string)
	for i, path := range programs {
		all[path] = told[i]
	}
	return all, err
}

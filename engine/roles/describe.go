package roles

import (
	"cmp"
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
	"vaultdispatcher/engine/config/definition"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/sharing"
	"vaultdispatcher/engine/syserr"
)

// Role says what answers a role, and whether this machine has it.
type Role struct {
	Role       string `json:"role"` // "*" is every other one
	Runner     string `json:"runner"`
	Definition string `json:"definition"` // its name
	File       string `json:"file"`       // of the definition; "" = built in
	Model      string `json:"model"`      // "" = the runner's own
	Tools      string `json:"tools"`
	Writes     string `json:"writes"`    // "answer", or "section": its answers take the place of parts of notes
	Approve    bool   `json:"approve"`   // its answers wait for a person's yes
	Stays      bool   `json:"stays"`     // its prompts do not leave this machine
	Private    bool   `json:"private"`   // its questions and answers are told to no agent that leaves the machine
	ToolsLost  bool   `json:"toolsLost"` // it may read files, but not while wiki.private names notes
	Program    string `json:"program"`   // path of the program to start; "" = no program
	Version    string `json:"version"`   // as the program says; "" = it was not asked
	Usable     bool   `json:"ready"`
	Detail     string `json:"detail"`  // why not ready
	Reserve    string `json:"reserve"` // limits of a role that reads, or its reach beyond the vault; "" = nothing
	Reach      Reach  `json:"reach"`   // the reach of its agent; empty without an agent
	Absent     bool   `json:"-"`       // this version does not have its runner
	Unanswered bool   `json:"-"`       // nobody is chosen to answer it
}

// versionTime is how long a program may take to print its version; programs written
// in JavaScript take seconds.
const versionTime = 20 * time.Second

// Describe says what answers the roles that are configured or defined. It needs no
// running engine, asks no agent, and starts known programs only for their version.
func Describe(ctx context.Context, cfg config.Config, builtin fs.FS) ([]Role, error) {
	r, err := New(cfg, builtin, Own{})
	if err != nil {
		return nil, err
	}
	list, tell := []Role{}, make(map[string]bool)
	for _, role := range r.listNames() {
		described, known := r.describe(role)
		if described.Program != "" && known {
			tell[described.Program] = true
		}
		list = append(list, described)
	}
	versions, err := askVersions(ctx, slices.Collect(maps.Keys(tell)))
	for i := range list {
		list[i].Version = versions[list[i].Program]
		if why := runners.WhyTooOld(list[i].Runner, list[i].Version); why != "" && list[i].Usable {
			list[i].Detail, list[i].Usable = why, false
		}
	}
	return list, err
}

// listNames returns the roles that are configured, those that are only defined, and
// last "*", which is every other one.
func (r *Roles) listNames() []string {
	names := r.config.Roles()
	for _, defined := range r.definitions.Names() {
		role := definition.RoleOf(defined)
		known := slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, role) })
		if !known && defined != definition.General {
			names = append(names, role)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	if i := slices.Index(names, "*"); i >= 0 {
		names = append(slices.Delete(names, i, i+1), "*")
	}
	return names
}

// describe says what answers a role and whether it can; known is whether the program
// prints its version when asked.
func (r *Roles) describe(role string) (described Role, known bool) {
	described.Role = role
	def, broken := r.definitions.Find(role)
	described.Definition, described.File = def.Name, def.File
	a, ok, err := r.agentOf(role)
	if err != nil {
		described.Detail = syserr.Plain(err)
		return described, false
	}
	if !ok && broken != nil {
		described.Detail = strings.Split(syserr.Plain(broken), "\n")[0]
		return described, false
	}
	if !ok {
		described.Unanswered = true
		described.Detail = fmt.Sprintf("nobody answers it; wiki setup --agent %s=NAME chooses one", role)
		return described, false
	}
	described.ToolsLost = r.losesTools(def.Apply(a))
	a = r.settle(a, def)
	described.Reach = r.reachOf(a, def)
	described.Runner, described.Model, described.Tools = a.Runner, a.Model, a.Tools
	described.Writes, described.Approve = "answer", r.config.MustApprove(role)
	if r.WritesParts(role) {
		described.Writes, described.Approve = "section", described.Approve || !r.config.WritesAtOnce(role)
	}
	described.Stays, described.Private = sharing.Stays(r.answering(a)), a.Private
	if a.Runner == "builtin" {
		described.Definition, described.File, described.Tools = "", "", agent.ToolsRead
	}
	_, runner, err := r.Find(role)
	if err == nil {
		described.Program, known, err = findProgram(a, runner)
		if limited, ok := bareRunner(runner).(interface{ Reserve() string }); ok {
			described.Reserve = limited.Reserve()
		}
		if better := runners.BetterThan(a.Runner, described.Program); better != "" {
			described.Reserve += "; runner: " + better + " knows whether its answer is whole, its plain output does not say so"
		}
	}
	if err != nil {
		described.Detail = strings.Split(syserr.Plain(err), "\n")[0]
	}
	described.Usable = err == nil
	return described, known
}

// findProgram returns the path of the program that a role's runner would start, or
// nothing for a runner that starts none; known is whether it is a program we know.
func findProgram(a config.Agent, runner agent.Runner) (path string, known bool, err error) {
	program := ""
	if a.Runner == "command" || a.Runner == "acp" {
		program = a.Command[0]
	}
	if broken, ok := runner.(brokenRole); ok {
		return "", false, broken.err
	}
	if picky, ok := bareRunner(runner).(interface{ Refuse() error }); ok {
		if err := picky.Refuse(); err != nil {
			return "", false, err
		}
	}
	if named, ok := bareRunner(runner).(interface{ Program() string }); ok {
		program, known = named.Program(), true
	}
	if program == "" {
		return "", false, nil
	}
	path, err = agent.Find(program, a.Env, "")
	if _, missing := errors.AsType[*agent.NotFound](err); missing {
		err = fmt.Errorf("%w; install it, name its path with command: [PATH], or name another runner", err)
	}
	if err == nil {
		if why := cmp.Or(runners.WhyTooOld(a.Runner, runners.VersionOf(path)), runners.WhyLoggedOut(program, a.Env)); why != "" {
			err = errors.New(why)
		}
	}
	return path, known, err
}

// bareRunner is a role's runner without the words of its definition.
func bareRunner(runner agent.Runner) agent.Runner {
	switch p := runner.(type) {
	case playedRole:
		return p.Runner
	case batchRole:
		return p.BatchRunner
	}
	return runner
}

var versionText = regexp.MustCompile(`\d+\.\d+(?:[.+-]?[0-9A-Za-z]+)*`)

// askVersions asks programs for their versions, in parallel. A program that does not
// answer has none.
func askVersions(ctx context.Context, programs []string) (map[string]string, error) {
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
				told[i] = versionText.FindString(string(ended.Output))
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

package pi

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/pisession"
)

//go:embed bridge.ts
var bridge []byte

// Names of the files in the folder of a run.
const (
	payloadFile = "payload.json"
	resultFile  = payloadFile + ".out"
	bridgeFile  = "vault-dispatch.ts"
	sessionFile = "history.jsonl"
	guardFile   = "guard.ts"
)

// prepareRun writes what a run needs into scratch and returns the run.
func (r *Runner) prepareRun(b agent.Batch, t tool, own map[string]definition, scratch string) (agent.Program, error) {
	work := filepath.Join(scratch, "work")
	for _, dir := range []string{"agents", "tmp", "work", "chain"} {
		if err := os.Mkdir(filepath.Join(scratch, dir), 0o700); err != nil {
			return agent.Program{}, err
		}
	}
	r.linkCache(filepath.Join(scratch, "tmp"))
	if r.settings.Tools == agent.ToolsRead {
		work = b.Tasks[0].Root
	}
	names, err := r.writeDefinitions(b, t, own, filepath.Join(scratch, "agents"), filepath.Join(scratch, guardFile))
	if err != nil {
		return agent.Program{}, err
	}
	history, seeded := sharedHistory(b)
	if len(history) == 0 { // a session without an exchange cannot be forked
		history = []agent.Exchange{{Question: "Is there anything to know of what was asked before?", Answer: "No."}}
	}
	payload, err := json.Marshal(buildPayload(buildChildren(b, names, seeded), b, t.takesScript(), filepath.Join(scratch, "chain")))
	if err != nil {
		return agent.Program{}, err
	}
	for name, data := range map[string][]byte{
		payloadFile: payload, bridgeFile: bridge, sessionFile: pisession.Print(history, turnOf, work, time.Now()),
		guardFile: pisession.PrintGuard(b.Tasks[0].Root),
	} {
		if err := os.WriteFile(filepath.Join(scratch, name), data, 0o600); err != nil {
			return agent.Program{}, err
		}
	}
	return r.buildProgram(b, t, scratch, work), nil
}

// buildProgram is pi, told to do nothing but the payload.
func (r *Runner) buildProgram(b agent.Batch, t tool, scratch, work string) agent.Program {
	args := []string{"-p", "--mode", "json", "--offline", "--no-extensions", "--no-skills", "--no-prompt-templates",
		"--no-context-files", "--no-approve", "--session", filepath.Join(scratch, sessionFile),
		"--extension", t.entry, "--extension", filepath.Join(scratch, bridgeFile)}
	if r.settings.Model != "" {
		args = append(args, "--model", r.settings.Model)
	}
	env := map[string]string{"PI_OFFLINE": "1"}
	if dir := r.cacheFolder(); dir != "" {
		env["NODE_COMPILE_CACHE"] = filepath.Join(dir, "node")
	}
	maps.Copy(env, agent.Environ(r.settings.Env, b.Tasks...))
	env["PI_SUBAGENT_EXTRA_AGENT_DIRS"] = filepath.Join(scratch, "agents")
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		env[name] = filepath.Join(scratch, "tmp")
	}
	p := agent.Program{Path: r.Program(), Dir: work, Vault: b.Tasks[0].Root, Env: env, Scratch: scratch,
		Args:    append(args, "/vault-dispatch "+filepath.Join(scratch, payloadFile)),
		Timeout: r.settings.Timeout * time.Duration(countWaves(b))}
	if r.settings.IsHeld() && r.settings.Env[DirVariable] == "" { // a folder of the role's may lie anywhere
		p.Sandbox, p.Reads = program, r.settings.Tools == agent.ToolsRead
	}
	return p
}

// cacheFolder is the folder of what node and pi's loader have compiled, of this user
// alone. They keep it among the temporary files, which here last as long as a run;
// each would spend seconds on compiling the same again.
func (r *Runner) cacheFolder() string {
	root := r.settings.Env["XDG_CACHE_HOME"]
	if root == "" {
		var err error
		if root, err = os.UserCacheDir(); err != nil {
			return ""
		}
	}
	return filepath.Join(root, "vault-dispatcher", "pi")
}

// linkCache lets the loader find its folder among the temporary files of a run. Where
// that cannot be, the run is slower and nothing else.
func (r *Runner) linkCache(tmp string) {
	if dir := r.cacheFolder(); dir != "" {
		loaded := filepath.Join(dir, "jiti")
		_ = os.MkdirAll(loaded, 0o700)
		_ = os.Symlink(loaded, filepath.Join(tmp, "jiti"))
	}
}

// countWaves is how often a batch starts agents one after the other.
func countWaves(b agent.Batch) int {
	if b.Chain {
		return len(b.Tasks)
	}
	return (len(b.Tasks) + b.Concurrency - 1) / b.Concurrency
}

// writeDefinitions returns the name of the agent of every task. It uses the user's definition for the role, or else
// writes one under a random name: a definition of the same name in another folder of pi's would win, with tools that
// the role does not allow.
func (r *Runner) writeDefinitions(b agent.Batch, t tool, own map[string]definition, dir, guard string) ([]string, error) {
	var names []string
	for _, task := range b.Tasks {
		if _, ok := own[task.Agent]; ok {
			names = append(names, task.Agent)
			continue
		}
		name := task.Agent + "-" + strings.ToLower(rand.Text()[:10])
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(dir, name+".md"), []byte(r.printDefinition(name, task, t, guard)), 0o600); err != nil {
			return nil, err
		}
	}
	return names, nil
}

func (r *Runner) printDefinition(name string, task agent.Task, t tool, guard string) string {
	tools, extensions := "read, grep, find, ls", guard
	if r.settings.Tools != agent.ToolsRead {
		tools, extensions = t.noTools(), ""
	}
	head := []string{"---", "name: " + name, "description: answers requests of a note", "tools: " + tools}
	if r.settings.Model != "" {
		head = append(head, "model: "+r.settings.Model)
	}
	head = append(head, "systemPromptMode: replace", "inheritProjectContext: false", "inheritSkills: false",
		"defaultContext: fork", strings.TrimSpace("extensions: "+extensions), "completionGuard: false", "---", "")
	system := task.System
	if system == "" {
		system = "You answer requests that stand in a person's notes."
	}
	return strings.Join(head, "\n") + "\n" + system + "\n"
}

// sharedHistory returns the history of the tasks, and whether it is the same for all: only
// then can a session hold it for them.
func sharedHistory(b agent.Batch) ([]agent.Exchange, bool) {
	history := b.Tasks[0].History
	for _, t := range b.Tasks[1:] {
		if !reflect.DeepEqual(t.History, history) {
			return nil, false
		}
	}
	return history, true
}

// turnOf is an exchange as pi's session file has it.
func turnOf(e agent.Exchange) pisession.Turn { return pisession.Turn(e) }

// Package cli answers tasks with the agent programs people have: claude, codex,
// copilot, gemini, opencode, pi and qwen.
//
// [New] makes the runner of a role from a preset's name and the role's
// settings. A preset is a table of what was measured of one program: how it is
// called, what holds it to reading, how it takes a schema and a session to fork,
// how its answer and its end are recognised.
//
// # Promises
//
// A run has succeeded when the program has said itself that its turn is
// complete, has exited with status 0 and has left an answer; no single one of
// these is believed alone. A program that is not logged in, or is at its limit,
// says so in one sentence, with the time the limit ends where the program tells
// it. One that does not reach its server is ended once it has complained of that for some seconds. Some never complain: such a one is
// ended when it has said nothing for a while and no name of its servers, as its settings have them, is found ([runners.ServersOf]).
//
// A listener hears the answer to one request while it is made, from claude, copilot, pi and qwen. What was heard
// decides nothing: the run is read like any other. codex and opencode print a message when it is whole; gemini's
// stream lacks the whole answer, and gemini's failures.
//
// The prompt is written to standard input, never into an argument. A prompt that is longer than the program takes is
// refused in one sentence.
//
// An agent without tools works in an empty folder, so that no file of a vault
// can configure it, and is offered no tool by those programs that can be told
// so. An agent that reads works in the vault, with every way to write taken from
// it, and sees neither hidden files and folders nor what a link leads to outside;
// where a program differs, [Runner.Reserve] says so. What a vault holds for a program (its settings, servers, skills and
// instructions) is not read where the program can be told so.
//
// # The project history
//
// pi is given the history as a session of its own, made for the run. The others read it as a block of the prompt. A
// configured session is forked for every task and never changes: the agent knows its history, and the prompt has the
// block too, because the session does not know of it.
package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config/runners"
)

// presets by name.
var presets = map[string]preset{
	"claude":   claude,
	"codex":    codex,
	"copilot":  copilot,
	"gemini":   gemini,
	"opencode": opencode,
	"pi":       pi,
	"qwen":     qwen,
}

// Runner is an agent program with the settings of one role.
type Runner struct {
	preset   preset
	settings agent.Settings
	withheld bool // the tools that were asked for, because the program cannot be confined
}

var _ agent.Runner = (*Runner)(nil)

// New returns the runner of a preset; false if no preset has that name.
func New(name string, s agent.Settings) (*Runner, bool) {
	p, ok := presets[name]
	if s.Tools == "" {
		s.Tools = agent.ToolsNone
	}
	_, able := p.tools[s.Tools]
	if !able {
		s.Tools = agent.ToolsNone
	}
	return &Runner{preset: p, settings: s, withheld: !able}, ok
}

// Program is the name of the program as it is looked up, or its path.
func (r *Runner) Program() string { return cmp.Or(r.settings.Program, r.preset.program) }

// Reserve is one sentence on what an agent that reads cannot do here, or can beyond the
// vault; "" where there is nothing to say.
func (r *Runner) Reserve() string {
	if r.settings.Tools != agent.ToolsRead && !r.withheld {
		return ""
	}
	return r.preset.reserve
}

// Run asks the program and waits for its answer.
func (r *Runner) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	if err := r.checkSettings(); err != nil {
		return agent.Reply{}, err
	}
	scratch, err := os.MkdirTemp("", "vault-dispatcher-")
	if err != nil {
		return agent.Reply{}, agent.NoFolder(err)
	}
	defer os.RemoveAll(scratch)
	call, err := r.prepareCall(ctx, task, scratch)
	if err != nil {
		return agent.Reply{}, err
	}
	if n := utf8.RuneCountInString(call.Input); n > agent.MaxPrompt {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf(
			"the prompt has %d characters and %s takes %d; ask for less of the note with wiki.context",
			n, r.preset.program, agent.MaxPrompt)}
	}
	p := r.preset
	if p.seals {
		p.seal = agent.NewSeal(task)
		call.Input = p.seal.Ask(call.Input)
	}
	ended, err := p.runWatched(ctx, call, runners.ServersOf(r.preset.program, r.buildEnvironment()))
	if err != nil {
		return agent.Reply{}, err
	}
	return p.judge(ended, time.Now())
}

// checkSettings refuses settings that would read as an option.
func (r *Runner) checkSettings() error {
	for _, s := range []struct{ label, value string }{{"model", r.settings.Model}, {"session", r.settings.Session}} {
		if strings.HasPrefix(s.value, "-") {
			return &agent.Failure{Kind: agent.Permanent,
				Reason: fmt.Sprintf("the %s %q would read as an option of %s", s.label, s.value, r.preset.program)}
		}
	}
	if r.settings.Session != "" && r.preset.fork == nil {
		return &agent.Failure{Kind: agent.Permanent,
			Reason: r.preset.program + " cannot fork a session; remove session from the role"}
	}
	return nil
}

// prepareCall is the program with everything a task needs. Files for it go into
// scratch.
func (r *Runner) prepareCall(ctx context.Context, task agent.Task, scratch string) (agent.Program, error) {
	p, s := r.preset, r.settings
	call := agent.Program{Path: r.Program(), Dir: task.Root, Vault: task.Root, Env: agent.Environ(r.buildEnvironment(), task), Input: task.Prompt(), Timeout: s.Timeout, Hear: p.hearer(task)}
	call.Args = slices.Concat(p.args, p.manner(task), p.tools[s.Tools].args)
	if s.Model != "" {
		call.Args = append(call.Args, p.model, s.Model)
	}
	if p.include != "" && s.Tools == agent.ToolsRead {
		call.Args = append(call.Args, p.include, task.Root)
	}
	if s.IsHeld() {
		call.Sandbox, call.Scratch, call.Reads = p.program, scratch, s.Tools == agent.ToolsRead
	}
	if p.include != "" || s.Tools == agent.ToolsNone && s.Session == "" {
		call.Dir = filepath.Join(scratch, "empty")
		if err := os.Mkdir(call.Dir, 0o700); err != nil {
			return call, agent.Unwritable(err)
		}
	}
	v, err := r.lookAtVault(ctx, call, task.Root)
	if err == nil {
		err = r.keepSettings(&call, v, task.Root)
	}
	if err == nil {
		err = r.confineReading(&call, v, scratch)
	}
	if err != nil {
		return call, err
	}
	if err := r.offerDesk(&call, task, scratch); err != nil {
		return call, err
	}
	if len(task.Requests) > 1 {
		schema, err := p.schema.args(call, scratch)
		if err != nil {
			return call, agent.Unwritable(err)
		}
		call.Args = append(call.Args, schema...)
	}
	switch {
	case s.Session != "":
		call.Args = append(call.Args, p.fork(s.Session)...)
	case p.seed:
		args, seeded, err := seedSession(task, call.Dir, scratch)
		if err != nil {
			return call, agent.Unwritable(err)
		}
		if call.Args = append(call.Args, args...); seeded {
			call.Input = task.PromptWithoutHistory()
		}
	default:
		call.Args = append(call.Args, p.fresh...)
	}
	if p.mentions { // a note must not name a file that the program then adds
		call.Input = strings.ReplaceAll(call.Input, "@", `\@`)
	}
	call.Args = append(call.Args, p.suffix...)
	return call, nil
}

// keepSettings has the program follow no settings of the vault, and those of ours that its
// tools need.
func (r *Runner) keepSettings(call *agent.Program, v view, vault string) error {
	p := r.preset
	if v.believed != "" {
		return &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf(
			"the vault holds %s, which %s would run; remove that, or let the role work without tools and session", v.believed, p.program)}
	}
	if p.distrust != nil && call.Dir == vault {
		call.Args = append(call.Args, p.distrust(vault)...)
	}
	if p.silence != nil {
		if err := p.silence(call); err != nil {
			return err
		}
	}
	if text := p.tools[r.settings.Tools].file; text != "" {
		path := filepath.Join(call.Dir, filepath.FromSlash(p.settings))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			return agent.Unwritable(err)
		}
	}
	return nil
}

// buildEnvironment are the preset's variables, the role's over them, and over both those
// that take tools away.
func (r *Runner) buildEnvironment() map[string]string {
	env := make(map[string]string)
	maps.Copy(env, r.preset.env)
	maps.Copy(env, r.settings.Env)
	maps.Copy(env, r.preset.tools[r.settings.Tools].env)
	return env
}

// Package acp gives a role to any agent program that speaks the Agent Client
// Protocol, version 1, on its standard input and output. [Agent] is the runner.
//
// # Promises
//
// Every run has a process and a session of its own, which end with it. The agent is
// offered no terminal and no way to write a file, and whatever it asks leave for is
// refused. With tools "read" it may read files below the vault, through [Agent] and with
// leave; hidden folders and links that lead out of the vault are not below it. If it takes
// a server over HTTP, it is told of the engine's desk too. Without tools it works in an
// empty folder.
//
// Agents ask for what they do only in some of their modes, and many begin in one in
// which they do not. So the session is put into one that asks, and the run ends when
// the agent leaves it. An agent that has no such mode is refused, unless its role says
// trust: the protocol has no other way to take its tools away.
//
// The answer is what the agent said last: what it says before it uses a tool is
// no part of it. A run that is cancelled or takes too long is cancelled in the
// session first; half a second later its processes are asked to end, and two seconds after
// that they are ended. Lines on standard
// output that are no messages are passed over.
package acp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/sandbox"
)

const (
	defaultHello = 2 * time.Minute        // the first start may fetch the program
	defaultWords = 500 * time.Millisecond // between cancelling a session and ending its agent, which takes 2 s more at most
	backstop     = 30 * time.Second
)

// Agent is the [agent.Runner] for one program.
type Agent struct {
	Command []string // the program and its arguments
	agent.Settings

	hello time.Duration // how long it may take to its first message; 2 minutes when zero
	words time.Duration // how long it may take to end a session that was cancelled; half a second when zero
	limit int           // bytes of an answer; 8 MiB when zero
	desk  string        // the name of the engine's desk; a new one for each session when empty
}

var _ agent.Runner = Agent{}

// programName is what the program is called in sentences.
func (a Agent) programName() string { return filepath.Base(a.Command[0]) }

// Run asks the agent and waits for its end.
func (a Agent) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, err
	}
	if len(a.Command) == 0 {
		return agent.Reply{}, permanentFailure("the role has no agent program; set its command, such as [gemini, --acp]")
	}
	if n := utf8.RuneCountInString(task.Prompt()); n > agent.MaxPrompt {
		return agent.Reply{}, permanentFailure(fmt.Sprintf("the task has %d characters, more than the %d an agent is given", n, agent.MaxPrompt))
	}
	scratch, err := os.MkdirTemp("", "vault-dispatcher-")
	if err != nil {
		return agent.Reply{}, agent.NoFolder(err)
	}
	defer os.RemoveAll(scratch)
	dir := task.Root
	if a.Tools != agent.ToolsRead {
		dir = filepath.Join(scratch, "empty")
		if err := os.Mkdir(dir, 0o700); err != nil {
			return agent.Reply{}, agent.Unwritable(err)
		}
	}
	return a.runIn(ctx, task, dir, scratch)
}

// runIn is Run in the folder dir, with a scratch folder. The program outlives the end of ctx for as long
// as it takes to cancel the session.
func (a Agent) runIn(ctx context.Context, task agent.Task, dir, scratch string) (agent.Reply, error) {
	stop, release := context.WithTimeoutCause(ctx, a.TimeLimit(), errTimeout)
	defer release()
	program := agent.Program{Path: a.Command[0], Args: a.Command[1:], Dir: dir, Vault: task.Root, Env: agent.Environ(a.Env, task), Timeout: a.TimeLimit() + backstop}
	if a.IsHeld() {
		program.Sandbox, program.Scratch, program.Reads = sandbox.NameOf(a.Command), scratch, a.Tools == agent.ToolsRead
	}
	s := &session{agent: a, task: task, seal: agent.NewSeal(task), dir: dir, client: newClient(a, task.Root)}
	if task.Listener != nil {
		s.client.listener = func(text string) { task.Listener(s.seal.Show(text)) }
	}
	defer s.client.hush()
	ended, err := program.Talk(context.WithoutCancel(ctx), func(run context.Context, in io.WriteCloser, out io.Reader) error {
		return s.talk(run, stop, in, out)
	})
	s.wait()
	if ctx.Err() != nil {
		return agent.Reply{}, ctx.Err()
	}
	if err != nil {
		return agent.Reply{}, a.explainFailure(err, ended, s.lines.lastNonMessage()).Keep(s.client.lastMessage())
	}
	return s.takeReply()
}

var (
	errTimeout = errors.New("timeout")
	errSilent  = errors.New("no message came")
	errGone    = errors.New("the agent has ended")
	errTooMuch = errors.New("too much output")
)

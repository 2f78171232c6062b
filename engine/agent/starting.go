package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/agent/sandbox"
	"vaultdispatcher/engine/launch"
)

// This file makes the process of a program, and says where it could not be started.

// buildCommand finds the program and fills in where and with what it runs; run ends it. Where the sandbox waits for
// something it says so.
func (p Program) buildCommand(ctx, run context.Context, waited func()) (*exec.Cmd, *sandbox.Held, error) {
	env, path, err := environmentOf(p.Path, os.Environ(), p.Env, p.vaultFolder())
	if err == nil {
		err = checkArguments(path, p.Args)
	}
	if err != nil {
		return nil, nil, err
	}
	cmd := launch.Command(run, path, p.Args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.Dir, env, grace
	if p.Sandbox == "" {
		return cmd, nil, nil
	}
	held, err := sandbox.Confine(ctx, cmd, sandbox.Hold{Program: p.Sandbox, Scratch: p.Scratch, Vault: p.Vault, Reads: p.Reads}, waited)
	return cmd, held, err
}

// inGroup runs a program in a group of its own, from the start to the end of
// its last member. Cancel is what the end of the program's context does; during
// is called when the program runs.
func inGroup(cmd *exec.Cmd, cancel func(*group) error, during func()) error {
	g, err := newGroup(cmd)
	if err != nil {
		return err
	}
	defer g.kill()
	cmd.Cancel = func() error { return cancel(g) }
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := g.adopt(); err != nil {
		return err
	}
	during()
	return cmd.Wait()
}

func (p Program) timeLimit() time.Duration { return Settings{Timeout: p.Timeout}.TimeLimit() }

// notStarted is Transient even for a program that is missing: the user may
// install it while the dispatch waits for its next attempt.
func (p Program) notStarted(err error) *Failure {
	reason := err
	if inner, ok := errors.AsType[*exec.Error](err); ok {
		reason = inner.Err
	}
	f := &Failure{Kind: Transient, Cause: err,
		Reason: fmt.Sprintf("%s could not be started: %s", p.displayName(), cleanLine(reason.Error()))}
	if errors.Is(err, exec.ErrNotFound) {
		missing := &NotFound{Program: p.Path}
		f.Cause = fmt.Errorf("%w: %w", missing, err)
		if filepath.IsAbs(p.Path) {
			f.Reason = fmt.Sprintf("%s could not be started: %s", p.displayName(), missing)
		}
	}
	return f
}

package agent

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"time"

	"vaultdispatcher/engine/agent/sandbox"
	"vaultdispatcher/engine/patience"
)

// folderTime is how long the folder of a vault may take to answer before a run. It is a variable for tests.
var folderTime = 5 * time.Second

// AwaitFolder looks at a folder for a run, so that a disk that hangs keeps no slot: where the disk has said nothing for a
// few seconds the look is left behind, and the error is a Transient failure. A look that asks for much calls answered
// whenever it is told something. It returns what it finds and writes nothing else, for it may go on when its caller has gone.
func AwaitFolder[T any](ctx context.Context, dir string, look func(ctx context.Context, answered func()) T) (T, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	limit := folderTime
	silence := time.AfterFunc(limit, cancel)
	defer silence.Stop()
	found, ok := patience.AwaitUntil(within, func() T {
		return look(within, func() { silence.Reset(limit) })
	})
	switch {
	case ctx.Err() != nil:
		return found, ctx.Err()
	case !ok || within.Err() != nil:
		return found, &Failure{Kind: Transient, Reason: "the disk of " + dir + " does not respond"}
	}
	return found, nil
}

// awaitCommand makes the command of a program, which run ends, and asks whether the folder it is started in responds.
// Until the new process has entered its folder no other program can be started: Go
// holds syscall.ForkLock that long
// (https://github.com/golang/go/blob/master/src/syscall/exec_unix.go).
func (p Program) awaitCommand(ctx, run context.Context) (*exec.Cmd, *sandbox.Held, error) {
	type command struct {
		cmd     *exec.Cmd
		sandbox *sandbox.Held
		err     error
	}
	stat := statFolder
	made, err := AwaitFolder(ctx, cmp.Or(p.vaultFolder(), p.Path), func(within context.Context, answered func()) command {
		cmd, held, err := p.buildCommand(within, run, answered)
		if err == nil && p.Dir != "" {
			_, _ = stat(p.Dir) // the start says what is wrong with it
		}
		return command{cmd, held, err}
	})
	if err != nil {
		return nil, nil, err
	}
	return made.cmd, made.sandbox, made.err
}

// statFolder is os.Stat; tests have one that hangs.
var statFolder = os.Stat

package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/wording/times"
)

const (
	defaultLimit = 8 << 20
	grace        = 2 * time.Second // between asking a program to end and ending it
)

// Program is one run of a program, by no shell.
//
// A run that is cancelled or takes too long is asked to end and ended two
// seconds later. A program that does not read what it is given is fine. One that
// leaves children behind holding its output delays the end by two seconds at
// most. When Run or Talk returns, nothing of the program's process tree runs any
// more; on Windows, nothing of its job.
type Program struct {
	// Path is a bare name, looked up as [Find] does, or an absolute path.
	Path    string
	Args    []string
	Dir     string            // the working directory
	Vault   string            // in which no program is looked for; Dir when empty
	Env     map[string]string // added to the environment, which is otherwise an allow-list
	Input   string            // its standard input; Talk does not use it
	Timeout time.Duration     // 10 minutes when not positive
	Limit   int64             // bytes of output; 8 MiB when not positive

	// Hear receives each line of the output as it comes, in order and never after Run has returned. It returns true
	// for a line that it takes; such a line is not kept. nil = no listener. Talk does not use it.
	Hear func(line []byte) bool

	// HearErrors receives each line of standard error in the same way. nil = no listener. Talk does not use it.
	HearErrors func(line []byte)

	// Sandbox is what the table of package sandbox calls the program, which then
	// reaches its own files and Scratch alone where the kernel sees to that, and what Vault holds if it Reads; "" = no
	// sandbox. Scratch is the folder of the run.
	Sandbox, Scratch string
	Reads            bool
}

// Ended is what a program has left.
type Ended struct {
	Status int    // it exited with
	Output []byte // standard output, whole
	Errors []byte // the end of standard error
}

// Detail is the last line that says something, on standard error or else on
// standard output, fit for [Failure.Detail]. An event of a program that prints
// JSON, one a line, says nothing to a person.
func (e Ended) Detail() string {
	line := lastLine(e.Errors)
	if line == "" {
		line = lastLine(e.Output)
	}
	if strings.HasPrefix(line, "{") {
		return ""
	}
	return line
}

// IsBatch reports whether the program is a batch file of Windows, which cannot be
// given every argument, or cannot be told from one because the disk of the vault does not respond.
func (p Program) IsBatch() bool {
	batch, err := AwaitFolder(context.Background(), p.vaultFolder(), func(context.Context, func()) bool {
		path, err := Find(p.Path, p.Env, p.vaultFolder())
		return err == nil && isBatch(path)
	})
	return err != nil || batch
}

func (p Program) vaultFolder() string {
	if p.Vault != "" {
		return p.Vault
	}
	return p.Dir
}

// displayName is what the program is called in sentences.
func (p Program) displayName() string { return filepath.Base(p.Path) }

// Run starts the program, gives it its input and waits for its end. Every exit
// status is an end. Launch errors, timeouts and signals are Transient failures,
// too much output is a Permanent one.
func (p Program) Run(ctx context.Context) (Ended, error) {
	limit := p.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	out, errs := &capped{limit: limit}, &tail{}
	heard := &heard{buffer: out, hear: p.Hear}
	errs.hear = p.HearErrors
	state, err := p.runToEnd(ctx, errs, func(cmd *exec.Cmd, stop context.CancelCauseFunc) error {
		out.full = func() { stop(errTooMuch) }
		cmd.Stdin, cmd.Stdout = strings.NewReader(p.Input), heard
		return nil
	}, nil)
	heard.end()
	errs.end()
	if state != nil && out.isOver() && ctx.Err() == nil {
		return Ended{}, &Failure{Kind: Permanent, Cause: errTooMuch,
			Reason: fmt.Sprintf("%s printed more than %s", p.displayName(), bytesText(limit))}
	}
	ended := Ended{Output: out.bytes(), Errors: errs.bytes()}
	if state != nil {
		ended.Status = state.ExitCode()
	}
	if failure, ok := errors.AsType[*Failure](err); ok && failure.Detail == "" && state != nil {
		failure.Detail = ended.Detail()
	}
	return ended, err
}

// Talk starts the program and hands its standard input and output to talk. When
// talk has returned, the program's input is closed, and it is asked to end if it
// has not ended a second later; at once where talk says that it was cancelled. What talk returns is returned, unless the run was
// cancelled or took too long; talk's context ends with the run, and so does what
// it reads.
func (p Program) Talk(ctx context.Context, talk func(ctx context.Context, in io.WriteCloser, out io.Reader) error) (Ended, error) {
	errs := &tail{}
	var in io.WriteCloser
	var out io.ReadCloser
	state, err := p.runToEnd(ctx, errs, func(cmd *exec.Cmd, _ context.CancelCauseFunc) (err error) {
		if in, err = cmd.StdinPipe(); err == nil {
			out, err = cmd.StdoutPipe()
		}
		return err
	}, func(ctx context.Context) error {
		defer in.Close()
		// A child of the program may hold the other end beyond the program's own.
		defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, func() { _ = out.Close() }) })()
		return talk(ctx, in, out)
	})
	ended := Ended{Errors: errs.bytes()}
	if state != nil {
		ended.Status = state.ExitCode()
	}
	return ended, err
}

// runToEnd runs the program from its start to the end of its process tree. wire
// connects it; talk, unless it is nil, runs beside it. The state is nil when it
// never ran.
func (p Program) runToEnd(ctx context.Context, errs *tail, wire func(*exec.Cmd, context.CancelCauseFunc) error,
	talk func(context.Context) error) (*os.ProcessState, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd, held, err := p.awaitCommand(ctx, run)
	defer held.Release()
	if err == nil {
		cmd.Stderr = errs
		err = wire(cmd, stop)
	}
	if err != nil {
		return nil, p.notStarted(err)
	}
	timer := time.AfterFunc(p.timeLimit(), func() { stop(errTimeout) })
	defer timer.Stop()

	held.Follow()
	interrupted := false // written by Cancel, which Wait waits for
	var said error
	err = inGroup(cmd, func(g *group) error {
		err := g.terminate()
		interrupted = err == nil
		return err
	}, func() {
		if talk != nil {
			if said = talk(run); errors.Is(said, context.Canceled) {
				stop(errTalked) // it has been told
				return
			}
			time.AfterFunc(lastWords, func() { stop(errTalked) })
		}
	})
	state := cmd.ProcessState
	switch cause := context.Cause(run); {
	case ctx.Err() != nil && (interrupted || state == nil):
		return state, ctx.Err()
	case state == nil && cause == errTimeout:
		return nil, &Failure{Kind: Transient, Cause: errTimeout,
			Reason: fmt.Sprintf("%s had not even begun after %s and was ended", p.displayName(), times.Duration(p.timeLimit()))}
	case state == nil:
		return nil, p.notStarted(err)
	case interrupted && cause != errTalked:
		return state, &Failure{Kind: Transient, Cause: errTimeout, Detail: lastLine(errs.bytes()),
			Reason: fmt.Sprintf("%s was still running after %s and was ended", p.displayName(), times.Duration(p.timeLimit()))}
	case talk != nil:
		return state, said
	case state.Success() && err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return state, &Failure{Kind: Transient, Cause: err,
			Reason: fmt.Sprintf("talking to %s failed: %s", p.displayName(), cleanLine(err.Error()))}
	case !state.Success() && !state.Exited():
		return state, &Failure{Kind: Transient, Cause: err,
			Reason: fmt.Sprintf("%s was ended by a signal: %s", p.displayName(), strings.TrimPrefix(state.String(), "signal: "))}
	}
	return state, nil
}

// lastWords is how long a program whose conversation is over may go on before it
// is asked to end. It is a variable for tests.
var lastWords = time.Second

// Why a run was ended.
var (
	errTimeout = errors.New("timeout")
	errTooMuch = errors.New("too much output")
	errTalked  = errors.New("the conversation is over")
)

package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	defaultTimeout = 10 * time.Minute
	defaultLimit   = 8 << 20
	grace          = 3 * time.Second // between asking a program to end and ending it
)

// Command is the [Runner] for any program. The prompt goes to its standard
// input, its working directory is the vault, and no shell is involved.
//
// The run has succeeded when the program exits with status 0 and leaves an
// answer. Launch errors, timeouts, other exit statuses and signals are
// Transient failures; an empty answer, too much output, output without the
// answer's JSON path and a command that cannot work are Permanent ones.
//
// A program that does not read its prompt is fine. One that leaves children
// behind holding its output delays the end by three seconds at most. When Run
// returns, nothing of the program's process group runs any more; on Windows,
// nothing of its job.
type Command struct {
	// Argv is the program and its arguments. The program is a bare name, looked
	// up in the PATH of the environment it will get and never inside the vault,
	// or an absolute path. In the arguments {role}, {task_id}, {note}, {vault}
	// and {agent} are replaced by the task's; one argument stays one argument.
	Argv []string

	// Answer says where the answer is: "stdout" (or nothing) for all of the
	// output, or a path into JSON output such as .result or .items[0].text.
	// When the output is several JSON values, the last that has the path counts.
	// A value that is no string is taken as its JSON text.
	Answer string

	Timeout time.Duration     // of one run; 10 minutes when not positive
	Env     map[string]string // added to the environment, which is otherwise an allow-list
	Limit   int64             // bytes of output; 8 MiB when not positive
}

var _ Runner = Command{}

// Validate reports why the command could never run: an empty or relative
// program, a malformed answer path, an impossible variable.
func (c Command) Validate() error {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return errors.New("the command names no program")
	}
	if program := c.Argv[0]; !filepath.IsAbs(program) && program != filepath.Base(program) {
		return fmt.Errorf("the program %q is neither a bare name nor an absolute path", program)
	}
	for key := range c.Env {
		if key == "" || strings.ContainsAny(key, "=\x00") {
			return fmt.Errorf("%q cannot be the name of an environment variable", key)
		}
	}
	if c.structured() {
		if _, err := parsePath(c.Answer); err != nil {
			return err
		}
	}
	return nil
}

func (c Command) structured() bool { return c.Answer != "" && c.Answer != "stdout" }

// name is what the program is called in sentences.
func (c Command) name() string { return filepath.Base(c.Argv[0]) }

// Run sends the task's text to the program and waits for its answer.
func (c Command) Run(ctx context.Context, task Task) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	if err := c.Validate(); err != nil {
		return Reply{}, &Failure{Kind: Permanent, Reason: err.Error(), cause: err}
	}
	args, err := expand(c.Argv[1:], task)
	if err != nil {
		return Reply{}, &Failure{Kind: Permanent, Reason: err.Error(), cause: err}
	}
	env := environment(os.Environ(), c.Env)
	path, err := lookPath(c.Argv[0], env, task.Root)
	if err == nil {
		err = checkArguments(path, args)
	}
	if err != nil {
		return Reply{}, c.notStarted(err)
	}
	return c.execute(ctx, path, args, env, task)
}

// execute starts the program, waits for it and reads what it left.
func (c Command) execute(ctx context.Context, path string, args, env []string, task Task) (Reply, error) {
	limit := c.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := time.AfterFunc(c.timeout(), func() { stop(errTimeout) })
	defer timer.Stop()

	out := &capped{limit: limit, full: func() { stop(errTooMuch) }}
	errs := &tail{}
	cmd := exec.CommandContext(run, path, args...)
	cmd.Dir, cmd.Env = task.Root, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(task.Text), out, errs
	cmd.WaitDelay = grace

	interrupted := false // written by Cancel, which Wait waits for
	err := inGroup(cmd, func(g *group) error {
		err := g.terminate()
		interrupted = err == nil
		return err
	})

	switch {
	case ctx.Err() != nil && (interrupted || cmd.ProcessState == nil):
		return Reply{}, ctx.Err()
	case cmd.ProcessState == nil:
		return Reply{}, c.notStarted(err)
	case out.over():
		return Reply{}, &Failure{Kind: Permanent, cause: errTooMuch,
			Reason: fmt.Sprintf("%s printed more than %s", c.name(), bytesText(limit))}
	case interrupted:
		return Reply{}, &Failure{Kind: Transient, cause: errTimeout, Detail: errs.lastLine(),
			Reason: fmt.Sprintf("%s was still running after %s and was ended", c.name(), durationText(c.timeout()))}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay) || !cmd.ProcessState.Success():
		return Reply{}, c.exitFailure(cmd.ProcessState, err, out, errs)
	}
	return c.answer(out.bytes())
}

// inGroup runs a program in a group of its own, from the start to the end of
// its last member. Cancel is what the end of the program's context does.
func inGroup(cmd *exec.Cmd, cancel func(*group) error) error {
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
	return cmd.Wait()
}

func (c Command) timeout() time.Duration {
	if c.Timeout <= 0 {
		return defaultTimeout
	}
	return c.Timeout
}

var (
	errTimeout = errors.New("timeout")
	errTooMuch = errors.New("too much output")
)

// answer takes the answer out of a successful program's output.
func (c Command) answer(out []byte) (Reply, error) {
	text := string(out)
	if c.structured() {
		path, err := parsePath(c.Answer)
		if err == nil {
			text, err = path.last(out)
		}
		if err != nil {
			return Reply{}, &Failure{Kind: Permanent, cause: err,
				Reason: fmt.Sprintf("the output of %s %s", c.name(), err)}
		}
	}
	text = stripANSI(text)
	if blank(text) {
		return Reply{}, &Failure{Kind: Permanent, Reason: c.name() + " gave an empty answer"}
	}
	return Reply{Text: text}, nil
}

// notStarted is Transient even for a program that is missing: the user may
// install it while the dispatch waits for its next attempt.
func (c Command) notStarted(err error) *Failure {
	reason := err
	var inner *exec.Error
	if errors.As(err, &inner) {
		reason = inner.Err
	}
	return &Failure{Kind: Transient, cause: err,
		Reason: fmt.Sprintf("%s could not be started: %s", c.name(), cleanLine(reason.Error()))}
}

// exitFailure describes an exit other than 0. Some programs explain themselves
// on standard output; that is used when standard error stayed silent.
func (c Command) exitFailure(state *os.ProcessState, err error, out *capped, errs *tail) *Failure {
	f := &Failure{Kind: Transient, Detail: errs.lastLine(), cause: err}
	if f.Detail == "" {
		f.Detail = lastLine(out.bytes())
	}
	switch {
	case state.Success():
		f.Reason = fmt.Sprintf("talking to %s failed: %s", c.name(), cleanLine(err.Error()))
	case state.Exited():
		f.Reason = fmt.Sprintf("%s ended with status %d", c.name(), state.ExitCode())
	default:
		f.Reason = fmt.Sprintf("%s was ended by a signal: %s", c.name(), strings.TrimPrefix(state.String(), "signal: "))
	}
	return f
}

// durationText prints 10m0s as 10m.
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

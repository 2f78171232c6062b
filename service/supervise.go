package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/syserr"
)

// The supervisor and who steers it share a folder: settings.json is what to run,
// `lock` is held while a supervisor is at work, `supervisor` says which one, `engine`
// which engine it has started. It ends when `supervisor` is gone or no longer its own,
// and takes it away when it ends. No signal is needed, so that it is the same on
// every system, and no space on a disk.

const (
	firstDelay = 2 * time.Second
	lastDelay  = time.Minute
	// calm is how long an engine must have run for its failure to count as the first.
	calm = time.Minute
	// lockTime is how long a supervisor waits for one that is about to end.
	lockTime = 5 * time.Second

	supervisorName, lockName, engineName = "supervisor", "lock", "engine"
)

// Supervise runs the engine of a settings file, and runs it again when it fails, until it ends by itself or with a
// final status, until ctx ends, or until it is told to end. While another supervisor is at work it does nothing. The
// engine's output is written to out.
func Supervise(ctx context.Context, file string, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the settings of the service: %w", err)
	}
	s := supervisor{dir: filepath.Dir(file), output: out, first: firstDelay}
	if err := json.Unmarshal(text, &s.spec); err != nil {
		return fmt.Errorf("read the settings of the service: %w", err)
	}
	var lock *files.Lock
	awaitGone(ctx, lockTime, func() bool {
		lock, err = files.TakeLock(filepath.Join(s.dir, lockName))
		return errors.Is(err, files.ErrHeld)
	})
	if errors.Is(err, files.ErrHeld) {
		fmt.Fprintln(out, "the engine is not started: another supervisor is at work")
		return nil
	}
	if err != nil {
		return fmt.Errorf("begin to supervise: %w", err)
	}
	return errors.Join(s.keepRunning(ctx), lock.Close())
}

// Serve is how Windows' service manager has run called, which is to supervise. To
// end it, the manager first has stop called, which asks the engine to end. Where
// there is no such manager run is simply called.
func Serve(ctx context.Context, name string, run, stop func(context.Context) error) error {
	return serveManaged(ctx, name, run, stop)
}

// supervisor keeps an engine running.
type supervisor struct {
	spec   Spec
	dir    string
	output io.Writer
	first  time.Duration
}

func (s supervisor) keepRunning(ctx context.Context) error {
	file, own := filepath.Join(s.dir, supervisorName), strconv.Itoa(os.Getpid())+"\n"
	if err := files.Write(file, []byte(own), 0o600); err != nil {
		return fmt.Errorf("begin to supervise: %w", err)
	}
	defer dropFile(file) // the next supervisor takes over a file left behind
	mine := func() bool {
		text, err := os.ReadFile(file)
		return err == nil && string(text) == own || err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	var delay time.Duration
	for {
		begun := time.Now()
		status, err := s.runOnce(ctx, mine)
		if ctx.Err() != nil || err == nil && (status == 0 || slices.Contains(s.spec.Final, status)) {
			return nil
		}
		delay = nextDelay(delay, s.first, time.Since(begun))
		fmt.Fprintf(s.output, "the engine ended with %s; it is started again in %s\n", describeEnding(status, err), delay)
		if awaitGone(ctx, delay, mine) || ctx.Err() != nil {
			return nil
		}
	}
}

// runOnce runs the engine and returns its exit status. An engine that has just begun
// cannot be asked to end yet, so for a while the file is looked at here.
func (s supervisor) runOnce(ctx context.Context, mine func() bool) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		if awaitGone(ctx, calm, mine) {
			cancel()
		}
	}()
	defer func() { cancel(); <-looked }()
	cmd := exec.CommandContext(ctx, s.spec.Program, s.spec.Args...)
	cmd.Env = os.Environ()
	for name, value := range s.spec.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Stdout, cmd.Stderr = s.output, s.output
	cmd.Cancel = func() error { return endProcess(cmd.Process) }
	cmd.WaitDelay = 30 * time.Second
	err := s.recordStart(cmd)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// recordStart runs the engine. While it runs, a file has its pid, so that the engine is known as the service's even
// after the supervisor was killed.
func (s supervisor) recordStart(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	file := filepath.Join(s.dir, engineName)
	if err := files.Write(file, []byte(strconv.Itoa(cmd.Process.Pid)+"\n"), 0o600); err != nil {
		fmt.Fprintf(s.output, "the engine runs, but which it is could not be written: %s\n", syserr.Plain(err))
	}
	defer dropFile(file) // a file left behind has the pid of a dead process
	return cmd.Wait()
}

// nextDelay is the wait before the next start: twice the last one for an engine
// that fails at once, from the beginning for one that has run for a while.
func nextDelay(last, first, lived time.Duration) time.Duration {
	if last == 0 || lived >= calm {
		return first
	}
	return min(2*last, lastDelay)
}

func describeEnding(status int, err error) string {
	if err != nil {
		return syserr.Plain(err)
	}
	return "status " + strconv.Itoa(status)
}

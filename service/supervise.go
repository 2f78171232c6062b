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
	"strings"
	"time"
)

// The supervisor and who steers it share a folder: settings.json is what to run,
// `keeper` says which process keeps the engine. The supervisor ends when that file
// is no longer its own, and takes it away when it ends. No signal is needed, so
// that it is the same on every system.

const (
	firstDelay = 2 * time.Second
	lastDelay  = time.Minute
	// calm is how long an engine must have run for its failure to count as the first.
	calm = time.Minute
	// toEnd in the file asks its supervisor to end.
	toEnd = "end\n"
)

func (s Spec) settings() string { return filepath.Join(s.Dir, "settings.json") }

// keeper is the command that supervises the engine.
func (s Spec) keeper() []string {
	return append(append([]string{s.Program}, s.Keeper...), s.settings())
}

// save writes the settings of the supervisor. They hold the user's PATH, which is
// nobody else's business.
func (s Spec) save() error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(s.settings(), string(text)+"\n", 0o600)
}

// Supervise runs the engine of a settings file, and runs it again when it fails,
// until it ends by itself or with a final status, until ctx ends, or until another
// process took its place. What the engine says goes to out.
func Supervise(ctx context.Context, file string, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the settings of the service: %w", err)
	}
	k := keeper{file: filepath.Join(filepath.Dir(file), "keeper"), out: out, first: firstDelay}
	if err := json.Unmarshal(text, &k.spec); err != nil {
		return fmt.Errorf("read the settings of the service: %w", err)
	}
	return k.run(ctx)
}

// keeper is a supervisor at work.
type keeper struct {
	spec  Spec
	file  string // whose it is
	out   io.Writer
	first time.Duration
}

func (k keeper) run(ctx context.Context) error {
	own := strconv.Itoa(os.Getpid()) + "\n"
	if err := writeFile(k.file, own, 0o600); err != nil {
		return fmt.Errorf("begin to supervise: %w", err)
	}
	mine := func() bool { return k.holder() == own }
	defer func() {
		if mine() || k.holder() == toEnd {
			os.Remove(k.file) // what is left behind is taken over by the next
		}
	}()
	var delay time.Duration
	for {
		begun := time.Now()
		status, err := k.once(ctx, mine)
		if ctx.Err() != nil || err == nil && (status == 0 || slices.Contains(k.spec.Final, status)) {
			return nil
		}
		delay = nextDelay(delay, k.first, time.Since(begun))
		fmt.Fprintf(k.out, "the engine ended with %s; it is started again in %s\n", ending(status, err), delay)
		if gone(ctx, delay, mine) || ctx.Err() != nil {
			return nil
		}
	}
}

// holder is what the file says.
func (k keeper) holder() string {
	text, err := os.ReadFile(k.file)
	if err != nil {
		return ""
	}
	return string(text)
}

// once runs the engine and returns its exit status. An engine that has just begun
// cannot be asked to end yet, so for a while the file is looked at here.
func (k keeper) once(ctx context.Context, mine func() bool) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		if gone(ctx, calm, mine) {
			cancel()
		}
	}()
	defer func() { cancel(); <-looked }()
	cmd := exec.CommandContext(ctx, k.spec.Program, k.spec.Args...)
	cmd.Env = os.Environ()
	for name, value := range k.spec.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Stdout, cmd.Stderr = k.out, k.out
	cmd.Cancel = func() error { return end(cmd.Process) }
	cmd.WaitDelay = 30 * time.Second
	inBackground(cmd, false)
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// nextDelay is the wait before the next start: twice the last one for an engine
// that fails at once, from the beginning for one that has run for a while.
func nextDelay(last, first, lived time.Duration) time.Duration {
	if last == 0 || lived >= calm {
		return first
	}
	return min(2*last, lastDelay)
}

func ending(status int, err error) string {
	if err != nil {
		return err.Error()
	}
	return "status " + strconv.Itoa(status)
}

// supervised is what the kinds have in common that keep the engine through
// [Supervise].
type supervised struct {
	spec   Spec
	engine Engine
}

func (s supervised) keeperFile() string { return filepath.Join(s.spec.Dir, "keeper") }

// kept reports whether a supervisor says that it is there.
func (s supervised) kept() bool {
	_, err := os.Stat(s.keeperFile())
	return err == nil
}

// current reports whether the settings are those of this program and its arguments.
func (s supervised) current() bool {
	var saved Spec
	text, err := os.ReadFile(s.spec.settings())
	return err == nil && json.Unmarshal(text, &saved) == nil &&
		saved.Program == s.spec.Program && slices.Equal(saved.Args, s.spec.Args)
}

// state is in our own words: nobody else knows.
func (s supervised) state(ctx context.Context) (active bool, words string) {
	text, err := os.ReadFile(s.keeperFile())
	running := s.engine.Running(ctx)
	switch {
	case err == nil && running:
		return true, "supervised by pid " + strings.TrimSpace(string(text))
	case err == nil:
		return true, "waits before the next start"
	case running:
		return false, "the engine runs, but was not started by this entry"
	}
	return false, "stopped"
}

// endAll ends the engine and its supervisor. A supervisor that does not go, or that
// was killed and left its file, is no longer the one that keeps the engine.
func (s supervised) endAll(ctx context.Context) error {
	if !s.kept() {
		return nil // an engine that runs all the same is somebody's own
	}
	if err := writeFile(s.keeperFile(), toEnd, 0o600); err != nil {
		return err
	}
	var problem error // a young engine is ended by its supervisor at the same time, and cannot answer
	if s.engine.Running(ctx) {
		problem = s.engine.Stop(ctx)
	}
	if !gone(ctx, 30*time.Second, func() bool { return s.engine.Running(ctx) }) {
		return errors.Join(errors.New("the engine was asked to end and still runs"), problem)
	}
	gone(ctx, 10*time.Second, s.kept)
	if err := os.Remove(s.keeperFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// begin starts the supervisor.
func (s supervised) begin() error {
	words := s.spec.keeper()
	return Detach(words[0], words[1:]...)
}

// Detach starts a program that outlives us, without a terminal or a window.
func Detach(program string, args ...string) error {
	cmd := exec.Command(program, args...)
	inBackground(cmd, true)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	return cmd.Process.Release()
}

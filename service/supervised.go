package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// supervised is what the kinds have in common that keep the engine through
// [Supervise].
type supervised struct {
	spec   Spec
	engine Engine
}

func (s supervised) keeperFile() string { return filepath.Join(s.spec.Dir, keeperName) }

// alive reports whether a supervisor is at work.
func (s supervised) alive() bool {
	lock, err := lockFile(filepath.Join(s.spec.Dir, lockName))
	if err != nil {
		return errors.Is(err, errHeld)
	}
	return lock.Close() != nil
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
	alive, running := s.alive(), s.engine.Running(ctx)
	text, err := os.ReadFile(s.keeperFile())
	switch {
	case alive && running:
		return true, "supervised by pid " + strings.TrimSpace(string(text))
	case alive:
		return true, "starts, or waits before the next start"
	case running && err == nil:
		return false, "the engine runs, but its supervisor was killed"
	case running:
		return false, "the engine runs, but was not started by this entry"
	}
	return false, "stopped"
}

// endAll ends the supervisor and its engine, also one that outlived its supervisor.
// An engine without either trace is somebody's own.
func (s supervised) endAll(ctx context.Context) error {
	alive := s.alive()
	if _, err := os.Stat(s.keeperFile()); errors.Is(err, fs.ErrNotExist) && !alive {
		return nil
	}
	if alive {
		if err := s.forget(); err != nil {
			return fmt.Errorf("end the supervisor: %w", err)
		}
	}
	var problem error // a young engine is ended by its supervisor at the same time, and cannot answer
	if s.engine.Running(ctx) {
		problem = s.engine.Stop(ctx)
	}
	if !gone(ctx, 30*time.Second, func() bool { return s.engine.Running(ctx) }) {
		return errors.Join(errors.New("the engine was asked to end and still runs"), problem)
	}
	if !gone(ctx, 30*time.Second, s.alive) {
		return errors.New("the supervisor of the engine was asked to end and still runs")
	}
	return s.forget()
}

// forget takes the file of the supervisor away, which then ends.
func (s supervised) forget() error {
	if err := os.Remove(s.keeperFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
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

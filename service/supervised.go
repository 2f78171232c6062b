package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/launch"
)

// supervised is what the kinds have in common that keep the engine through
// [Supervise].
type supervised struct {
	spec   Spec
	engine Engine
}

func (s supervised) supervisorFile() string { return filepath.Join(s.spec.Dir, supervisorName) }

// supervisorLives reports whether a supervisor is at work.
func (s supervised) supervisorLives() bool {
	lock, err := files.TakeLock(filepath.Join(s.spec.Dir, lockName))
	if err != nil {
		return errors.Is(err, files.ErrHeld)
	}
	return lock.Close() != nil
}

// supervisorPath is the PATH in the settings.
func (s supervised) supervisorPath() string {
	var saved Spec
	text, err := os.ReadFile(s.spec.settingsFile())
	if err != nil || json.Unmarshal(text, &saved) != nil {
		return ""
	}
	return saved.Env["PATH"]
}

// isCurrent reports whether the settings are those of this program and its arguments.
func (s supervised) isCurrent() bool {
	var saved Spec
	text, err := os.ReadFile(s.spec.settingsFile())
	return err == nil && json.Unmarshal(text, &saved) == nil &&
		saved.Program == s.spec.Program && slices.Equal(saved.Args, s.spec.Args)
}

// supervisedEngine reports whether the engine that answers is one that a supervisor has started,
// and its pid. If it cannot be known, it counts as one while a supervisor runs.
func (s supervised) supervisedEngine(ctx context.Context) (pid int, yes bool) {
	pid, running := s.engine.Running(ctx)
	if !running {
		return 0, false
	}
	text, err := os.ReadFile(filepath.Join(s.spec.Dir, engineName))
	if err != nil {
		return pid, s.supervisorLives()
	}
	return pid, pid == 0 || strings.TrimSpace(string(text)) == strconv.Itoa(pid)
}

// judgeStatus fills in what only we know, in our own words.
func (s supervised) judgeStatus(ctx context.Context, st *Status) {
	_, running := s.engine.Running(ctx)
	_, ours := s.supervisedEngine(ctx)
	st.Active = s.supervisorLives()
	st.Orphan = ours && !st.Active
	switch text, err := os.ReadFile(s.supervisorFile()); {
	case st.Active && ours && err == nil:
		st.State = "supervised by pid " + strings.TrimSpace(string(text))
	case st.Active:
		st.State = "starts, or waits before the next start"
	case st.Orphan:
		st.State = "the engine runs, but its supervisor was killed"
	case running:
		st.State = "the engine runs, but was not started by this entry"
	default:
		st.State = "stopped"
	}
}

// findLeftover fills in what is at work although its entry was withdrawn.
func (s supervised) findLeftover(ctx context.Context, st *Status) {
	if s.supervisorLives() {
		s.judgeStatus(ctx, st)
	}
}

// endAll ends the supervisor and its engine, also one that outlived its supervisor. It leaves an engine that no
// supervisor has started.
func (s supervised) endAll(ctx context.Context) error {
	supervisor := s.supervisorPID()
	if err := s.forgetSupervisor(); err != nil {
		return fmt.Errorf("end the supervisor: %w", err)
	}
	var problem error // a young engine is ended by its supervisor at the same time, and cannot answer
	pid, ours := s.supervisedEngine(ctx)
	if ours {
		problem = s.engine.Stop(ctx)
	}
	if !awaitGone(ctx, 30*time.Second, func() bool { _, still := s.supervisedEngine(ctx); return still }) {
		return errors.Join(errors.New("the engine was asked to end and still runs"), problem)
	}
	if !awaitGone(ctx, 30*time.Second, s.supervisorLives) {
		return errors.New("the supervisor of the engine was asked to end and still runs")
	}
	if ours {
		awaitEnd(ctx, pid) // no supervisor has waited for it
	}
	awaitEnd(ctx, supervisor)
	return errors.Join(s.forgetSupervisor(), dropFile(filepath.Join(s.spec.Dir, engineName)))
}

// supervisorPID returns the pid of the supervisor; 0 = no supervisor runs, or its pid is not known.
func (s supervised) supervisorPID() int {
	text, err := os.ReadFile(s.supervisorFile())
	if err != nil || !s.supervisorLives() {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text))) // not yet written: 0
	return pid
}

// awaitEnd waits until the process of an engine or a supervisor that has finished is gone: until then it holds its
// port and has its log open, and on Windows its program cannot be replaced. For an unknown pid, 0, it does not wait.
func awaitEnd(ctx context.Context, pid int) {
	if pid != 0 && pid != os.Getpid() {
		awaitGone(ctx, 10*time.Second, func() bool { return processExists(pid) })
	}
}

// forgetSupervisor takes the file of the supervisor away, which then ends.
func (s supervised) forgetSupervisor() error { return dropFile(s.supervisorFile()) }

// removeFiles takes the supervisor's folder away, unless one is at work.
func (s supervised) removeFiles() error {
	if s.supervisorLives() {
		return nil
	}
	return files.RemoveAll(s.spec.Dir)
}

// dropFile removes a file; none is as good. It may be read, as a supervisor does with its
// own several times a second.
func dropFile(file string) error {
	if err := files.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Detach starts a program that outlives us, without a terminal or a window.
func Detach(program string, args ...string) error {
	cmd := launch.Command(context.Background(), program, args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	return cmd.Process.Release()
}

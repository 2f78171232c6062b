package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"vaultdispatcher/engine/files"
)

const unitFile = ".config/systemd/user/vault-dispatcher.service"

func TestSystemdLife(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	const mask = 0o026
	before := syscall.Umask(mask)
	t.Cleanup(func() { syscall.Umask(before) })
	if st := m.status(); st != (Status{Kind: "systemd"}) {
		t.Errorf("before all: %+v", st)
	}
	for name, verb := range map[string]func(context.Context) error{"start": m.service().Start, "stop": m.service().Stop, "restart": m.service().Restart} {
		if err := verb(ctx); !errors.Is(err, ErrNotInstalled) {
			t.Errorf("%s of what is not installed: %v", name, err)
		}
	}

	m.must(m.service().Install(ctx))
	m.sameFiles(unitFile)
	text, err := os.ReadFile(filepath.Join(m.home, unitFile))
	if m.must(err); !strings.Contains(string(text), fmt.Sprintf("\nUMask=%04o\n", mask)) {
		t.Errorf("the unit has not the mask %04o:\n%s", mask, text)
	}
	st := m.status()
	if want := (Status{Kind: "systemd", Installed: true, AtLogin: true, Current: true, State: "inactive (dead)", File: filepath.Join(m.home, unitFile)}); st != want {
		t.Errorf("installed: %+v", st)
	}
	m.must(m.service().Start(ctx))
	m.must(m.service().Start(ctx))
	if st = m.status(); !st.Active || st.State != "active (running)" {
		t.Errorf("started: %+v", st)
	}
	m.must(m.service().Restart(ctx))
	m.must(m.service().Stop(ctx))
	m.must(m.service().Stop(ctx))
	if st = m.status(); st.Active {
		t.Errorf("stopped: %+v", st)
	}
	m.calls()

	m.spec.Args = append(m.spec.Args, "--new")
	if st = m.status(); st.Current || !st.Installed {
		t.Errorf("another command: %+v", st)
	}
	m.must(m.service().Start(ctx))
	m.must(m.service().Install(ctx))
	if st = m.status(); !st.Current || st.Active || !st.AtLogin {
		t.Errorf("updated: %+v", st)
	}
	if got, want := m.calls(), []string{"reset-failed", "start", "stop", "disable", "daemon-reload", "reset-failed", "enable", "daemon-reload"}; !slices.Equal(got, want) {
		t.Errorf("the update asked %q, not %q", got, want)
	}

	m.must(m.service().Start(ctx))
	found, err := m.service().Uninstall(ctx)
	if m.must(err); !found || m.status().Installed || exists(m.in("active")) || exists(m.in("enabled")) {
		t.Errorf("something is left: %v, %+v", found, m.status())
	}
	m.sameFiles()
	if found, err = m.service().Uninstall(ctx); found || err != nil {
		t.Errorf("again: %v, %v", found, err)
	}
}

// An engine can have its own entry taken away and goes on, supervised or not.
func TestWithdraw(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	if found, err := m.service().Withdraw(ctx); found || err != nil {
		t.Errorf("of nothing: %v, %v", found, err)
	}
	m.must(m.service().Install(ctx))
	m.must(m.service().Start(ctx))
	m.calls()
	found, err := m.service().Withdraw(ctx)
	if m.must(err); !found || !exists(m.in("active")) || exists(m.in("enabled")) || m.status().Installed {
		t.Errorf("%v, %+v", found, m.status())
	}
	if got := m.calls(); slices.Contains(got, "stop") {
		t.Errorf("the manager was asked %q", got)
	}
	m.sameFiles()
	if m.must(m.service().Stop(ctx)); exists(m.in("active")) {
		t.Error("what a withdrawn unit has left cannot be stopped")
	}
	if err := m.service().Stop(ctx); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("with nothing left: %v", err)
	}

	m = newMachine(t)
	m.make("offline")
	m.must(m.service().Install(ctx))
	lock, err := files.TakeLock(filepath.Join(m.spec.Dir, lockName)) // a supervisor is at work
	m.must(err)
	m.must(os.WriteFile(filepath.Join(m.spec.Dir, supervisorName), nil, 0o600))
	_, err = m.service().Withdraw(ctx)
	m.must(err)
	m.sameFiles("state/service/lock", "state/service/settings.json", "state/service/supervisor")
	if st := m.status(); st.Installed || !st.Active {
		t.Errorf("with a supervisor left: %+v", st)
	}
	m.must(lock.Close())
	m.must(m.service().Install(ctx))
	_, err = m.service().Withdraw(ctx)
	m.must(err)
	m.sameFiles()
}

func TestSystemdSaysWhy(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.must(m.service().Install(ctx))
	m.make("fails")
	if err := m.service().Start(ctx); err == nil || !strings.Contains(err.Error(), "systemd says failed (exit-code)") {
		t.Errorf("a start that fails: %v", err)
	}
	if st := m.status(); st.State != "failed (exit-code)" || st.Active {
		t.Errorf("after it: %+v", st)
	}
	m.must(os.Remove(m.in("fails")))
	m.must(m.service().Start(ctx))

	// A unit that is there is not replaced by another kind because the manager
	// cannot be reached from here.
	m.make("offline")
	for name, verb := range map[string]func(context.Context) error{"start": m.service().Start, "install": m.service().Install} {
		if err := verb(ctx); err == nil || !strings.Contains(err.Error(), "No medium found") {
			t.Errorf("%s without a manager: %v", name, err)
		}
	}
	if st := m.status(); !st.Installed || st.Active || !strings.Contains(st.State, "No medium found") {
		t.Errorf("without a manager: %+v", st)
	}
	m.sameFiles(unitFile)
}

func TestLinger(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	if err := m.service().Linger(ctx); !errors.Is(err, ErrNotInstalled) || exists(m.in("lingers")) {
		t.Errorf("without a service: %v", err)
	}
	m.must(m.service().Install(ctx))
	m.make("forbidden")
	if err := m.service().Linger(ctx); err == nil || !strings.Contains(err.Error(), "Access denied") {
		t.Errorf("where it is forbidden: %v", err)
	}
	m.must(os.Remove(m.in("forbidden")))
	if m.must(m.service().Linger(ctx)); !exists(m.in("lingers")) {
		t.Error("the user does not linger")
	}

	m = newMachine(t)
	m.make("offline")
	m.must(m.service().Install(ctx))
	if err := m.service().Linger(ctx); !errors.Is(err, ErrNoLinger) || exists(m.in("lingers")) {
		t.Errorf("of an autostart entry: %v", err)
	}
}

const autostartFile = ".config/autostart/vault-dispatcher.desktop"

func TestAutostartLife(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.make("offline")
	if st := m.status(); st != (Status{Kind: "autostart"}) {
		t.Errorf("before all: %+v", st)
	}
	m.must(m.service().Install(ctx))
	m.sameFiles(autostartFile, "state/service/settings.json")
	if st := m.status(); !st.Installed || !st.AtLogin || !st.Current || st.Active || st.State != "stopped" {
		t.Errorf("installed: %+v", st)
	}

	m.spec.Args = append(m.spec.Args, "--new")
	if st := m.status(); st.Current {
		t.Errorf("another command: %+v", st)
	}
	m.spec.Args = m.spec.Args[:2]

	t.Setenv(role, "supervisor") // what begin starts
	m.must(m.service().Start(ctx))
	eventually(t, "the engine runs", func() bool { return m.runs() })
	if st := m.status(); !st.Active || !strings.HasPrefix(st.State, "supervised by pid ") {
		t.Errorf("started: %+v", st)
	}
	m.must(m.service().Start(ctx))
	m.must(m.service().Stop(ctx))
	if count(m.world) != 1 || m.runs() || m.status().Active {
		t.Errorf("stopped: %+v after %d runs", m.status(), count(m.world))
	}
	m.must(m.service().Stop(ctx))

	m.must(dropFile(m.in("stop"))) // there is none where the supervisor was quicker
	ask := m.engine.Stop
	m.engine.Stop = func(ctx context.Context) error { // it ends before it has answered
		return errors.Join(ask(ctx), errors.New("connection reset by peer"))
	}
	m.must(m.service().Restart(ctx))
	eventually(t, "the engine runs again", func() bool { return m.runs() })
	found, err := m.service().Uninstall(ctx)
	if m.must(err); !found || m.runs() {
		t.Errorf("uninstalled: %v, running %v", found, m.runs())
	}
	m.sameFiles()
}

// TestAutostartEndsTheProcess holds that no process is left, not even of a supervisor
// that has nothing more to do: it may still hold its log, and Windows would not replace
// its program.
func TestAutostartEndsTheProcess(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.make("offline")
	t.Setenv(role, "supervisor")
	t.Setenv(late, "yes")
	m.must(m.service().Install(ctx))
	m.must(m.service().Start(ctx))
	eventually(t, "the engine runs", m.runs)
	text, err := os.ReadFile(filepath.Join(m.spec.Dir, supervisorName))
	m.must(err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	m.must(err)
	m.must(m.service().Stop(ctx))
	if processExists(pid) {
		t.Error("the supervisor is still there")
	}
}

// TestAutostartWithdrawnIsEnded ends what goes on after its entry was withdrawn.
func TestAutostartWithdrawnIsEnded(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.make("offline")
	t.Setenv(role, "supervisor")
	m.must(m.service().Install(ctx))
	m.must(m.service().Start(ctx))
	eventually(t, "the engine runs", m.runs)
	_, err := m.service().Withdraw(ctx)
	if m.must(err); !m.runs() || !m.status().Active {
		t.Fatalf("withdrawn: running %v, %+v", m.runs(), m.status())
	}
	found, err := m.service().Uninstall(ctx)
	if m.must(err); !found || m.runs() {
		t.Errorf("ended: %v, running %v", found, m.runs())
	}
	m.sameFiles()
	if found, err := m.service().Uninstall(ctx); found || err != nil {
		t.Errorf("of nothing: %v, %v", found, err)
	}
}

// orphaned installs, starts, and kills the supervisor.
func (m *machine) orphaned() {
	m.t.Helper()
	m.make("offline")
	m.must(m.service().Install(m.t.Context()))
	m.t.Setenv(role, "supervisor")
	m.must(m.service().Start(m.t.Context()))
	eventually(m.t, "the engine runs, and is known", func() bool { return m.runs() && exists(filepath.Join(m.spec.Dir, engineName)) })
	text, err := os.ReadFile(filepath.Join(m.spec.Dir, supervisorName))
	m.must(err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	m.must(err)
	m.must(syscall.Kill(pid, syscall.SIGKILL))
	eventually(m.t, "it is seen", func() bool { return m.status().Orphan })
	if st := m.status(); st.Active || !strings.Contains(st.State, "its supervisor was killed") {
		m.t.Errorf("without a supervisor: %+v", st)
	}
}

// TestAutostartSupervisorKilled ends an engine that outlived its supervisor.
func TestAutostartSupervisorKilled(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.orphaned()
	if _, err := m.service().Uninstall(ctx); err != nil || m.runs() {
		t.Errorf("error %v, the engine runs: %v", err, m.runs())
	}
	m.sameFiles()
}

// TestAutostartSupervisedAgain puts a supervised engine in the place of one that
// outlived its supervisor.
func TestAutostartSupervisedAgain(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.orphaned()
	stop := m.engine.Stop
	m.engine.Stop = func(ctx context.Context) error { // as an engine is, this is asked once
		m.must(stop(ctx))
		eventually(t, "the end of the engine", func() bool { return !m.runs() })
		return os.Remove(m.in("stop"))
	}
	m.must(m.service().Start(ctx))
	eventually(t, "a supervised engine", func() bool { return strings.HasPrefix(m.status().State, "supervised by pid ") })
	if st := m.status(); !st.Active || st.Orphan || count(m.world) != 2 {
		t.Errorf("started: %+v after %d runs", st, count(m.world))
	}
	m.must(m.service().Start(ctx))
	if _, err := m.service().Uninstall(ctx); err != nil || m.runs() || count(m.world) != 2 {
		t.Errorf("error %v, the engine runs: %v, after %d runs", err, m.runs(), count(m.world))
	}
	m.sameFiles()
}

// TestAutostartTracesOfTheDead takes no engine for its own because of what a
// supervisor left that ended with the machine.
func TestAutostartTracesOfTheDead(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.make("offline")
	m.must(m.service().Install(ctx))
	for _, name := range []string{supervisorName, engineName} {
		m.must(files.Write(filepath.Join(m.spec.Dir, name), []byte("999999999\n"), 0o600))
	}
	m.must(os.WriteFile(m.in("alive"), []byte("4711"), 0o600))
	if st := m.status(); st.Active || st.Orphan || !strings.Contains(st.State, "not started by this entry") {
		t.Errorf("with another engine: %+v", st)
	}
	if _, err := m.service().Uninstall(ctx); err != nil || exists(m.in("stop")) {
		t.Errorf("the other engine was asked to end (%v), error %v", exists(m.in("stop")), err)
	}
	m.sameFiles()
}

// TestAutostartGivesWay updates from one kind to another.
func TestAutostartGivesWay(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.make("offline")
	m.must(m.service().Install(ctx))
	m.must(os.Remove(m.in("offline")))
	if st := m.status(); st.Kind != "autostart" || !st.Installed {
		t.Errorf("before the update: %+v", st)
	}
	m.must(m.service().Install(ctx))
	m.sameFiles(unitFile)
	if st := m.status(); st.Kind != "systemd" || !st.Installed {
		t.Errorf("after the update: %+v", st)
	}
}

// TestAutostartLeavesOthers does not end an engine that somebody started by hand.
func TestAutostartLeavesOthers(t *testing.T) {
	m, ctx := newMachine(t), t.Context()
	m.make("offline")
	m.must(m.service().Install(ctx))
	m.make("alive")
	if st := m.status(); st.Active || !strings.Contains(st.State, "not started by this entry") {
		t.Errorf("with another engine: %+v", st)
	}
	if _, err := m.service().Uninstall(ctx); err != nil || exists(m.in("stop")) {
		t.Errorf("the other engine was asked to end (%v), error %v", exists(m.in("stop")), err)
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct {
		text, words string
		active      bool
	}{
		{"ActiveState=active\nSubState=running\nResult=success\nNRestarts=0\n", "active (running)", true},
		{"ActiveState=activating\nSubState=auto-restart\nResult=exit-code\nNRestarts=3\nExecMainStatus=1\n", "activating (exit-code, status 1), restarts: 3", true},
		{"ActiveState=failed\nSubState=failed\nResult=exit-code\nNRestarts=0\nExecMainStatus=4\n", "failed (exit-code, status 4)", false},
		{"ActiveState=inactive\r\nSubState=dead\r\nResult=success\r\n", "inactive (dead)", false},
		{"", "", false},
	} {
		p := parseShown(c.text)
		if p.stateWords() != c.words || p.isActive() != c.active {
			t.Errorf("%q is %q, active %v", c.text, p.stateWords(), p.isActive())
		}
	}
}

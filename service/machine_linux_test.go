package service

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// world is the folder of the fake service manager: `calls` is what was asked of it,
// `offline` makes it answer nobody, `fails` makes what it starts fail, `enabled`
// and `active` are the state of the unit.
const world = "SERVICE_TEST_WORLD"

// fakeSystemctl does what systemctl --user does to one unit.
func fakeSystemctl(args []string) int {
	args = slices.DeleteFunc(args, func(a string) bool { return a == "--user" || a == "--no-pager" })
	file := func(name string) string { return filepath.Join(os.Getenv(world), name) }
	if exists(file("offline")) {
		fmt.Fprintln(os.Stderr, "Failed to connect to bus: No medium found")
		return 1
	}
	unit := filepath.Join(os.Getenv("HOME"), ".config/systemd/user/vault-dispatcher.service")
	set := func(name string, on bool) int {
		if !on {
			os.Remove(file(name))
			return 0
		}
		if os.WriteFile(file(name), nil, 0o600) != nil {
			return 9
		}
		return 0
	}
	if args[0] == "show" {
		if args[1] == "--property=Version" {
			fmt.Println("Version=252")
			return 0
		}
		show(exists(file("active")), exists(file("failed")), exists(file("enabled")))
		return 0
	}
	calls, err := os.OpenFile(file("calls"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 9
	}
	fmt.Fprintln(calls, strings.Join(args, " "))
	calls.Close()
	text, err := os.ReadFile(unit)
	loaded := err == nil || args[0] == "stop" && exists(file("active")) // what runs is loaded, also without its file
	if !loaded && args[0] != "daemon-reload" && args[0] != "reset-failed" {
		return 5
	}
	switch args[0] {
	case "enable":
		return set("enabled", strings.Contains(string(text), "\nWantedBy=default.target\n"))
	case "disable":
		return set("enabled", false)
	case "start":
		if exists(file("fails")) {
			set("failed", true)
			return 1
		}
		return set("active", true)
	case "stop":
		return set("active", false)
	case "reset-failed":
		return set("failed", false)
	case "daemon-reload":
		return 0
	}
	return 9
}

// fakeLoginctl lets a user linger, where that is allowed.
func fakeLoginctl(args []string) int {
	file := func(name string) string { return filepath.Join(os.Getenv(world), name) }
	if exists(file("forbidden")) {
		fmt.Fprintln(os.Stderr, "Could not enable linger: Access denied")
		return 1
	}
	if !slices.Equal(args, []string{"enable-linger"}) || os.WriteFile(file("lingers"), nil, 0o600) != nil {
		return 9
	}
	return 0
}

func show(active, failed, enabled bool) {
	state, sub, result, file := "inactive", "dead", "success", "disabled"
	if active {
		state, sub = "active", "running"
	}
	if failed {
		state, sub, result = "failed", "failed", "exit-code"
	}
	if enabled {
		file = "enabled"
	}
	fmt.Printf("ActiveState=%s\nSubState=%s\nResult=%s\nNRestarts=0\nExecMainStatus=0\nUnitFileState=%s\n", state, sub, result, file)
}

// machine is a home with a fake systemctl as the only program of its PATH.
type machine struct {
	t           *testing.T
	home, world string
	spec        Spec
	engine      Engine
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	m := &machine{t: t, home: filepath.Join(top, "home"), world: filepath.Join(top, "world")}
	bin := filepath.Join(top, "bin")
	for _, dir := range []string{m.home, m.world, bin} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"systemctl", "loginctl"} {
		if err := os.Symlink(program, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{"HOME": m.home, "PATH": bin, world: m.world, "XDG_CONFIG_HOME": "", role: ""} {
		t.Setenv(name, value)
	}
	m.spec = Spec{
		Name: "vault-dispatcher", Title: "Vault Dispatcher", Program: program, Args: []string{m.world, "stay"}, Supervisor: []string{"service", "run"},
		Env: map[string]string{role: "engine"}, Final: []int{4}, Dir: filepath.Join(m.home, "state", "service"),
	}
	m.engine = Engine{
		Running: func(context.Context) (int, bool) {
			text, err := os.ReadFile(m.in("alive"))
			pid, _ := strconv.Atoi(string(text)) // none: one that does not say
			return pid, err == nil
		},
		Stop: func(context.Context) error { return os.WriteFile(m.in("stop"), nil, 0o600) },
	}
	return m
}

func (m *machine) runs() bool {
	_, running := m.engine.Running(m.t.Context())
	return running
}

func (m *machine) in(name string) string { return filepath.Join(m.world, name) }

func (m *machine) make(name string) {
	m.t.Helper()
	if err := os.WriteFile(m.in(name), nil, 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// service is the service as a program that has just started sees it.
func (m *machine) service() *Service {
	m.t.Helper()
	s, err := New(m.t.Context(), m.spec, m.engine)
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

func (m *machine) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) status() Status {
	m.t.Helper()
	st, err := m.service().Status(m.t.Context())
	m.must(err)
	return st
}

// calls are the verbs asked of the manager since the last look.
func (m *machine) calls() []string {
	m.t.Helper()
	text, err := os.ReadFile(m.in("calls"))
	m.must(err)
	m.must(os.Remove(m.in("calls")))
	var verbs []string
	for line := range strings.Lines(string(text)) {
		verb, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		verbs = append(verbs, verb)
	}
	return verbs
}

// files are all files of the home.
func (m *machine) files() []string {
	m.t.Helper()
	var found []string
	m.must(filepath.WalkDir(m.home, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, strings.TrimPrefix(name, m.home+"/"))
		}
		return err
	}))
	return found
}

func (m *machine) sameFiles(want ...string) {
	m.t.Helper()
	if got := m.files(); !slices.Equal(got, want) {
		m.t.Errorf("the home holds %q, not %q", got, want)
	}
}

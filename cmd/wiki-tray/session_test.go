//go:build desktop && linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// patience is how long anything may take on a busy machine.
const patience = 2 * time.Minute

// session is a desktop session of its own: a home, a bus and the programs, of which
// opening a link only notes the link down.
type session struct {
	t    *testing.T
	home string
	bin  string
	env  []string
	bus  *exec.Cmd
	conn *dbus.Conn
}

// programs are the folder of wiki and wiki-tray, built by .ci/desktop.
func programs(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("WIKI_PROGRAMS")
	for _, name := range []string{"wiki", "wiki-tray"} {
		if _, err := os.Stat(filepath.Join(dir, name)); dir == "" || err != nil {
			t.Fatalf("run this by .ci/desktop: %q holds no program %s", dir, name)
		}
	}
	return dir
}

func newSession(t *testing.T) *session {
	t.Helper()
	s := &session{t: t, home: t.TempDir(), bin: programs(t)}
	tools := filepath.Join(s.home, "tools")
	s.must(os.Mkdir(tools, 0o700))
	s.tool("xdg-open", `printf '%s\n' "$1" >>"$HOME/opened"`)
	dir, err := os.MkdirTemp("", "bus") // dbus-daemon takes 99 bytes: https://gitlab.freedesktop.org/dbus/dbus/-/blob/dbus-1.14.10/dbus/dbus-sysdeps.h
	s.must(err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	address := "unix:path=" + filepath.Join(dir, "bus")
	s.env = []string{
		"HOME=" + s.home, "PATH=" + tools + ":" + os.Getenv("PATH"), "DBUS_SESSION_BUS_ADDRESS=" + address,
		"XDG_CONFIG_HOME=" + filepath.Join(s.home, ".config"), "XDG_STATE_HOME=" + filepath.Join(s.home, ".state"),
		"XDG_CACHE_HOME=" + filepath.Join(s.home, ".cache"), "TMPDIR=" + os.Getenv("TMPDIR"), "DISPLAY=:none",
	}
	s.bus = exec.Command("dbus-daemon", "--session", "--nofork", "--nopidfile", "--address="+address)
	s.bus.Env = s.env // what it starts for others must find this home
	s.bus.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.must(s.bus.Start())
	t.Cleanup(func() { s.bus.Process.Kill(); s.bus.Wait() })
	eventually(t, "the bus is up", func() bool {
		conn, err := dbus.Connect(address)
		s.conn = conn
		return err == nil
	})
	t.Cleanup(func() { s.conn.Close() })
	return s
}

// tool makes a program of the desktop's, in place of the one there was.
func (s *session) tool(name, script string) {
	s.t.Helper()
	file := filepath.Join(s.home, "tools", name)
	s.must(os.WriteFile(file+".new", []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	s.must(os.Rename(file+".new", file))
}

func (s *session) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// program is one that was started, with what it has said.
type program struct {
	*exec.Cmd
	mu   sync.Mutex // guards said
	said bytes.Buffer
	end  chan error
}

func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.Write(b)
}

func (p *program) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// start runs one of our programs until the test ends.
func (s *session) start(name string, args ...string) *program {
	s.t.Helper()
	p := &program{Cmd: exec.Command(filepath.Join(s.bin, name), args...), end: make(chan error, 1)}
	p.Env, p.Dir, p.Stdout, p.Stderr = s.env, s.home, p, p
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.must(p.Start())
	go func() { p.end <- p.Wait() }()
	s.t.Cleanup(func() {
		p.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-p.end:
			p.end <- err
		case <-time.After(patience):
			p.Process.Kill()
			s.t.Errorf("%s did not end: %s", name, p.output())
		}
		if s.t.Failed() {
			s.t.Logf("%s said:\n%s", name, p.output())
		}
	})
	return p
}

// status waits for a program that ends by itself.
func (p *program) status(t *testing.T) int {
	t.Helper()
	select {
	case err := <-p.end:
		p.end <- err
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return exit.ExitCode()
		}
		return 0
	case <-time.After(patience):
		t.Fatalf("it does not end; it said:\n%s", p.output())
		return -1
	}
}

// client asks the engine of this session.
func (s *session) client() *client.Client {
	cfg := &settings{path: filepath.Join(s.home, "none.yaml"), file: filepath.Join(s.home, "none.yaml")}
	return cfg.newClient(filepath.Join(s.home, ".state", "vault-dispatcher"))
}

func (s *session) status() (api.Status, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	return s.client().Status(ctx)
}

// vault makes a folder of notes with a sentence to find.
func (s *session) vault(name string) string {
	s.t.Helper()
	dir := filepath.Join(s.home, name)
	s.must(os.MkdirAll(dir, 0o700))
	s.must(os.WriteFile(filepath.Join(dir, "Backups.md"), []byte("# Backups\n\nWe decided to save the server to the NAS every night.\n"), 0o600))
	return dir
}

// engine starts an engine on vaults and waits until it watches them.
func (s *session) engine(vaults ...string) *program {
	s.t.Helper()
	args := []string{"run", "--port", "0"}
	for _, dir := range vaults {
		args = append(args, "--vault", dir)
	}
	p := s.start("wiki", args...)
	eventually(s.t, "the engine watches", func() bool {
		st, err := s.status()
		return err == nil && len(st.Vaults) == len(vaults) && st.PID == p.Process.Pid && st.Vaults[0].State == "watching"
	})
	return p
}

// host is the part of a panel that icons register with.
type host struct {
	conn  *dbus.Conn
	items chan string // the names of those that registered
}

func (h *host) RegisterStatusNotifierItem(item string, from dbus.Sender) *dbus.Error {
	h.items <- string(from)
	return nil
}

func (s *session) host() *host {
	s.t.Helper()
	conn, err := dbus.Connect(strings.TrimPrefix(s.env[2], "DBUS_SESSION_BUS_ADDRESS="))
	s.must(err)
	s.t.Cleanup(func() { conn.Close() })
	h := &host{conn, make(chan string, 16)}
	s.must(conn.Export(h, "/StatusNotifierWatcher", "org.kde.StatusNotifierWatcher"))
	_, err = conn.RequestName("org.kde.StatusNotifierWatcher", dbus.NameFlagDoNotQueue)
	s.must(err)
	return h
}

// registered waits for an icon.
func (h *host) registered(t *testing.T) {
	t.Helper()
	select {
	case <-h.items:
	case <-time.After(patience):
		t.Fatal("no icon has registered")
	}
}

// icon is the tray as a panel sees it.
type icon struct {
	s    *session
	name string
}

func (s *session) tray(args ...string) (*program, *icon) {
	s.t.Helper()
	p := s.start("wiki-tray", args...)
	i := &icon{s, fmt.Sprintf("org.kde.StatusNotifierItem-%d-1", p.Process.Pid)}
	eventually(s.t, "the tray has its menu", func() bool { return len(i.lines()) > 10 })
	return p, i
}

// line is a line of the menu.
type line struct {
	id       int32
	label    string
	checked  bool
	disabled bool
	hidden   bool
	parent   string
}

type layout struct {
	ID         int32
	Properties map[string]dbus.Variant
	Children   []dbus.Variant
}

func (i *icon) lines() []line {
	var revision uint32
	var top layout
	menu := i.s.conn.Object(i.name, "/StatusNotifierItem/menu")
	if menu.Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &top) != nil {
		return nil
	}
	var all []line
	var walk func(l layout, parent string)
	walk = func(l layout, parent string) {
		now := line{id: l.ID, parent: parent}
		now.label, _ = l.Properties["label"].Value().(string)
		state, _ := l.Properties["toggle-state"].Value().(int32)
		now.checked = state == 1
		enabled, there := l.Properties["enabled"].Value().(bool)
		now.disabled = there && !enabled
		visible, there := l.Properties["visible"].Value().(bool)
		now.hidden = there && !visible
		all = append(all, now)
		for _, child := range l.Children {
			var c layout
			if dbus.Store([]any{child.Value()}, &c) == nil {
				walk(c, now.label)
			}
		}
	}
	walk(top, "")
	return all
}

// find returns the visible line of a label.
func (i *icon) find(label string) (line, bool) {
	for _, l := range i.lines() {
		if l.label == label && !l.hidden {
			return l, true
		}
	}
	return line{}, false
}

// shows waits for a visible line with this label.
func (i *icon) shows(label string, is func(line) bool) {
	i.s.t.Helper()
	end := time.Now().Add(patience)
	for {
		if l, ok := i.find(label); ok && (is == nil || is(l)) {
			return
		}
		if time.Now().After(end) {
			i.s.t.Fatalf("the menu shows no such %q: %+v", label, i.lines())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// click waits for a line that can be clicked, and clicks it once.
func (i *icon) click(label string) {
	i.s.t.Helper()
	i.s.must(i.event(label))
}

// quit ends the tray, which may be gone before it has answered the click.
func (i *icon) quit() {
	i.s.t.Helper()
	if err := i.event("Quit tray"); err != nil {
		var gone dbus.Error
		if !errors.As(err, &gone) || gone.Name != "org.freedesktop.DBus.Error.NoReply" {
			i.s.t.Fatal(err)
		}
	}
}

func (i *icon) event(label string) error {
	i.s.t.Helper()
	i.shows(label, func(l line) bool { return !l.disabled })
	l, _ := i.find(label)
	menu := i.s.conn.Object(i.name, "/StatusNotifierItem/menu")
	return menu.Call("com.canonical.dbusmenu.Event", 0, l.id, "clicked", dbus.MakeVariant(""), uint32(0)).Err
}

// picture is the icon's own image, to tell one state from another.
func (i *icon) picture() string {
	v, err := i.s.conn.Object(i.name, "/StatusNotifierItem").GetProperty("org.kde.StatusNotifierItem.IconPixmap")
	if err != nil {
		return ""
	}
	return v.String()
}

func (i *icon) property(name string) string {
	v, err := i.s.conn.Object(i.name, "/StatusNotifierItem").GetProperty("org.kde.StatusNotifierItem." + name)
	if err != nil {
		return ""
	}
	return v.String()
}

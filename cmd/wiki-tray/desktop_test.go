//go:build desktop && linux

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// The program itself on a session bus of its own, beside a real engine; nobody sees
// it. Run by .ci/desktop.

func TestTheWholeTray(t *testing.T) {
	s := newSession(t)
	h := s.host()
	notes, work := s.vault("my_notes_2026"), s.vault("Work")
	engine := s.engine(notes, work)
	_, icon := s.tray()
	h.registered(t)
	icon.shows("Watching 2 vaults", nil)
	icon.shows("my__notes__2026", nil) // an underscore alone would make a shortcut of the n
	if id := icon.property("Id"); id != `"Vault Dispatcher"` {
		t.Errorf("the panel knows it as %s", id)
	}
	if tip := icon.property("ToolTip"); !strings.Contains(tip, "Watching 2 vaults") || !strings.Contains(tip, "my_notes_2026: watching") {
		t.Errorf("the tooltip is %s", tip)
	}
	pictures := map[string]string{icon.picture(): "idle"}
	another := func(state string) {
		t.Helper()
		eventually(t, "another icon: "+state, func() bool { p := icon.picture(); return p != "" && pictures[p] == "" })
		pictures[icon.picture()] = state
	}
	watching := func(want bool) {
		t.Helper()
		eventually(t, "the engine watches, or not", func() bool {
			st, err := s.status()
			return err == nil && st.Watcher.Running == want
		})
		icon.shows("Watch vaults", func(l line) bool { return l.checked == want })
	}

	icon.click("Watch vaults")
	watching(false)
	icon.shows("Not watching", nil)
	another("paused")
	icon.click("Watch vaults")
	watching(true)
	icon.click("Pause for an hour")
	watching(false)
	icon.click("Watch again")
	watching(true)

	// The engine tells of its vaults a moment later than of the watcher; a click on one
	// that is still shown as paused would start it.
	icon.shows("Work", func(l line) bool { return l.checked })
	icon.click("Work")
	eventually(t, "one vault is paused", func() bool {
		st, err := s.status()
		return err == nil && st.Vaults[0].State == "watching" && st.Vaults[1].State == "paused"
	})
	icon.shows("Watching 1 vault", nil)

	s.must(engine.Process.Kill())
	icon.shows("The engine is not running", nil)
	icon.shows("Watch vaults", func(l line) bool { return l.disabled })
	another("offline")
	s.engine(notes)
	icon.shows("Watching 1 vault", nil)
	eventually(t, "the icon of an idle engine", func() bool { return pictures[icon.picture()] == "idle" })

	s.must(h.conn.Close()) // the panel goes, and comes again
	s.host().registered(t)
	icon.shows("Watching 1 vault", nil)
}

// The engine is started and stopped from the menu, and goes on when the tray is quit.
func TestEngineFromTheMenu(t *testing.T) {
	s := newSession(t)
	h := s.host()
	s.configure("wiki:\n  httpPort: " + strconv.Itoa(freePort(t)) + "\n  vaults: [" + s.vault("Notes") + "]\n")
	tray, icon := s.tray()
	h.registered(t)
	icon.click("Start the engine")
	icon.shows("Watching 1 vault", nil)
	first, err := s.status()
	s.must(err)
	icon.click("Restart")
	eventually(t, "another engine answers", func() bool {
		st, err := s.status()
		return err == nil && st.PID != first.PID
	})
	icon.shows("Watching 1 vault", nil)
	icon.shows("Stop", func(l line) bool { return !l.disabled })

	icon.click("Start at login")
	icon.shows("Start at login", func(l line) bool { return l.checked && !l.disabled })
	for _, entry := range []string{"vault-dispatcher.desktop", "vault-dispatcher-tray.desktop"} {
		if _, err := os.Stat(filepath.Join(s.home, ".config", "autostart", entry)); err != nil {
			t.Error(err)
		}
	}
	icon.click("Start at login")
	icon.shows("Start at login", func(l line) bool { return !l.checked && !l.disabled })
	if left, err := filepath.Glob(filepath.Join(s.home, ".config", "autostart", "*")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	icon.shows("Watching 1 vault", nil) // it did not end who works

	icon.quit()
	if got := tray.status(t); got != exitOK {
		t.Errorf("quit with %d", got)
	}
	_, err = s.status()
	s.must(err)
	_, again := s.tray()
	again.click("Stop")
	again.shows("The engine is not running", nil)
	eventually(t, "the engine has ended", func() bool { _, err := s.status(); return err != nil })
}

// configure writes the configuration.
func (s *session) configure(text string) {
	s.t.Helper()
	dir := filepath.Join(s.home, ".config", "vault-dispatcher")
	s.must(os.MkdirAll(dir, 0o700))
	s.must(os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(text), 0o600))
}

// freePort is a port nobody has at this moment, and that Linux gives to nobody by
// itself: it begins at 32768.
func freePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 12_000 + rand.IntN(20_000)
		if ln, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			ln.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// Setup is a page in the browser, for which an engine is started if none runs. Where
// no browser is found it is the wizard in a terminal, of the same configuration.
func TestSetupFromTheMenu(t *testing.T) {
	s := newSession(t)
	s.host()
	file := filepath.Join(s.home, "my own.yaml")
	s.must(os.WriteFile(file, []byte("wiki:\n  httpPort: "+strconv.Itoa(freePort(t))+"\n"), 0o600))
	_, icon := s.tray("--config", file)
	icon.shows("The engine is not running", nil)
	icon.click("Setup…")
	s.opened("http://127.0.0.1:")
	icon.shows("No folder of notes yet", nil)

	s.tool("xdg-open", "exit 3")
	s.tool("x-terminal-emulator", `printf '%s\n' "$@" >"$HOME/terminal.new"; mv "$HOME/terminal.new" "$HOME/terminal"`)
	want := strings.Join([]string{"-e", filepath.Join(s.bin, "wiki"), "--config", file, "setup", ""}, "\n")
	var clicked time.Time
	eventually(t, "a terminal with the wizard", func() bool {
		if time.Since(clicked) > 10*time.Second { // a browser that fails late is taken for one
			icon.click("Setup…")
			clicked = time.Now()
		}
		text, err := os.ReadFile(filepath.Join(s.home, "terminal"))
		return err == nil && string(text) == want
	})
	icon.click("Stop")
	icon.shows("The engine is not running", nil)
}

func TestStrangerOnThePort(t *testing.T) {
	s := newSession(t)
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	s.must(err)
	defer ln.Close()
	go http.Serve(ln, http.NotFoundHandler()) // ends with its listener
	s.configure("wiki:\n  httpPort: " + strconv.Itoa(ln.Addr().(*net.TCPAddr).Port) + "\n")
	_, icon := s.tray() // nobody shows it, and it works all the same
	icon.shows("Another program has the engine's port", nil)
	icon.shows("Dashboard", func(l line) bool { return l.disabled })
	icon.click("Choose another port (wiki.httpPort)…")
	s.opened("file://" + filepath.Join(s.home, ".config/vault-dispatcher/config.yaml"))
	s.host().registered(t) // a panel that comes late
}

// Without a configuration there is none to change: setup makes one, with another port.
func TestStrangerAndNoConfiguration(t *testing.T) {
	s := newSession(t)
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	s.must(err)
	defer ln.Close()
	go http.Serve(ln, http.NotFoundHandler()) // ends with its listener
	s.set("WIKI_HTTPPORT=" + strconv.Itoa(ln.Addr().(*net.TCPAddr).Port))
	s.tool("x-terminal-emulator", `printf '%s ' "$@" >"$HOME/terminal.new"; mv "$HOME/terminal.new" "$HOME/terminal"`)
	_, icon := s.tray()
	icon.shows("Another program has the engine's port", nil)
	icon.click("Choose another port (wiki.httpPort)…")
	var port int
	eventually(t, "a terminal with the wizard", func() bool {
		text, err := os.ReadFile(filepath.Join(s.home, "terminal"))
		if err != nil {
			return false
		}
		_, err = fmt.Sscanf(strings.TrimPrefix(string(text), "-e "+filepath.Join(s.bin, "wiki")), " setup --port %d ", &port)
		return err == nil
	})
	if port <= 11435 || port > 11600 {
		t.Errorf("port %d", port)
	}
}

// opened waits until the desktop was asked for a link that begins so.
func (s *session) opened(prefix string) {
	s.t.Helper()
	eventually(s.t, "the desktop opens "+prefix, func() bool {
		text, err := os.ReadFile(filepath.Join(s.home, "opened"))
		return err == nil && strings.Contains("\n"+string(text), "\n"+prefix)
	})
}

// bubbles is the notification service of the session.
type bubbles struct {
	shown chan bubble
	id    uint32 // of all its bubbles, as if it were started again before each
}

type bubble struct{ icon, title, body string }

func (b *bubbles) GetCapabilities() ([]string, *dbus.Error) {
	return []string{"actions", "body", "body-markup"}, nil
}

func (b *bubbles) Notify(_ string, _ uint32, icon, title, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	b.shown <- bubble{icon, title, body}
	return b.id, nil
}

// An answer is told once, and a click on it opens the note in Obsidian, of which the
// vault is one.
func TestNotification(t *testing.T) {
	s := newSession(t)
	s.host()
	b := &bubbles{make(chan bubble, 16), 7}
	s.must(s.conn.Export(b, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"))
	_, err := s.conn.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue)
	s.must(err)
	dir := s.vault("Notes")
	s.must(os.Mkdir(filepath.Join(dir, ".obsidian"), 0o700))
	s.engine(dir)
	_, icon := s.tray()
	icon.shows("Watching 1 vault", nil)
	// The tray takes note of a bubble after its service has answered, so a click is
	// repeated until it is heard.
	opens := func(name string) {
		t.Helper()
		link := "obsidian://open?path=" + strings.ReplaceAll(strings.ReplaceAll(filepath.Join(dir, name), "/", "%2F"), "+", "%2B")
		eventually(t, "a click on the bubble opens the note", func() bool {
			s.must(s.conn.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked", b.id, "default"))
			text, err := os.ReadFile(filepath.Join(s.home, "opened"))
			return err == nil && strings.Contains(string(text), link)
		})
	}
	s.must(os.WriteFile(filepath.Join(dir, "To day.md"), []byte("> @agent-Miner what's with the \"server\" & <NAS>?\n"), 0o600))
	got := <-b.shown
	if got.icon != "vault-dispatcher" || got.title != "Answered in To day" || got.body != "We decided to save the server to the NAS every night.\nwhat's with the \"server\" &amp; &lt;NAS&gt;?" {
		t.Errorf("%+v", got)
	}
	icon.shows("✓ To day: what's with the \"server\" & <NAS>?", nil)
	opens("To%20day.md")
	s.must(os.WriteFile(filepath.Join(dir, "Later.md"), []byte("> @agent-Miner what did we decide about the server?\n"), 0o600))
	if got := <-b.shown; got.title != "Answered in Later" {
		t.Errorf("%+v", got)
	}
	opens("Later.md")
	icon.click("Dashboard")
	s.opened("http://127.0.0.1:")
	if len(b.shown) != 0 {
		t.Errorf("told again: %+v", <-b.shown)
	}
}

func TestNoSession(t *testing.T) {
	s := newSession(t)
	with := s.env
	for _, address := range []string{"unix:path=" + filepath.Join(s.home, "nothing"), ""} {
		s.env = append(append([]string{}, with...), "DBUS_SESSION_BUS_ADDRESS="+address, "XDG_RUNTIME_DIR="+filepath.Join(s.home, "none"))
		p := s.start("wiki-tray")
		if got := p.status(t); got != exitNoDesktop || strings.Count(p.output(), "wiki-tray: there is no desktop session") != 1 || strings.Contains(p.output(), "panic") {
			t.Errorf("status %d, %q", got, p.output())
		}
	}
}

// The session's end is the tray's.
func TestSessionEnds(t *testing.T) {
	s := newSession(t)
	s.host()
	p, _ := s.tray()
	s.must(s.bus.Process.Kill())
	if got := p.status(t); got != exitNoDesktop {
		t.Errorf("status %d: %s", got, p.output())
	}
}

// A user has one tray; another says so and is content.
func TestOneTray(t *testing.T) {
	s := newSession(t)
	s.host()
	s.tray()
	p := s.start("wiki-tray")
	if got := p.status(t); got != exitOK || p.output() != "wiki-tray: the tray is running already\n" {
		t.Errorf("status %d: %q", got, p.output())
	}
}

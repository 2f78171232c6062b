package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"
)

// screen is a program on a pseudo terminal.
type screen struct {
	t    *testing.T
	home string
	pty  *os.File
	cmd  *exec.Cmd

	mu   sync.Mutex // guards text and form
	text bytes.Buffer
	form vt10x.Terminal // what a person sees of it
	from int            // what was found up to here is not found again
}

// onScreen starts wiki with a home of its own and a terminal.
func onScreen(t *testing.T, home string, args ...string) *screen {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	return onScreenOf(t, home, unix.Winsize{Row: 50, Col: 120}, fmt.Sprintf("WIKI_HTTPPORT=%d", port), args...)
}

// onScreenOf is onScreen with a size of the terminal, and with one more variable.
func onScreenOf(t *testing.T, home string, size unix.Winsize, variable string, args ...string) *screen {
	t.Helper()
	pty, tty := openTerminal(t, size)
	defer tty.Close()
	programs := filepath.Join(home, "bin") // with a tray, so that it is asked about everywhere
	if err := errors.Join(os.MkdirAll(programs, 0o755), os.WriteFile(filepath.Join(programs, "wiki-tray"), []byte("#!/bin/sh\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	races := filepath.Join(t.TempDir(), "race")
	s := &screen{t: t, home: home, pty: pty, cmd: exec.Command("wiki", args...), form: vt10x.New(vt10x.WithSize(int(size.Col), int(size.Row)))}
	s.cmd.Env = []string{"HOME=" + home, "PATH=" + programs + ":" + os.Getenv("PATH"), "TERM=xterm-256color",
		"GORACE=atexit_sleep_ms=0 exitcode=0 log_path=" + races,
		variable, "WIKI_SETTLE=0", "WIKI_DEBOUNCE=100ms", "TMPDIR=" + os.TempDir(),
		"SSH_CONNECTION=1"} // the clipboard of this machine is not the test's
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.cmd.Process.Kill() // it has ended, if the test has passed
		pty.Close()
		watched(t, races)
	})
	go s.read()
	return s
}

// watched fails for each data race that was reported. One is not ours: bubbletea waits
// half a second for the reader of its input and closes it then (tty.go,
// waitForReadLoop), which on a busy machine is while it still reads.
func watched(t *testing.T, log string) {
	t.Helper()
	reports, err := filepath.Glob(log + ".*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range reports {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, report := range strings.Split(string(text), "==================\n") {
			if strings.Contains(report, "DATA RACE") && !strings.Contains(report, "cancelreader.") {
				t.Error(report)
			}
		}
	}
}

// openTerminal makes a pseudo terminal: the side of the person, and the program's.
func openTerminal(t *testing.T, size unix.Winsize) (pty, tty *os.File) {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(pty.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(pty.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(pty.Fd()), unix.TIOCSWINSZ, &size)
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pty, tty
}

func (s *screen) read() {
	buf := make([]byte, 4096)
	for {
		n, err := s.pty.Read(buf)
		s.mu.Lock()
		s.text.Write(buf[:n])
		s.form.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

var (
	escapes = regexp.MustCompile(`\x1b(\[[0-9;?<>=]*[A-Za-z]|\][^\x07\x1b]*(\x07|\x1b\\)|[=>()][B0]?|P[^\x1b]*\x1b\\)`)
	moves   = regexp.MustCompile(`\x1b\[[0-9;]*[CHd]`)
)

// shown is what was printed, without colours.
func (s *screen) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return escapes.ReplaceAllString(moves.ReplaceAllString(s.text.String(), " "), "")
}

// sees waits for a text that was not seen before.
func (s *screen) sees(text string) {
	s.t.Helper()
	s.awaits(s.shown, func(shown string) bool {
		i := strings.Index(shown[min(s.from, len(shown)):], text)
		if i >= 0 {
			s.from += i + len(text)
		}
		return i >= 0
	}, text)
}

// displays waits until texts stand on the screen. A form draws only what differs from the frame before,
// so that what is printed for one depends on which frames there were.
func (s *screen) displays(texts ...string) {
	s.t.Helper()
	s.awaits(func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.form.String()
	}, func(shown string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(shown, text) })
	}, texts...)
}

// awaits looks again and again until texts are there.
func (s *screen) awaits(look func() string, there func(shown string) bool, texts ...string) {
	s.t.Helper()
	for end := time.Now().Add(scriptPatience); ; time.Sleep(20 * time.Millisecond) {
		shown := look()
		if there(shown) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("not all of %q is shown in\n%s", texts, shown)
		}
	}
}

func (s *screen) types(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for the end of the program.
func (s *screen) ends(status int) {
	s.t.Helper()
	err := s.cmd.Wait()
	if got := s.cmd.ProcessState.ExitCode(); got != status {
		s.t.Errorf("it ended with status %d (%v) and not %d:\n%s", got, err, status, s.shown())
	}
}

// copied is what the terminal was asked to put on its clipboard.
func (s *screen) copied() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, rest, _ := strings.Cut(s.text.String(), "\x1b]52;c;")
	coded, _, _ := strings.Cut(rest, "\a")
	text, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (s *screen) trayEntry() string {
	return filepath.Join(s.home, ".config", "autostart", "vault-dispatcher-tray.desktop")
}

func newHome(t *testing.T, folders ...string) string {
	t.Helper()
	home := t.TempDir()
	for _, dir := range folders {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func (s *screen) config() string {
	text, err := os.ReadFile(filepath.Join(s.home, ".config", "vault-dispatcher", "config.yaml"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// The questions line by line, as a screen reader or a plain terminal wants them.
func TestWizardLineByLine(t *testing.T) {
	home := newHome(t, "Notes/.obsidian", "Work", ".config/obsidian")
	registry := fmt.Sprintf(`{"vaults": {"1": {"path": %q, "open": true}, "2": {"path": %q}}}`, filepath.Join(home, "Notes"), filepath.Join(home, "Work"))
	if err := os.WriteFile(filepath.Join(home, ".config/obsidian/obsidian.json"), []byte(registry), 0o600); err != nil {
		t.Fatal(err)
	}
	s := onScreen(t, home, "setup", "--plain", "--no-service")
	s.sees("5 steps")
	s.sees("1 of 5: Which folders hold your notes?")
	s.sees("~/Notes")
	s.sees("Enter a number")
	s.types("2\n") // Work as well
	s.sees("Enter a number")
	s.types("0\n")
	s.sees("Another folder of notes")
	s.types("~/nowhere\n")
	s.sees("there is no folder")
	s.types("\n")
	s.sees("Who answers your questions?")
	s.sees("the built-in Miner")
	s.sees("claude")
	s.sees("Enter a number")
	s.types("1\n")
	s.sees("How should your notes be searched?")
	s.sees("Enter a number")
	s.types("3\n") // a server
	s.sees("Which embedding model?")
	s.types("m\n")
	s.sees("is sent there")
	s.sees("At which address?")
	s.types("\n")
	s.sees("openai needs the address")
	s.types("http://127.0.0.1:1\n")
	s.sees("Show an icon in the panel at each login?")
	s.types("y\n")
	s.sees("Put our plugin into Obsidian?") // it needs no line
	s.types("y\n")
	s.sees("meaning    openai m at http://127.0.0.1:1")
	s.sees("service    no")
	s.sees("tray       starts when you log in")
	s.sees("obsidian   gets our plugin")
	s.sees("Write this and see a first answer?")
	s.types("y\n")
	s.sees("is written")
	s.sees("switch it on in Obsidian")
	s.sees("a question in a note of setup's own was answered")
	s.ends(0)
	for _, want := range []string{"~/Notes", "~/Work", "provider: openai", "model: m", "http://127.0.0.1:1"} {
		if !strings.Contains(s.config(), want) {
			t.Errorf("%s is not in\n%s", want, s.config())
		}
	}
	if got := s.copied(); got != "" {
		t.Errorf("%q was copied, and the plugin needs no line", got)
	}

	for _, file := range []string{s.trayEntry(), filepath.Join(home, "Notes/.obsidian/plugins/vault-dispatcher/main.js")} {
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}

	// Once more: what is set is shown, and leaving changes nothing.
	before := s.config()
	s = onScreen(t, home, "setup", "--plain", "--no-service")
	s.sees("config.yaml")
	s.sees("tray       starts when you log in")
	s.sees("Leave")
	s.sees("Enter a number")
	s.types("3\n")
	s.sees("nothing was changed")
	s.ends(1)
	if s.config() != before {
		t.Errorf("it became\n%s", s.config())
	}
}

// Who goes away, by Ctrl-D or Ctrl-C, changes nothing.
func TestWizardLeft(t *testing.T) {
	for name, key := range map[string]string{"end of input": "\x04", "interrupt": "\x03"} {
		for _, mode := range []string{"--plain=true", "--plain=false"} {
			if mode == "--plain=false" && key == "\x04" {
				continue // no key there
			}
			t.Run(name+mode, func(t *testing.T) {
				s := onScreen(t, newHome(t, "Notes"), "setup", "--no-service", mode)
				s.sees("Which folder holds your notes")
				s.types(key)
				s.sees("nothing was changed")
				s.ends(1)
				if !strings.Contains(s.config(), "no such file") {
					t.Errorf("there is a configuration:\n%s", s.config())
				}
			})
		}
	}
}

// The questions as a form, with each kind of them.
func TestWizard(t *testing.T) {
	home := newHome(t, "Notes/.obsidian", "Work", ".config/obsidian")
	registry := fmt.Sprintf(`{"vaults": {"1": {"path": %q, "open": true}}}`, filepath.Join(home, "Notes"))
	if err := os.WriteFile(filepath.Join(home, ".config/obsidian/obsidian.json"), []byte(registry), 0o600); err != nil {
		t.Fatal(err)
	}
	s := onScreen(t, home, "setup", "--no-service")
	s.displays("Which folders hold your notes?", "~/Notes")
	s.types("\r")
	s.displays("Another folder of notes")
	s.types("~/Work\r")
	s.displays("Who answers your questions?", "the built-in Miner", "claude")
	s.types("\r")
	s.displays("by words and links only")
	s.types("\r")
	s.displays("Show an icon in the panel at each login?")
	s.types("n")
	s.displays("Put our plugin into Obsidian?")
	s.types("n") // so its saves are to be reported by a line
	s.displays("Copy the line for your note app?", " notify")
	s.types("y")
	s.displays("Write this and see a first answer?", "service    no", "obsidian   no", "clipboard  gets the line")
	s.types("y")
	s.sees("written") // behind a path that may fill the line
	s.sees("a question in a note of setup's own was answered")
	s.ends(0)
	if got := s.copied(); !strings.HasSuffix(got, " notify {{event_file_path:absolute}}") {
		t.Errorf("%q was copied", got)
	}
	if _, err := os.Stat(s.trayEntry()); err == nil {
		t.Error("the tray starts at login, and nobody wanted it")
	}
	for _, want := range []string{"~/Notes", "~/Work"} {
		if !strings.Contains(s.config(), want) {
			t.Errorf("%s is not in\n%s", want, s.config())
		}
	}
}

// A port that another program has is told of before anything else is asked, with one
// that is free.
func TestWizardOffersFreePort(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	home := newHome(t, "Notes", ".config/vault-dispatcher")
	taken := other.Listener.Addr().(*net.TCPAddr).Port
	settings := fmt.Sprintf("wiki:\n  vaults: [~/Notes]\n  httpPort: %d\n", taken)
	if err := os.WriteFile(filepath.Join(home, ".config/vault-dispatcher/config.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	s := onScreenOf(t, home, unix.Winsize{Row: 50, Col: 120}, "LANG=C.UTF-8", "setup", "--plain", "--no-service")
	s.sees("6 steps")
	s.sees("What do you want to do?")
	s.types("1\n")
	s.sees(fmt.Sprintf("port %d", taken))
	s.sees("1 of 6: Use port ")
	s.types("y\n")
	s.sees("2 of 6: ")
	s.types("\x03")
	s.ends(1)
}

// A port that was said and is taken is told before all other questions are answered in vain.
func TestWizardOffersFreePortForTheOneSaid(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	port := fmt.Sprint(other.Listener.Addr().(*net.TCPAddr).Port)
	s := onScreenOf(t, newHome(t, "Notes"), unix.Winsize{Row: 50, Col: 120}, "LANG=C.UTF-8", "setup", "--plain", "--no-service", "--port", port)
	s.sees("port " + port)
	s.sees("1 of 6: Use port ")
	s.types("y\n")
	s.sees("2 of 6: ")
	s.types("\x03")
	s.ends(1)
}

// On a low terminal the text says that there are more agents than it shows.
func TestWizardOnLowTerminal(t *testing.T) {
	home := newHome(t, "Notes", "bin")
	for _, program := range []string{"claude", "codex", "gemini", "opencode", "pi"} {
		if err := os.WriteFile(filepath.Join(home, "bin", program), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	s := onScreenOf(t, home, unix.Winsize{Row: 12, Col: 60}, fmt.Sprintf("WIKI_HTTPPORT=%d", port), "setup", "--no-service")
	s.sees("Which folder holds your notes")
	s.types("~/Notes\r")
	s.displays("2 of 5: Who answers your questions?", "choices; the arrow keys show those that do not fit", "the built-in Miner", "codex")
	s.types("\x03")
	s.ends(1)
}

// A terminal that cannot be drawn on, such as the shell of Emacs, is asked line by line without a flag.
func TestWizardOnDumbTerminal(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	s := onScreenOf(t, newHome(t, "Notes"), unix.Winsize{Row: 50, Col: 120}, "TERM=dumb", "setup", "--no-service", "--port", fmt.Sprint(port))
	s.sees("Which folder holds your notes")
	s.types("~/Notes\n")
	s.sees("Who answers your questions?")
	s.sees("Enter a number")
	s.types("\x03")
	s.ends(1)
}

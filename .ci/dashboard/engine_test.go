package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is how long anything is waited for. All of it takes moments, except on
// a machine that others use as well.
const patience = 2 * time.Minute

// eventually polls until a condition holds; seen says what there was instead.
func eventually(t *testing.T, what string, holds func() bool, seen func() string) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s\n%s", what, seen())
		}
		<-time.After(50 * time.Millisecond)
	}
}

// engine is one that runs with a home and a vault of its own.
type engine struct {
	t       *testing.T
	home    string
	vault   string
	beside  string // further vaults, as the configuration lists them
	log     *bytes.Buffer
	process *os.Process
}

// The agents of the vault, apart from the built-in Miner. Editor and Clerk answer
// when their gate is open, Printer not before it has paper.
const agents = `
    Editor: {runner: command, command: [sh, -c, 'cat >/dev/null; until [ -e "$GATE" ]; do sleep 0.1; done; echo "Shorter, and friendlier."'], env: {GATE: HOME/editor}}
    Clerk: {runner: command, command: [sh, -c, 'cat >/dev/null; until [ -e "$GATE" ]; do sleep 0.1; done; echo "Filed under suppliers."'], env: {GATE: HOME/clerk}}
    Printer: {runner: command, command: [sh, -c, 'cat >/dev/null; [ -e "$GATE" ] || { echo "out of paper" >&2; exit 1; }; echo "Printed."'], env: {GATE: HOME/printer}}
`

// configure writes the configuration, with more settings if there are any.
func (e *engine) configure(more string) {
	e.write(filepath.Join(e.home, ".config", "vault-dispatcher", "config.yaml"),
		"wiki:\n  vaults: ["+e.vault+e.beside+"]\n  settle: 0s\n  debounce: 100ms\n  untrusted: [\"Clippings/**\"]\n"+more+
			"  agents:"+strings.ReplaceAll(agents, "HOME", e.home))
}

// start runs an engine until the test ends.
func start(t *testing.T, more string) *engine {
	t.Helper()
	e := home(t)
	e.configure(more)
	e.run()
	return e
}

// home is where an engine could run: there is a folder of notes, and no configuration.
func home(t *testing.T) *engine {
	t.Helper()
	home := t.TempDir()
	e := &engine{t: t, home: home, vault: filepath.Join(home, "Roastery"), log: new(bytes.Buffer)}
	if err := os.MkdirAll(e.vault, 0o755); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *engine) run() {
	e.t.Helper()
	ended := e.begin("run", "--port", "0")
	e.lives(ended)
	eventually(e.t, "a running engine", func() bool { return e.wiki("server", "status").Run() == nil }, func() string {
		return "see its log"
	})
}

// runAlone runs one whose port is that of its configuration, which was free.
func (e *engine) runAlone() {
	e.t.Helper()
	eventually(e.t, "an engine at a port that is free", func() bool {
		ln, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return false
		}
		e.write(filepath.Join(e.home, ".config", "vault-dispatcher", "config.yaml"), fmt.Sprintf("wiki:\n  httpPort: %d\n  settle: 0s\n  debounce: 100ms\n", portOf(ln)))
		ln.Close()
		ended := e.begin("run")
		for {
			select {
			case <-ended: // somebody else was faster
				return false
			case <-time.After(50 * time.Millisecond):
			}
			if e.wiki("server", "status").Run() == nil {
				e.lives(ended)
				return true
			}
		}
	}, e.log.String)
}

// begin starts the program; the channel has how it ended.
func (e *engine) begin(args ...string) <-chan error {
	e.t.Helper()
	cmd := e.wiki(args...)
	cmd.Stderr = e.log
	if err := cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	e.process = cmd.Process
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended
}

// lives ends the engine with the test.
func (e *engine) lives(ended <-chan error) {
	process := e.process
	e.t.Cleanup(func() {
		process.Signal(os.Interrupt)
		err := <-ended
		if err != nil || e.t.Failed() {
			e.t.Errorf("wiki run: %v\n%s", err, e.log)
		}
	})
}

// wiki is the program, in the home of this engine.
func (e *engine) wiki(args ...string) *exec.Cmd {
	cmd := exec.Command(bed["WIKI"], args...)
	cmd.Env = []string{"HOME=" + e.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir()}
	return cmd
}

// link makes a one-time link to the dashboard.
func (e *engine) link() string {
	e.t.Helper()
	out, err := e.wiki("open", "--print").Output()
	if err != nil {
		e.t.Fatalf("wiki open: %v", problem(err))
	}
	return strings.TrimSpace(string(out))
}

func problem(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(exit.Stderr)
	}
	return err.Error()
}

// fill puts the sample vault into the vault.
func (e *engine) fill() {
	e.t.Helper()
	if err := os.CopyFS(e.vault, os.DirFS(bed["SAMPLE"])); err != nil {
		e.t.Fatal(err)
	}
}

// save writes a note.
func (e *engine) save(note, text string) { e.t.Helper(); e.write(filepath.Join(e.vault, note), text) }

// open lets an agent go on.
func (e *engine) open(gate string) { e.t.Helper(); e.write(filepath.Join(e.home, gate), "") }

func (e *engine) write(path, text string) {
	e.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		e.t.Fatal(err)
	}
}

// reads waits until a note has exactly this text.
func (e *engine) reads(note, want string) {
	e.t.Helper()
	var got []byte
	eventually(e.t, note+" as wanted", func() bool {
		got, _ = os.ReadFile(filepath.Join(e.vault, note))
		return string(got) == want
	}, func() string { return string(got) })
}

// record is what is looked at of a dispatch.
type record struct{ ID, File, Status string }

// dispatch waits until the newest dispatch of a note has a status.
func (e *engine) dispatch(note, status string) record {
	e.t.Helper()
	var list []record
	var found record
	eventually(e.t, note+" "+status, func() bool {
		out, err := e.wiki("dispatches", "--json").Output()
		if err != nil {
			return false
		}
		var answer struct{ Dispatches []record }
		if json.Unmarshal(out, &answer) != nil && json.Unmarshal(out, &list) != nil {
			e.t.Fatalf("this is no list of dispatches: %s", out)
		}
		if answer.Dispatches != nil {
			list = answer.Dispatches
		}
		for _, d := range list {
			if d.File == note {
				found = d
				return d.Status == status
			}
		}
		return false
	}, func() string { return found.Status })
	return found
}

// finds waits until a search finds a text.
func (e *engine) finds(query, text string) {
	e.t.Helper()
	var out []byte
	eventually(e.t, "found: "+text, func() bool {
		out, _ = e.wiki("search", query).CombinedOutput()
		return strings.Contains(string(out), text)
	}, func() string { return string(out) })
}

package tray

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/testdata/testmain"
)

// role makes the test binary the program wiki.
const role = "TRAY_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "wiki":
		os.Exit(fakeWiki(os.Args[1:]))
	case "words": // leaves them in a file
		file := os.Getenv(role + "_FILE")
		if os.WriteFile(file+".new", []byte(strings.Join(os.Args[1:], "\n")), 0o600) != nil || os.Rename(file+".new", file) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(testmain.Run(m))
}

// fakeWiki is a login service that is installed and does not start.
func fakeWiki(args []string) int {
	switch strings.Join(args, " ") {
	case "--config x service status --json":
		fmt.Println(`{"installed": true, "atLogin": true, "active": false, "state": "stopped"}`)
		fmt.Fprintln(os.Stderr, "wiki: the engine is not running")
		return 3
	case "--config x service start":
		fmt.Fprintln(os.Stderr, "wiki: the engine did not come up: no notes")
		fmt.Fprintln(os.Stderr, "hint: wiki service status shows how it fares")
		return 1
	}
	return 9
}

// engine is what the tray talks to: its own status, and the calls it has had.
type engine struct {
	api.Backend // no other call is made

	mu      sync.Mutex // guards what follows
	status  api.Status
	calls   []string
	answers map[string][]api.Answer // of dispatches, by their ID
	cuts    int                     // what is written next is cut in the middle, so many times
	hold    chan struct{}           // the watcher's switch waits for its end, if there is one

	changed func() // tells the server of another status
}

// set changes the status; the next cuts words of it break off in the middle.
func (e *engine) set(cuts int, change func(*api.Status)) {
	e.mu.Lock()
	change(&e.status)
	e.cuts = cuts
	e.mu.Unlock()
	e.changed()
}

func (e *engine) cut() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cuts == 0 {
		return false
	}
	e.cuts--
	return true
}

// shears is a listener whose connections break when the engine says so.
type shears struct {
	net.Listener
	engine *engine
}

func (s *shears) Accept() (net.Conn, error) {
	conn, err := s.Listener.Accept()
	return &shorn{conn, s.engine}, err
}

type shorn struct {
	net.Conn
	engine *engine
}

func (c *shorn) Write(p []byte) (int, error) {
	if !c.engine.cut() {
		return c.Conn.Write(p)
	}
	n, _ := c.Conn.Write(p[:len(p)/2])
	return n, errors.Join(errors.New("cut"), c.Conn.Close())
}

func (e *engine) Status(context.Context, bool) (api.Status, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.status, nil
}

func (e *engine) Dispatch(_ context.Context, id string) (api.Detail, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.answers[id] == nil {
		return api.Detail{}, api.ErrNotFound
	}
	return api.Detail{Dispatch: api.Dispatch{ID: id}, Answers: e.answers[id]}, nil
}

func (e *engine) SetWatcher(ctx context.Context, req api.WatcherRequest) (api.Watcher, error) {
	e.mu.Lock()
	e.calls = append(e.calls, strings.TrimSpace(fmt.Sprint(req.Running, " ", req.Vault, req.Duration)))
	e.status.Watcher.Running = req.Running
	e.mu.Unlock()
	if e.hold != nil {
		select {
		case <-e.hold:
		case <-ctx.Done():
		}
	}
	return api.Watcher{Running: req.Running}, nil
}

func (e *engine) Rescan(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, "rescan")
	return nil
}

func (e *engine) heard() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.calls, "; ")
}

// glass is a screen that keeps what is shown.
type glass struct {
	clicked chan string
	ended   chan struct{} // closed when the loop has ended

	mu   sync.Mutex // guards what follows
	icon string
	menu []Item
}

func (g *glass) clicks() <-chan string { return g.clicked }

func (g *glass) showState(icon, _ string, menu []Item) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.icon, g.menu = icon, menu
}

func (g *glass) label(id string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	item, _ := findItem(g.menu, id)
	if item.Hidden {
		return ""
	}
	return item.Label
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// running is a tray with its loop; the client is that of a port. Without notify
// nobody wants notifications.
func running(t *testing.T, port int, notify func(bulletin, string), options ...func(*app)) *glass {
	t.Helper()
	t.Setenv(role, "wiki")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a := newApp(Options{
		Client: func() *client.Client { return client.New(port, strings.Repeat("7", 64)) },
		Wiki:   program, Args: []string{"--config", "x"}, Notify: func() bool { return notify != nil },
		Log: t.TempDir() + "/none", Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}, notify, nil)
	for _, set := range options {
		set(a)
	}
	g := &glass{clicked: make(chan string), ended: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(g.ended)
		a.followEvents(ctx, g)
	}()
	t.Cleanup(func() {
		cancel()
		<-g.ended
	})
	return g
}

func serve(t *testing.T, e *engine) int {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := server.New(e, strings.Repeat("7", 64), slog.New(slog.NewTextHandler(io.Discard, nil)))
	e.mu.Lock()
	e.changed = server.Changed
	e.mu.Unlock()
	go func() { ended <- server.Run(ctx, &shears{Listener: ln, engine: e}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return ln.Addr().(*net.TCPAddr).Port
}

// Each click is done, in its turn, however fast they come.
func TestClicks(t *testing.T) {
	e := &engine{status: ok(nil).Status}
	g := running(t, serve(t, e), nil)
	eventually(t, "the engine is seen", func() bool { return g.label("state") == "Watching 2 vaults" })
	for _, id := range []string{"scan", "pause", "vaults/1", "scan", "nothing", "dashboard?", "engine"} {
		g.clicked <- id
	}
	const want = "rescan; false 1h; false my_work; rescan"
	eventually(t, "all clicks are done", func() bool { return e.heard() == want })
}

// A stream that breaks off in the middle is taken up again, what ended meanwhile is
// told, and nothing is told twice.
func TestStreamCut(t *testing.T) {
	e := &engine{status: ok(nil).Status}
	one := func(id, status string, ended bool) api.Dispatch {
		d := api.Dispatch{ID: id, Vault: "Notes", File: "note " + id + ".md", Instruction: id, Status: status}
		if ended {
			now := time.Now()
			d.FinishedAt = &now
		}
		return d
	}
	var mu sync.Mutex // guards told
	var told []string
	g := running(t, serve(t, e), func(b bulletin, _ string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, b.title+" "+b.body)
	}, func(a *app) { a.follower.every = 50 * time.Millisecond }) // between two attempts
	e.set(0, func(s *api.Status) {
		s.Dispatches = []api.Dispatch{one("c", "queued", false), one("b", "queued", false), one("a", "processing", false)}
	})
	eventually(t, "the first is at work", func() bool { return g.label("recent/2") == "… note a: a" })
	ids := []string{"a", "b", "c"}
	for i, id := range ids {
		// The event is cut, and then the answers to that many attempts.
		e.set(1+i, func(s *api.Status) {
			s.Dispatches = slices.Clone(s.Dispatches)
			s.Dispatches[2-i] = one(id, "done", true)
		})
		line := fmt.Sprintf("recent/%d", 2-i)
		eventually(t, id+" is done", func() bool { return g.label(line) == "✓ note "+id+": "+id })
	}
	eventually(t, "all are told", func() bool {
		mu.Lock()
		defer mu.Unlock()
		all := strings.Join(told, "\n")
		return !slices.ContainsFunc(ids, func(id string) bool { return !strings.Contains(all, "note "+id) })
	})
	mu.Lock()
	defer mu.Unlock()
	for _, id := range ids {
		if all := strings.Join(told, "\n"); strings.Count(all, "note "+id) != 1 {
			t.Errorf("told:\n%s", all)
		}
	}
}

// A notification of one answer says what that says, and below it the question, which stands alone where the engine
// has no such answer any more.
func TestAnswerIsTold(t *testing.T) {
	const question = "at what temperature do we drop?"
	answers := []api.Answer{{Answer: "# Roasting\n\nWe charge at 190 °C.\nWe **drop** at a temperature of 205 °C. ([[Roast|1]])\n"}}
	for _, test := range []struct {
		name    string
		answers []api.Answer
		status  string
		failure string
		want    string
	}{
		{"answered", answers, "done", "", "Answered in Roast: We drop at a temperature of 205 °C.\n" + question},
		{"to approve", answers, "proposed", "", "For you to approve in Roast: We drop at a temperature of 205 °C.\n" + question},
		{"deleted meanwhile", nil, "done", "", "Answered in Roast: " + question},
		{"empty", []api.Answer{{}}, "done", "", "Answered in Roast: " + question},
		{"not answered", answers, "failed", "it broke", "Not answered in Roast: it broke"},
		{"written again", answers, "done", "old text was over it", "An answer in Roast: old text was over it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &engine{status: ok(nil).Status, answers: map[string][]api.Answer{"a": test.answers}}
			told := make(chan string, 9)
			g := running(t, serve(t, e), func(b bulletin, _ string) { told <- b.title + ": " + b.body })
			eventually(t, "the engine is seen", func() bool { return g.label("state") == "Watching 2 vaults" })
			e.set(0, func(s *api.Status) {
				now := time.Now()
				s.Dispatches = []api.Dispatch{{ID: "a", Vault: "Notes", File: "Roast.md", Instruction: question, Status: test.status, Error: test.failure, CreatedAt: now, FinishedAt: &now}}
			})
			select {
			case got := <-told:
				if got != test.want {
					t.Errorf("told %q, want %q", got, test.want)
				}
			case <-time.After(time.Minute):
				t.Fatal("nothing is told")
			}
		})
	}
}

// What a click could not do is said, until the next click.
func TestProblem(t *testing.T) {
	g := running(t, 1, nil) // where nobody listens, nowhere
	eventually(t, "no engine is seen", func() bool { return g.label("next") == "Start the engine" })
	g.clicked <- "next"
	eventually(t, "the problem is said", func() bool { return g.label("problem") == "the engine did not come up: no notes" })
	g.clicked <- "engine/log"
	eventually(t, "the next problem is said", func() bool { return strings.HasPrefix(g.label("problem"), "there is no file") })
}

func TestQuit(t *testing.T) {
	a := newApp(Options{}, nil, nil)
	a.menu = Menu(a.view)
	if a.handleClick("scan"); len(a.queue) != 0 || a.isOver() {
		t.Error("a grey line was clicked")
	}
	a.queue, a.current = []Action{{Verb: look}}, look
	if a.handleClick("quit"); !a.isOver() {
		t.Error("the tray cannot be quit while it only looks")
	}
}

// What was clicked before Quit is done, and who quits again does not wait for it.
func TestQuitInItsTurn(t *testing.T) {
	for _, again := range []bool{false, true} {
		e := &engine{status: ok(nil).Status, hold: make(chan struct{})}
		release := sync.OnceFunc(func() { close(e.hold) })
		defer release()
		g := running(t, serve(t, e), nil)
		eventually(t, "the engine is seen", func() bool { return g.label("state") == "Watching 2 vaults" })
		g.clicked <- "pause"
		g.clicked <- "scan"
		eventually(t, "the first is under way", func() bool { return e.heard() == "false 1h" })
		g.clicked <- "quit"
		eventually(t, "it says how to quit now", func() bool { return g.label("quit") == "Quit tray now" })
		if again {
			g.clicked <- "quit"
		} else {
			release()
		}
		select {
		case <-g.ended:
		case <-time.After(time.Minute):
			t.Fatal("it does not end")
		}
		if want := map[bool]string{false: "false 1h; rescan", true: "false 1h"}[again]; e.heard() != want {
			t.Errorf("quit again %v: done were %q", again, e.heard())
		}
	}
}

// What a click has begun is shown before anything else happens.
func TestDoingIsShown(t *testing.T) {
	t.Setenv(role, "wiki")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a := newApp(Options{
		Client: func() *client.Client { return client.New(1, "") },
		Wiki:   program, Args: []string{"--config", "x"}, Logger: slog.New(slog.DiscardHandler),
	}, nil, nil)
	a.view = View{Asked: true, Err: api.ErrNotRunning}
	g := &glass{}
	a.handleNext(t.Context(), g)
	a.handleClick("engine/start")
	a.handleNext(t.Context(), g)
	defer func() { <-a.acted }()
	if got := g.label("state"); got != "Starting the engine…" {
		t.Errorf("it says %q", got)
	}
	a.handleClick("engine/start")
	a.handleClick("next")
	if len(a.queue) != 0 {
		t.Error("it is started twice")
	}
}

// A server that is none of ours is a stranger, whatever it says.
func TestStranger(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	g := running(t, server.Listener.Addr().(*net.TCPAddr).Port, nil)
	eventually(t, "the stranger is seen", func() bool { return g.label("state") == "Another program has the engine's port" })
}

// One tray at a time, and another when it has ended.
func TestOnly(t *testing.T) {
	state := t.TempDir()
	lock, err := claimSession(state)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := claimSession(state); !errors.Is(err, ErrRunning) {
		t.Errorf("a second one: %v", err)
	}
	lock.Close()
	again, err := claimSession(state)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

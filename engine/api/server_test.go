package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/assets"
)

const testToken = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// fake is a backend that remembers what it was asked.
type fake struct {
	roots []Root
	err   error // what every call fails with

	mu    sync.Mutex // guards what follows
	calls []string
	scans []place
	watch WatcherRequest
	down  chan struct{}
	block chan struct{} // Rescan waits for it, if there is one
}

func (f *fake) note(call string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
	return f.err
}

func (f *fake) Status(context.Context) (Status, error) {
	long := strings.Repeat("ä", 200)
	return Status{Running: true, Version: "1.2.3", Uptime: "5s", Vaults: []Vault{{Name: "v"}}, Agents: []Agent{{Role: "Miner"}},
		Dispatches: []Dispatch{{ID: "d1", Instruction: long, Error: "no runner"}}}, f.note("status")
}

func (f *fake) Scan(_ context.Context, vault Root, rel string) (ScanResult, error) {
	err := f.note("scan")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scans = append(f.scans, place{vault, rel})
	return ScanResult{}, err
}

func (f *fake) SetWatcher(_ context.Context, req WatcherRequest) (Watcher, error) {
	err := f.note("watcher")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watch = req
	return Watcher{Running: req.Running}, err
}

func (f *fake) Rescan(ctx context.Context) error {
	err := f.note("rescan")
	if f.block != nil {
		select {
		case <-f.block:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func (f *fake) Dispatches(_ context.Context, filter Filter) ([]Dispatch, error) {
	return []Dispatch{{ID: "d1", Status: filter.Status, Instruction: filter.Query, Attempts: filter.Limit}}, f.note("dispatches")
}

func (f *fake) Dispatch(_ context.Context, id string) (Detail, error) {
	if id == "gone" {
		return Detail{}, ErrNotFound
	}
	return Detail{Dispatch: Dispatch{ID: id, Error: "timed out"}, Task: "Request 1"}, f.note("dispatch")
}

func (f *fake) Retry(_ context.Context, id string) (Dispatch, error) {
	if id == "busy" {
		return Dispatch{}, &Conflict{"It is running."}
	}
	return Dispatch{ID: id, Status: "queued", Error: "timed out"}, f.note("retry")
}

func (f *fake) Cancel(_ context.Context, id string) (Dispatch, error) {
	return Dispatch{ID: id, Status: "cancelled"}, f.note("cancel")
}

func (f *fake) Release(_ context.Context, id string) (Dispatch, error) {
	return Dispatch{ID: id, Status: "queued"}, f.note("release")
}

func (f *fake) Answers(context.Context) ([]Detail, error) {
	return []Detail{{Dispatch: Dispatch{ID: "d1", Status: "parked"}, Answers: []Answer{{Line: 3, Answer: "kept"}}}}, f.note("answers")
}

func (f *fake) Undo(_ context.Context, id string) (Dispatch, error) {
	if id == "edited" {
		return Dispatch{}, &Conflict{"The answer was edited."}
	}
	return Dispatch{ID: id, Status: "cancelled", Error: "undone by hand"}, f.note("undo")
}

func (f *fake) Explain(_ context.Context, query, file string, limit int) (string, error) {
	return fmt.Sprintf("%s asked of %s at most %d", query, file, limit), nil
}

func (f *fake) Search(_ context.Context, query string, limit int) (HitList, error) {
	return HitList{Hits: []Hit{{Text: query, Matched: limit, Near: 0.5}}, Notice: "found by words only"}, f.note("search")
}

func (f *fake) Roots() []Root { return f.roots }

func (f *fake) Shutdown() {
	f.note("shutdown")
	close(f.down)
}

func (f *fake) called() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}

// running is a server on a real port.
type running struct {
	*Server
	backend *fake
	port    int
	stop    func() error
}

// start runs a server with one vault of two notes until the test ends.
func start(t testing.TB, change ...func(*Server)) *running {
	t.Helper()
	vault := realDir(t)
	for _, name := range []string{"note.md", "sub/other.md"} {
		write(t, filepath.Join(vault, name))
	}
	backend := &fake{roots: []Root{{Name: "v", Path: vault}}, down: make(chan struct{})}
	s := NewServer(backend, testToken, slog.New(slog.DiscardHandler))
	s.scans = limiter{perSecond: 1e6, burst: 1e6}
	s.UsePages(assets.Web(), nil)
	// A busy machine may stop a test for seconds; tests of time set their own.
	s.limits.header, s.limits.read, s.limits.write = 30*time.Second, 30*time.Second, 30*time.Second
	for _, c := range change {
		c(s)
	}
	ln, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, ln) }()
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return &running{s, backend, ln.Addr().(*net.TCPAddr).Port, stop}
}

func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t testing.TB, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// answer is a response taken apart.
type answer struct {
	status int
	header http.Header
	code   string
	body   map[string]any
}

// raw sends bytes as they are, PORT replaced, and reads one answer.
func (r *running) raw(t testing.TB, request string) answer {
	t.Helper()
	conn, err := net.Dial("tcp4", r.host())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "PORT", r.portText())); err != nil {
		t.Logf("write: %v", err) // the server may have hung up already
	}
	return readAnswer(t, conn)
}

func readAnswer(t testing.TB, conn net.Conn) answer {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("read the answer: %v", err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read the body: %v", err)
	}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &a.body); err != nil {
			t.Fatalf("status %d: body is not JSON: %q", a.status, text)
		}
		a.code, _ = a.body["code"].(string)
	}
	return a
}

func (r *running) host() string     { return "127.0.0.1:" + r.portText() }
func (r *running) portText() string { return strconv.Itoa(r.port) }

func TestRoundTrip(t *testing.T) {
	r := start(t)
	c := NewClient(r.port, testToken)
	ctx := t.Context()
	st, err := c.Status(ctx)
	if err != nil || !st.Running || st.Port != r.port || st.PID != os.Getpid() || len(st.Endpoints) != len(routes()) {
		t.Errorf("Status: %+v, %v", st, err)
	}
	if n := len([]rune(st.Dispatches[0].Instruction)); n != 80 || st.Dispatches[0].Error != "no runner" {
		t.Errorf("instruction in the status has %d characters, error %q", n, st.Dispatches[0].Error)
	}
	scan, err := c.Scan(ctx, "sub/other.md")
	if err != nil || scan.File != "sub/other.md" || scan.Details == nil {
		t.Errorf("Scan: %+v, %v", scan, err)
	}
	w, err := c.SetWatcher(ctx, WatcherRequest{Running: true, Vault: "v", For: "1h"})
	if err != nil || !w.Running || r.backend.watch != (WatcherRequest{Running: true, Vault: "v", For: "1h"}) {
		t.Errorf("SetWatcher: %+v, %v", r.backend.watch, err)
	}
	if err := c.Rescan(ctx); err != nil {
		t.Errorf("Rescan: %v", err)
	}
	list, err := c.Dispatches(ctx, Filter{Status: "failed", Query: "a b&c", Limit: 7})
	want := []Dispatch{{ID: "d1", Status: "failed", Instruction: "a b&c", Attempts: 7, Lines: []int{}}}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("Dispatches: %+v, %v", list, err)
	}
	d, err := c.Dispatch(ctx, "d-1")
	if err != nil || d.ID != "d-1" || d.Error != "timed out" || d.Task != "Request 1" {
		t.Errorf("Dispatch: %+v, %v", d, err)
	}
	again, err := c.Retry(ctx, "d-1")
	if err != nil || again.Status != "queued" || again.Error != "timed out" {
		t.Errorf("Retry: %+v, %v", again, err)
	}
	if d, err := c.Cancel(ctx, "d-1"); err != nil || d.Status != "cancelled" {
		t.Errorf("Cancel: %+v, %v", d, err)
	}
	if d, err := c.Release(ctx, "d-1"); err != nil || d.Status != "queued" {
		t.Errorf("Release: %+v, %v", d, err)
	}
	parked, err := c.Answers(ctx)
	if err != nil || len(parked) != 1 || parked[0].ID != "d1" || parked[0].Answers[0].Answer != "kept" {
		t.Errorf("Answers: %+v, %v", parked, err)
	}
	if d, err := c.Undo(ctx, "d-1"); err != nil || d.Status != "cancelled" || d.Error != "undone by hand" {
		t.Errorf("Undo: %+v, %v", d, err)
	}
	if _, err := c.Undo(ctx, "edited"); err == nil || !strings.Contains(err.Error(), "edited") {
		t.Errorf("Undo of an edited answer: %v", err)
	}
	sentence, err := c.Explain(ctx, "back ups?", "a b.md", 3)
	if sentence != "back ups? asked of a b.md at most 3" || err != nil {
		t.Errorf("Explain: %q, %v", sentence, err)
	}
	found, err := c.Search(ctx, "back ups?", 3)
	if err != nil || !reflect.DeepEqual(found, HitList{Hits: []Hit{{Text: "back ups?", Matched: 3, Near: 0.5}}, Notice: "found by words only"}) {
		t.Errorf("Search: %+v, %v", found, err)
	}
	if err := c.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	<-r.backend.down
	got := strings.Join(r.backend.called(), " ")
	if got != "status scan watcher rescan dispatches dispatch retry cancel release answers undo search shutdown" {
		t.Errorf("the backend was asked %s", got)
	}
}

func TestNoErrorAtTheTopOfASuccess(t *testing.T) {
	r := start(t)
	for _, route := range routes() {
		if route.path == "/vault-mind/dispatch" || route.path == "/vault-mind/events" {
			continue // the one is reserved, the other answers with a stream
		}
		body := `{"file":"note.md","running":true}`
		a := r.raw(t, route.method+" "+strings.ReplaceAll(route.path, "{id}", "d1")+"?q=x HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"+
			"Authorization: bearer "+testToken+"\r\nContent-Type: application/json\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body)
		if _, there := a.body["error"]; a.status != 200 || there {
			t.Errorf("%s %s: status %d, body %v", route.method, route.path, a.status, a.body)
		}
	}
}

// TestLimits holds the numbers that are promised to clients.
func TestLimits(t *testing.T) {
	s := NewServer(&fake{}, testToken, slog.New(slog.DiscardHandler))
	want := limits{header: 2 * time.Second, read: 5 * time.Second, write: 10 * time.Second, idle: 30 * time.Second,
		drain: 3 * time.Second, headerBytes: 16384, bodyBytes: 65536, connections: 64}
	if s.limits != want || s.scans.perSecond != 20 || s.scans.burst != 100 {
		t.Errorf("limits %+v, scans %v/s, burst %d", s.limits, s.scans.perSecond, s.scans.burst)
	}
	r := start(t)
	for size, status := range map[int]int{65536: 404, 65537: 413} {
		body := `{"file":"absent.md"}`
		a := r.raw(t, ask("POST", "/vault-mind/scan", asJSON, body+strings.Repeat(" ", size-len(body))))
		if a.status != status {
			t.Errorf("a body of %d bytes: %d %s, want %d", size, a.status, a.code, status)
		}
	}
	for size, status := range map[int]int{15 << 10: 200, 17 << 10: 431} {
		a := r.raw(t, ask("GET", "/vault-mind/status", map[string]string{"X": strings.Repeat("x", size)}, ""))
		if a.status != status {
			t.Errorf("headers of %d bytes: %d %s, want %d", size, a.status, a.code, status)
		}
	}
}

func TestBackendErrorsBecomeStatuses(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{ErrNotFound, 404, "not_found"},
		{ErrNotNote, 422, "not_a_note"},
		{ErrStopping, 503, "stopping"},
		{ErrOffline, 503, "offline"},
		{&Conflict{"It is done already."}, 409, "conflict"},
		{&Conflict{}, 409, "conflict"},
		{&Invalid{"No such vault."}, 400, "bad_request"},
		{context.DeadlineExceeded, 503, "busy"},
		{errors.New("/home/me/secret: disk on fire"), 500, "internal"},
	} {
		r := start(t, func(s *Server) { s.backend.(*fake).err = test.err })
		err := NewClient(r.port, testToken).Rescan(t.Context())
		var status *StatusError
		if !errors.As(err, &status) || status.Status != test.status || status.Code != test.code {
			t.Errorf("%v: the client got %v", test.err, err)
			continue
		}
		if test.status == 500 && strings.Contains(status.Text, "secret") {
			t.Errorf("the answer gives the fault away: %q", status.Text)
		}
		if test.code != "conflict" && test.code != "bad_request" && test.status < 500 && !errors.Is(err, test.err) {
			t.Errorf("errors.Is does not find %v in %v", test.err, err)
		}
	}
}

func TestRunWaitsForCallsUnderWay(t *testing.T) {
	block := make(chan struct{})
	r := start(t, func(s *Server) { s.backend.(*fake).block = block })
	done := make(chan error, 1)
	go func() { done <- NewClient(r.port, testToken).Rescan(t.Context()) }()
	waitFor(t, "the call to begin", func() bool { return len(r.backend.called()) == 1 })
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	waitFor(t, "the port to close", func() bool {
		return errors.Is(func() error { _, err := NewClient(r.port, "").Status(t.Context()); return err }(), ErrNotRunning)
	})
	select {
	case <-stopped:
		t.Fatal("Run returned before the call had ended")
	default:
	}
	close(block)
	if err := <-done; err != nil {
		t.Errorf("the call under way: %v", err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Run: %v", err)
	}
}

func TestRunCutsOffWhatDoesNotEnd(t *testing.T) {
	r := start(t, func(s *Server) {
		s.backend.(*fake).block = make(chan struct{}) // never
		s.limits.drain = 20 * time.Millisecond
	})
	done := make(chan error, 1)
	go func() { done <- NewClient(r.port, testToken).Rescan(t.Context()) }()
	waitFor(t, "the call to begin", func() bool { return len(r.backend.called()) == 1 })
	if err := r.stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if err := <-done; err == nil {
		t.Error("a call that was cut off succeeded")
	}
}

// patience is how long a test waits for what takes milliseconds on an idle
// machine: others may have this one.
const patience = time.Minute

// waitFor polls until a condition holds, for as long as patience lasts.
func waitFor(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
		<-time.After(time.Millisecond)
	}
}

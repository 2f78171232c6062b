package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/backlog"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/testdata/apitest"
)

func TestRoundTrip(t *testing.T) {
	r := start(t)
	c := client.New(r.Port, apitest.Token)
	ctx := t.Context()
	st, err := c.Status(ctx)
	if err != nil || !st.Running || st.Port != r.Port || st.PID != os.Getpid() || len(st.Endpoints) != len(r.listCalls()) {
		t.Errorf("Status: %+v, %v", st, err)
	}
	if n := len([]rune(st.Dispatches[0].Instruction)); n != 80 || st.Dispatches[0].Error != "no runner" {
		t.Errorf("instruction in the status has %d characters, error %q", n, st.Dispatches[0].Error)
	}
	if p, err := c.Ping(ctx); err != nil || p != (api.Ping{Running: true, PID: os.Getpid(), Port: r.Port}) {
		t.Errorf("Ping: %+v, %v", p, err)
	}
	scan, err := c.Scan(ctx, "sub/other.md")
	if err != nil || scan.File != "sub/other.md" || scan.Details == nil {
		t.Errorf("Scan: %+v, %v", scan, err)
	}
	w, err := c.SetWatcher(ctx, api.WatcherRequest{Running: true, Vault: "v", Duration: "1h"})
	if err != nil || !w.Running || r.backend.Watch != (api.WatcherRequest{Running: true, Vault: "v", Duration: "1h"}) {
		t.Errorf("SetWatcher: %+v, %v", r.backend.Watch, err)
	}
	if err := c.Rescan(ctx); err != nil {
		t.Errorf("Rescan: %v", err)
	}
	list, err := c.Dispatches(ctx, api.Filter{Status: "failed", Vault: "v w", File: "a/b&c.md", Query: "a b&c", Limit: 7})
	want := []api.Dispatch{{ID: "d1", Status: "failed", Vault: "v w", File: "a/b&c.md", Instruction: "a b&c", Attempts: 7, Lines: []int{}}}
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
	if d, err := c.AskAgain(ctx, "d-1"); err != nil || d.ID != "d-1" || !slices.Contains(r.backend.Called(), "again") {
		t.Errorf("AskAgain: %+v, %v", d, err)
	}
	if d, err := c.Cancel(ctx, "d-1"); err != nil || d.Status != "cancelled" {
		t.Errorf("Cancel: %+v, %v", d, err)
	}
	if d, err := c.Release(ctx, "d-1", ""); err != nil || d.Status != "queued" {
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
	if err != nil || !reflect.DeepEqual(found, api.HitList{Hits: []api.Hit{{Text: "back ups?", Matched: 3, Similarity: 0.5}}, Notice: "found by words only"}) {
		t.Errorf("Search: %+v, %v", found, err)
	}
	if err := c.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	<-r.backend.Down
	got := strings.Join(r.backend.Called(), " ")
	if got != "status scan watcher rescan dispatches dispatch retry again cancel dispatch release answers undo search shutdown" {
		t.Errorf("the backend was asked %s", got)
	}
}

func TestNoErrorAtTheTopOfASuccess(t *testing.T) {
	r := start(t)
	for _, route := range r.listCalls() {
		switch route.Path {
		case "/vault-mind/dispatch", "/vault-mind/events", "/vault-mind/session":
			continue // reserved, a stream, and a call of the dashboard
		}
		body := `{"file":"note.md","running":true,"seen":"5ee"}`
		a := r.Raw(t, route.Method+" "+strings.ReplaceAll(route.Path, "{id}", "d1")+"?q=x HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"+
			"Authorization: bearer "+apitest.Token+"\r\nContent-Type: application/json\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body)
		if _, there := a.Body["error"]; a.Status != 200 || there {
			t.Errorf("%s %s: status %d, body %v", route.Method, route.Path, a.Status, a.Body)
		}
	}
}

// TestLimits holds the numbers that are promised to clients.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := New(&apitest.Backend{}, apitest.Token, slog.New(slog.DiscardHandler))
	want := limits{header: 2 * time.Second, read: 5 * time.Second, write: 10 * time.Second, idle: 30 * time.Second,
		drain: 3 * time.Second, parting: time.Second, headerBytes: 16384, bodyBytes: 65536, connections: 64}
	if s.limits != want || s.scans.Limits() != (backlog.Limits{PerSecond: 20, Burst: 100, Pieces: 10_000, MostBytes: 8 << 20}) {
		t.Errorf("limits %+v, scans %+v", s.limits, s.scans.Limits())
	}
	r := start(t)
	for size, status := range map[int]int{65536: 404, 65537: 413} {
		body := `{"file":"absent.md"}`
		a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, body+strings.Repeat(" ", size-len(body))))
		if a.Status != status {
			t.Errorf("a body of %d bytes: %d %s, want %d", size, a.Status, a.Code, status)
		}
	}
	for size, status := range map[int]int{15 << 10: 200, 17 << 10: 431} {
		a := r.Raw(t, apitest.Request("GET", "/vault-mind/status", map[string]string{"X": strings.Repeat("x", size)}, ""))
		if a.Status != status {
			t.Errorf("headers of %d bytes: %d %s, want %d", size, a.Status, a.Code, status)
		}
	}
}

func TestBackendErrorsBecomeStatuses(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{api.ErrNotFound, 404, "not_found"},
		{api.ErrNotNote, 422, "not_a_note"},
		{api.ErrStopping, 503, "stopping"},
		{api.ErrOffline, 503, "offline"},
		{&api.Conflict{Reason: "It is done already."}, 409, "conflict"},
		{&api.Conflict{}, 409, "conflict"},
		{&api.Invalid{Reason: "No such vault."}, 400, "bad_request"},
		{context.DeadlineExceeded, 503, "busy"},
		{errors.New("/home/me/secret: disk on fire"), 500, "internal"},
	} {
		r := start(t, func(s *Server) { s.backend.(*apitest.Backend).Err = test.err })
		err := client.New(r.Port, apitest.Token).Rescan(t.Context())
		var status *api.StatusError
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
	r := start(t, func(s *Server) { s.backend.(*apitest.Backend).Block = block })
	done := make(chan error, 1)
	go func() { done <- client.New(r.Port, apitest.Token).Rescan(t.Context()) }()
	apitest.WaitFor(t, "the call to begin", func() bool { return len(r.backend.Called()) == 1 })
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	apitest.WaitFor(t, "the port to close", func() bool {
		return errors.Is(func() error { _, err := client.New(r.Port, "").Status(t.Context()); return err }(), api.ErrNotRunning)
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
		s.backend.(*apitest.Backend).Block = make(chan struct{}) // never
		s.limits.drain, s.limits.parting = 20*time.Millisecond, apitest.Patience
	})
	done := make(chan error, 1)
	go func() { done <- client.New(r.Port, apitest.Token).Rescan(t.Context()) }()
	apitest.WaitFor(t, "the call to begin", func() bool { return len(r.backend.Called()) == 1 })
	if err := r.stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if err := <-done; !errors.Is(err, api.ErrStopping) {
		t.Errorf("a call that was cut off is not answered so: %v", err)
	}
}

// A call that an engine cuts off because another one follows is worth another try.
func TestRunCutsOffForTheNextEngine(t *testing.T) {
	s := New(apitest.NewBackend(t), apitest.Token, slog.New(slog.DiscardHandler))
	backend := s.backend.(*apitest.Backend)
	backend.Block = make(chan struct{}) // never
	s.limits.drain, s.limits.parting = 20*time.Millisecond, apitest.Patience
	c, stop := apitest.Serve(t, func(ctx context.Context, ln net.Listener) error {
		running, replace := context.WithCancelCause(context.WithoutCancel(ctx))
		defer context.AfterFunc(ctx, func() { replace(api.ErrReplaced) })()
		return s.Run(running, ln)
	})
	done := make(chan error, 1)
	go func() { done <- client.New(c.Port, apitest.Token).Rescan(t.Context()) }()
	apitest.WaitFor(t, "the call to begin", func() bool { return len(backend.Called()) == 1 })
	if err := stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	var refused *api.StatusError
	if err := <-done; !errors.As(err, &refused) || refused.Code != "busy" || !strings.Contains(refused.Text, "try again in a moment") {
		t.Errorf("a call that was cut off is not sent to the next engine: %v", err)
	}
}

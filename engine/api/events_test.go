package api

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// moving is a backend whose state tests change.
type moving struct {
	*fake
	scene scene
}

func (m *moving) Status(ctx context.Context) (Status, error) { return m.scene.read(ctx) }

// startMoving runs a server whose feed looks often.
func startMoving(t *testing.T, change ...func(*Server)) (*running, *moving) {
	t.Helper()
	m := &moving{}
	r := start(t, append(change, func(s *Server) {
		m.fake = s.backend.(*fake)
		s.backend = m
		s.feed.rest, s.feed.slow = time.Millisecond, time.Millisecond
	})...)
	return r, m
}

// follow opens a stream with the headers of a call.
func (r *running) follow(t *testing.T, headers map[string]string) (*bufio.Reader, *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp4", r.host())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, strings.ReplaceAll(ask("GET", "/vault-mind/events", headers, ""), "PORT", r.portText())); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(resp.Body), resp
}

// next reads one event; its name is empty for what has none.
func next(t *testing.T, stream *bufio.Reader) (name, data string) {
	t.Helper()
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatalf("read the stream: %v", err)
		}
		if line == "\n" {
			return name, data
		}
		if value, ok := strings.CutPrefix(line, "event: "); ok {
			name = strings.TrimSpace(value)
		}
		if value, ok := strings.CutPrefix(line, "data: "); ok {
			data += value
		}
	}
}

func TestEventsFollowTheState(t *testing.T) {
	// Reading and answering have less time than the stream lasts.
	r, m := startMoving(t, func(s *Server) { s.limits.read, s.limits.write = 300*time.Millisecond, 600*time.Millisecond })
	stream, resp := r.follow(t, bearer)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	if name, _ := next(t, stream); name != "" {
		t.Errorf("first came %q", name)
	}
	name, data := next(t, stream)
	var st Status
	if err := json.Unmarshal([]byte(data), &st); name != "snapshot" || err != nil || len(st.Endpoints) == 0 {
		t.Errorf("then %q: %v", name, err)
	}
	text := "a\n\ndata: b\r\nevent: x </script> \u2028"
	for i := range 5 {
		<-time.After(300 * time.Millisecond)
		m.scene.set(func(st *Status) { st.Dispatches = []Dispatch{{ID: "d1", Attempts: i + 1, Error: text}} })
		name, data := next(t, stream)
		var d Dispatch
		if err := json.Unmarshal([]byte(data), &d); name != "dispatch" || err != nil || d.Attempts != i+1 || d.Error != text {
			t.Errorf("change %d: %s %q, %v", i, name, data, err)
		}
	}
}

func TestEventsAskForAToken(t *testing.T) {
	r, _ := startMoving(t)
	b := r.browser(t)
	for _, headers := range []map[string]string{bearer, {"Cookie": b.cookie.Name + "=" + b.cookie.Value}} {
		if _, resp := r.follow(t, headers); resp.StatusCode != 200 {
			t.Errorf("%v: %d", headers, resp.StatusCode)
		}
	}
	for _, headers := range []map[string]string{nil, {"Cookie": b.cookie.Name + "=x"}, joined(bearer, map[string]string{"Origin": "http://evil.example"})} {
		if _, resp := r.follow(t, headers); resp.StatusCode == 200 {
			t.Errorf("%v: let in", headers)
		}
	}
}

func TestStreamsDoNotDelayTheEnd(t *testing.T) {
	r, _ := startMoving(t, func(s *Server) { s.limits.drain = patience })
	var streams []*bufio.Reader
	for range 3 {
		stream, _ := r.follow(t, bearer)
		next(t, stream)
		next(t, stream)
		streams = append(streams, stream)
	}
	begun := time.Now()
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begun); d > patience/2 {
		t.Errorf("the end took %s", d)
	}
	for _, stream := range streams {
		if _, err := io.Copy(io.Discard, stream); err != nil {
			t.Errorf("a stream broke off: %v", err)
		}
	}
}

// A client that does not read costs the server nothing for long, and the others
// nothing at all: its place is given to another one.
func TestSlowClientIsDropped(t *testing.T) {
	r, m := startMoving(t, func(s *Server) {
		s.limits.write, s.feed.wait, s.feed.places = 3*time.Second, 10*time.Millisecond, make(chan struct{}, 2)
	})
	r.follow(t, bearer) // and never reads on
	quick, _ := r.follow(t, bearer)
	next(t, quick)
	next(t, quick)
	if _, resp := r.follow(t, bearer); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Fatalf("a third client: %d", resp.StatusCode)
	}
	big := strings.Repeat("x", 1<<20)
	for i := range 10_000 {
		m.scene.set(func(st *Status) { st.Dispatches = []Dispatch{{ID: "d1", Attempts: i + 1, Error: big}} })
		if name, data := next(t, quick); name != "dispatch" || len(data) < len(big) {
			t.Fatalf("the quick one read %s with %d bytes", name, len(data))
		}
		if _, resp := r.follow(t, bearer); resp.StatusCode == http.StatusOK {
			t.Logf("its place was free after %d MiB", i+1)
			return
		}
	}
	t.Error("a client that does not read is kept")
}

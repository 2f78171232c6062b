package server

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// startMoving runs a server whose feed looks often.
func startMoving(t *testing.T, change ...func(*Server)) (*running, *apitest.Moving) {
	t.Helper()
	var m *apitest.Moving
	r := start(t, append(change, func(s *Server) {
		m = moving(s)
		s.feed.rest, s.feed.slow = time.Millisecond, time.Millisecond
	})...)
	return r, m
}

// A stream lasts longer than a request may be read and an answer written.
func TestEventsFollowTheState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := newServer(t)
		s.limits = defaultLimits()
		begun := time.Now()
		followEvents(t, s)
		if lasted := time.Since(begun); lasted < 2*(s.limits.read+s.limits.write) {
			t.Errorf("the stream lasted only %v", lasted)
		}
	})
}

// followEvents changes the state five times, each time when the stream has been silent but for its beats, and wants each
// change told.
func followEvents(t *testing.T, s *Server) {
	t.Helper()
	m := moving(s)
	client, end := connect(t, s)
	defer end()
	write(t, client, apitest.Request("GET", "/vault-mind/events", apitest.Bearer, ""))
	resp, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	stream := bufio.NewReader(resp.Body)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	if name, _ := apitest.NextEvent(t, stream); name != "" {
		t.Errorf("first came %q", name)
	}
	name, data := apitest.NextEvent(t, stream)
	var st api.Status
	if err := json.Unmarshal([]byte(data), &st); name != "snapshot" || err != nil || len(st.Endpoints) == 0 {
		t.Errorf("then %q: %v", name, err)
	}
	text := "a\n\ndata: b\r\nevent: x </script> \u2028"
	for i := range 5 {
		for range 3 {
			if name, _ := apitest.NextEvent(t, stream); name != "" {
				t.Errorf("nothing has changed, and %q comes", name)
			}
		}
		m.Scene.Set(func(st *api.Status) { st.Dispatches = []api.Dispatch{{ID: "d1", Attempts: i + 1, Error: text}} })
		name, data := "", ""
		for name == "" { // it may beat once more
			name, data = apitest.NextEvent(t, stream)
		}
		var d api.Dispatch
		if err := json.Unmarshal([]byte(data), &d); name != "dispatch" || err != nil || d.Attempts != i+1 || d.Error != text {
			t.Errorf("change %d: %s %q, %v", i, name, data, err)
		}
	}
}

func TestEventsAskForAToken(t *testing.T) {
	r, _ := startMoving(t)
	for _, headers := range []map[string]string{apitest.Bearer} {
		if _, resp := r.Follow(t, headers); resp.StatusCode != 200 {
			t.Errorf("%v: %d", headers, resp.StatusCode)
		}
	}
	for _, headers := range []map[string]string{nil, {"Cookie": "wiki-" + r.PortText() + "=x"}, apitest.Joined(apitest.Bearer, map[string]string{"Origin": "http://evil.example"})} {
		if _, resp := r.Follow(t, headers); resp.StatusCode == 200 {
			t.Errorf("%v: let in", headers)
		}
	}
}

func TestStreamsDoNotDelayTheEnd(t *testing.T) {
	r, _ := startMoving(t, func(s *Server) { s.limits.drain = time.Hour })
	var streams []*bufio.Reader
	for range 3 {
		stream, _ := r.Follow(t, apitest.Bearer)
		apitest.NextEvent(t, stream)
		apitest.NextEvent(t, stream)
		streams = append(streams, stream)
	}
	ended := make(chan error, 1)
	go func() { ended <- r.stop() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(apitest.Patience):
		t.Fatal("it waits for its streams")
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
	t.Parallel()
	r, m := startMoving(t, func(s *Server) {
		s.limits.write, s.feed.wait, s.feed.places = 10*time.Second, 10*time.Millisecond, make(chan struct{}, 2)
	})
	r.Follow(t, apitest.Bearer) // and never reads on
	quick, _ := r.Follow(t, apitest.Bearer)
	apitest.NextEvent(t, quick)
	apitest.NextEvent(t, quick)
	if _, resp := r.Follow(t, apitest.Bearer); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Fatalf("a third client: %d", resp.StatusCode)
	}
	big := strings.Repeat("x", 1<<20)
	for i := range 10_000 {
		m.Scene.Set(func(st *api.Status) { st.Dispatches = []api.Dispatch{{ID: "d1", Attempts: i + 1, Error: big}} })
		name, data := apitest.NextEvent(t, quick)
		for name+data == "" { // a comment, by which the server sees that the client is there
			name, data = apitest.NextEvent(t, quick)
		}
		if name != "dispatch" || len(data) < len(big) {
			t.Fatalf("the quick one read %s with %d bytes", name, len(data))
		}
		if _, resp := r.Follow(t, apitest.Bearer); resp.StatusCode == http.StatusOK {
			t.Logf("its place was free after %d MiB", i+1)
			return
		}
	}
	t.Error("a client that does not read is kept")
}

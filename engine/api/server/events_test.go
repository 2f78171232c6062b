package server

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/testdata/testmain"
)

// startMoving runs a server whose feed looks often.
func startMoving(t *testing.T, change ...func(*Server)) (*running, *apitest.Moving) {
	t.Helper()
	m := &apitest.Moving{}
	r := start(t, append(change, func(s *Server) {
		m.Backend = s.backend.(*apitest.Backend)
		s.backend = m
		s.feed.rest, s.feed.slow = time.Millisecond, time.Millisecond
	})...)
	return r, m
}

func TestEventsFollowTheState(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it follows events for seconds")
	// Reading and answering have less time than the stream lasts.
	r, m := startMoving(t, func(s *Server) { s.limits.read, s.limits.write = 2*time.Second, 4*time.Second })
	stream, resp := r.Follow(t, apitest.Bearer)
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
		<-time.After(time.Second)
		m.Scene.Set(func(st *api.Status) { st.Dispatches = []api.Dispatch{{ID: "d1", Attempts: i + 1, Error: text}} })
		name, data := apitest.NextEvent(t, stream)
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
	r, _ := startMoving(t, func(s *Server) { s.limits.drain = apitest.Patience })
	var streams []*bufio.Reader
	for range 3 {
		stream, _ := r.Follow(t, apitest.Bearer)
		apitest.NextEvent(t, stream)
		apitest.NextEvent(t, stream)
		streams = append(streams, stream)
	}
	begun := time.Now()
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begun); d > apitest.Patience/2 {
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
	t.Parallel()
	r, m := startMoving(t, func(s *Server) {
		s.limits.write, s.feed.wait, s.feed.places = 3*time.Second, 10*time.Millisecond, make(chan struct{}, 2)
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
		if name, data := apitest.NextEvent(t, quick); name != "dispatch" || len(data) < len(big) {
			t.Fatalf("the quick one read %s with %d bytes", name, len(data))
		}
		if _, resp := r.Follow(t, apitest.Bearer); resp.StatusCode == http.StatusOK {
			t.Logf("its place was free after %d MiB", i+1)
			return
		}
	}
	t.Error("a client that does not read is kept")
}

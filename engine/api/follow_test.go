package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// following is a client that follows until the test ends, and what it was told.
type following struct {
	mu    sync.Mutex // guards what follows
	told  []Status
	ended error
}

func (f *following) last() (Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.told) == 0 {
		return Status{}, f.ended
	}
	return f.told[len(f.told)-1], f.ended
}

func (r *running) following(t *testing.T) *following {
	t.Helper()
	f := &following{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := NewClient(r.port, testToken).Follow(ctx, func(s Status) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.told = append(f.told, s)
		})
		f.mu.Lock()
		defer f.mu.Unlock()
		f.ended = err
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return f
}

func (f *following) until(t *testing.T, what string, is func(Status, error) bool) {
	t.Helper()
	waitFor(t, what, func() bool { return is(f.last()) })
}

func TestFollow(t *testing.T) {
	r, m := startMoving(t)
	m.scene.set(func(s *Status) { s.Dispatches = []Dispatch{{ID: "a", Status: "queued"}} })
	f := r.following(t)
	f.until(t, "the status", func(s Status, _ error) bool { return len(s.Dispatches) == 1 && len(s.Endpoints) > 0 })
	m.scene.set(func(s *Status) {
		s.Dispatches = []Dispatch{{ID: "b", CreatedAt: time.Unix(9, 0)}, {ID: "a", Status: "done"}}
		s.Queue.Done, s.Watcher.Running = 1, true
	})
	f.until(t, "what has changed", func(s Status, _ error) bool {
		return len(s.Dispatches) == 2 && s.Dispatches[0].ID == "b" && s.Dispatches[1].Status == "done" && s.Queue.Done == 1 && s.Watcher.Running
	})
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	f.until(t, "the end", func(_ Status, err error) bool { return err != nil })
	if _, err := f.last(); !errors.Is(err, errEnded) {
		t.Errorf("an end in order: %v", err)
	}
	if err := NewClient(r.port, testToken).Follow(t.Context(), func(Status) { t.Error("told") }); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after it: %v", err)
	}
}

// Whoever may not follow is told so in a way that says what to do instead.
func TestFollowRefused(t *testing.T) {
	r, _ := startMoving(t, func(s *Server) { s.feed.wait, s.feed.places = 10*time.Millisecond, make(chan struct{}) })
	older := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Server", product)
		reply(w, refusal(http.StatusNotFound, "not_found", "There is no such call."))
	}))
	defer older.Close()
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "event: snapshot\ndata: {}\n\n")
	}))
	defer stranger.Close()
	port := func(s *httptest.Server) int {
		_, text, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, test := range []struct {
		name   string
		client *Client
		status int // 0 = none of ours
	}{
		{"no room", NewClient(r.port, testToken), http.StatusTooManyRequests},
		{"no token", NewClient(r.port, ""), http.StatusUnauthorized},
		{"an older engine", NewClient(port(older), testToken), http.StatusNotFound},
		{"a stranger", NewClient(port(stranger), testToken), 0},
	} {
		err := test.client.Follow(t.Context(), func(s Status) { t.Errorf("%s told %+v", test.name, s) })
		refused, ok := errors.AsType[*StatusError](err)
		if ok != (test.status != 0) || ok && refused.Status != test.status || !ok && !errors.Is(err, ErrNotOurs) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// wire is a transport whose answer a test writes.
type wire struct {
	answer *io.PipeWriter
	body   *io.PipeReader
}

func newWire() *wire {
	w := &wire{}
	w.body, w.answer = io.Pipe()
	return w
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	context.AfterFunc(r.Context(), func() { w.body.CloseWithError(r.Context().Err()) })
	return &http.Response{StatusCode: http.StatusOK, Body: w.body, Request: r,
		Header: http.Header{"Server": {product}, "Content-Type": {"text/event-stream"}}}, nil
}

// A stream that says nothing any more has ended, however open its connection is. One
// that beats has not.
func TestFollowNoticesSilence(t *testing.T) {
	for _, beats := range []int{-1, 0, 3} { // -1: it never says anything
		synctest.Test(t, func(t *testing.T) {
			w, told := newWire(), 0
			c := NewClient(1, testToken)
			c.http.Transport = w
			begun := time.Now()
			go func() {
				if beats < 0 {
					return
				}
				io.WriteString(w.answer, "retry: 2000\n\nevent: snapshot\ndata: {}\n\n")
				for range beats {
					time.Sleep(heartbeat)
					io.WriteString(w.answer, ": still here\n\n")
				}
			}()
			err := c.Follow(t.Context(), func(Status) { told++ })
			want, times := time.Duration(beats)*heartbeat+silence, 1
			if beats < 0 {
				want, times = firstWord, 0
			}
			if took := time.Since(begun); !errors.Is(err, errSilent) || !errors.Is(err, context.DeadlineExceeded) || told != times || took != want {
				t.Errorf("%d beats: told %d times, ended after %s: %v", beats, told, took, err)
			}
		})
	}
}

// What is cut off in the middle of an event was not said.
func TestFollowCutOff(t *testing.T) {
	const text = "event: snapshot\ndata: {\"queue\":{\"done\":1}}\n\nevent: new kind\ndata: x\n\nevent: state\ndata: {\"queue\":{\"done\":2}}\n\n"
	whole := strings.Count(text, "\n\n")
	for cut := range len(text) + 1 {
		w, told := newWire(), 0
		c := NewClient(1, testToken)
		c.http.Transport = w
		go func() {
			io.WriteString(w.answer, text[:cut])
			w.answer.Close()
		}()
		err := c.Follow(t.Context(), func(Status) { told++ })
		if want := strings.Count(text[:cut], "\n\n"); !errors.Is(err, errEnded) || told != want || cut == len(text) && told != whole {
			t.Errorf("cut at %d: told %d times, want %d: %v", cut, told, want, err)
		}
	}
}

// Who has heard the differences knows the state: of each dispatch that is listed,
// in its order, and all the rest.
func TestDifferencesLeadToTheState(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	states := []string{"queued", "processing", "done", "done", "done"}
	var server, client Status
	if err := client.apply("snapshot", pack("snapshot", server).data); err != nil {
		t.Fatal(err)
	}
	for i := range 600 {
		last := server
		server.Dispatches = slices.Clone(server.Dispatches)
		for range r.IntN(2) {
			d := Dispatch{ID: fmt.Sprint(i, r.Int()), Status: "queued", Lines: []int{}, CreatedAt: time.Unix(int64(i), 0).UTC()}
			server.Dispatches = slices.Insert(server.Dispatches, 0, d)
		}
		for range min(r.IntN(3), len(server.Dispatches)) {
			server.Dispatches[r.IntN(len(server.Dispatches))].Status = states[r.IntN(len(states))]
		}
		before := slices.Concat(last.Dispatches)
		for i := len(server.Dispatches) - 1; i >= 50; i-- { // what ends is listed once more
			if d := server.Dispatches[i]; d.Status == "done" && slices.ContainsFunc(before, func(o Dispatch) bool { return o.ID == d.ID && o.Status == "done" }) {
				server.Dispatches = slices.Delete(server.Dispatches, i, i+1)
			}
		}
		server.Queue.Done, server.Watcher.Running, server.Dashboard = r.IntN(3), r.IntN(2) > 0, r.IntN(2) > 0
		server.Vaults, server.Agents, server.Notices = []Vault{{Name: "v", Notes: r.IntN(3)}}, []Agent{}, []string{}
		for _, m := range differences(last, server) {
			if err := client.apply(m.name, m.data); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(changeOf(client), changeOf(server)) {
			t.Fatalf("turn %d: %+v, want %+v", i, changeOf(client), changeOf(server))
		}
		var shown []Dispatch
		for i, d := range server.Dispatches {
			if i < 50 || d.Status != "done" {
				shown = append(shown, d)
			}
		}
		known := slices.DeleteFunc(slices.Concat(client.Dispatches), func(d Dispatch) bool {
			return !slices.ContainsFunc(shown, func(o Dispatch) bool { return o.ID == d.ID })
		})
		if !slices.EqualFunc(known, shown, func(a, b Dispatch) bool { return reflect.DeepEqual(a, b) }) {
			t.Fatalf("turn %d: of %d dispatches %d are known, or they are known otherwise", i, len(shown), len(known))
		}
	}
	ended := 0
	for _, d := range client.Dispatches {
		if d.Status == "done" {
			ended++
		}
	}
	if ended > mostFollowed {
		t.Errorf("%d dispatches that have ended are kept", ended)
	}
}

// Whoever wakes from a sleep reads what was said meanwhile before calling it silence.
func TestSleepIsNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, cut := time.Now(), time.Duration(0)
		a := newAlarm(silence, func() { cut = time.Since(begun) })
		a.mu.Lock()
		a.at = a.at.Add(-time.Minute) // it is to have rung then
		a.mu.Unlock()
		time.Sleep(silence + overslept/2)
		if synctest.Wait(); cut != 0 {
			t.Fatalf("cut after %s, just awake", cut)
		}
		a.set(silence)
		time.Sleep(time.Minute)
		if synctest.Wait(); cut != silence+overslept/2+silence {
			t.Errorf("cut after %s", cut)
		}
	})
}

// The end of one that is older than all that are kept is told, too.
func TestAnOldEndIsFollowed(t *testing.T) {
	var list []Dispatch
	for i := range mostFollowed + 10 {
		list = put(list, Dispatch{ID: fmt.Sprint(i), Status: "done", CreatedAt: time.Unix(int64(1000+i), 0)})
	}
	list = put(list, Dispatch{ID: "old", Status: "failed", CreatedAt: time.Unix(1, 0)})
	if n := len(list); n != mostFollowed || list[n-1].ID != "old" {
		t.Errorf("%d are kept, the last is %s", n, list[n-1].ID)
	}
}

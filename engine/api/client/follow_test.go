package client

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// following is a client that follows until the test ends, and what it was told.
type following struct {
	mu    sync.Mutex // guards what follows
	told  []api.Status
	ended error
}

func (f *following) last() (api.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.told) == 0 {
		return api.Status{}, f.ended
	}
	return f.told[len(f.told)-1], f.ended
}

// startServer runs a server until the test ends.
func startServer(t *testing.T, backend api.Backend) (*site, func() error) {
	t.Helper()
	s := server.New(backend, apitest.Token, slog.New(slog.DiscardHandler))
	caller, stop := apitest.Serve(t, s.Run)
	return &site{caller, s}, stop
}

// site is a server on a real port.
type site struct {
	*apitest.Caller
	server *server.Server
}

func (r *site) following(t *testing.T) *following {
	t.Helper()
	f := &following{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := New(r.Port, apitest.Token).Follow(ctx, func(s api.Status) {
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

func (f *following) until(t *testing.T, what string, is func(api.Status, error) bool) {
	t.Helper()
	apitest.WaitFor(t, what, func() bool { return is(f.last()) })
}

func TestFollow(t *testing.T) {
	m := &apitest.Moving{Backend: apitest.NewBackend(t)}
	r, stop := startServer(t, m)
	m.Scene.Set(func(s *api.Status) { s.Dispatches = []api.Dispatch{{ID: "a", Status: "queued"}} })
	f := r.following(t)
	f.until(t, "the status", func(s api.Status, _ error) bool { return len(s.Dispatches) == 1 && len(s.Endpoints) > 0 })
	m.Scene.Set(func(s *api.Status) {
		s.Dispatches = []api.Dispatch{{ID: "b", CreatedAt: time.Unix(9, 0)}, {ID: "a", Status: "done"}}
		s.Queue.Done, s.Watcher.Running = 1, true
	})
	r.server.Changed()
	f.until(t, "what has changed", func(s api.Status, _ error) bool {
		return len(s.Dispatches) == 2 && s.Dispatches[0].ID == "b" && s.Dispatches[1].Status == "done" && s.Queue.Done == 1 && s.Watcher.Running
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	f.until(t, "the end", func(_ api.Status, err error) bool { return err != nil })
	if _, err := f.last(); !errors.Is(err, errEnded) {
		t.Errorf("an end in order: %v", err)
	}
	if err := New(r.Port, apitest.Token).Follow(t.Context(), func(api.Status) { t.Error("told") }); !errors.Is(err, api.ErrNotRunning) {
		t.Errorf("after it: %v", err)
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
		Header: http.Header{"Server": {api.Product}, "Content-Type": {"text/event-stream"}}}, nil
}

// A stream that says nothing any more has ended, however open its connection is. One
// that beats has not.
func TestFollowNoticesSilence(t *testing.T) {
	for _, beats := range []int{-1, 0, 3} { // -1: it never says anything
		synctest.Test(t, func(t *testing.T) {
			w, told := newWire(), 0
			c := New(1, apitest.Token)
			c.http.Transport = w
			begun := time.Now()
			go func() {
				if beats < 0 {
					return
				}
				io.WriteString(w.answer, "retry: 2000\n\nevent: snapshot\ndata: {}\n\n")
				for range beats {
					time.Sleep(api.Heartbeat)
					io.WriteString(w.answer, ": still here\n\n")
				}
			}()
			err := c.Follow(t.Context(), func(api.Status) { told++ })
			want, times := time.Duration(beats)*api.Heartbeat+silence, 1
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
		c := New(1, apitest.Token)
		c.http.Transport = w
		go func() {
			io.WriteString(w.answer, text[:cut])
			w.answer.Close()
		}()
		err := c.Follow(t.Context(), func(api.Status) { told++ })
		if want := strings.Count(text[:cut], "\n\n"); !errors.Is(err, errEnded) || told != want || cut == len(text) && told != whole {
			t.Errorf("cut at %d: told %d times, want %d: %v", cut, told, want, err)
		}
	}
}

// Whoever wakes from a sleep reads what was said meanwhile before calling it silence.
func TestSleepIsNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, cut := time.Now(), time.Duration(0)
		a := newAlarm(silence, func() { cut = time.Since(begun) })
		a.mu.Lock()
		a.time = a.time.Add(-time.Minute) // it is to have rung then
		a.mu.Unlock()
		time.Sleep(silence + overslept/2)
		if synctest.Wait(); cut != 0 {
			t.Fatalf("cut after %s, just awake", cut)
		}
		a.setAfter(silence)
		time.Sleep(time.Minute)
		if synctest.Wait(); cut != silence+overslept/2+silence {
			t.Errorf("cut after %s", cut)
		}
	})
}

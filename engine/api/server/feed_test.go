package server

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// feeding runs a feed in a bubble of synctest.
func feeding(t *testing.T, test func(t *testing.T, f *feed, s *apitest.Scene)) {
	synctest.Test(t, func(t *testing.T) {
		s := &apitest.Scene{Now: api.Status{Uptime: "1s", Queue: api.Queue{Done: 1}, Dispatches: []api.Dispatch{{ID: "old", Status: "done"}}}}
		f := newFeed(s.Read, slog.New(slog.DiscardHandler))
		ctx, cancel := context.WithCancel(t.Context())
		go f.run(ctx)
		test(t, f, s)
		cancel()
		<-f.end
	})
}

// heard is what has come until now, each message by its name and a word of it.
func heard(l *listener) string {
	synctest.Wait()
	var all []string
	for {
		select {
		case m, ok := <-l.messages:
			if !ok {
				return strings.Join(append(all, "dropped"), " ")
			}
			var d api.Dispatch
			if err := json.Unmarshal(m.data, &d); err != nil {
				return err.Error()
			}
			all = append(all, strings.TrimRight(m.name+":"+d.ID+":"+d.Status, ":"))
		default:
			return strings.Join(all, " ")
		}
	}
}

func join(t *testing.T, f *feed) *listener {
	t.Helper()
	l, err := f.addListener(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFeedTellsASnapshotAndThenChanges(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, s *apitest.Scene) {
		l := join(t, f)
		if got := heard(l); got != "snapshot" {
			t.Errorf("at first: %q", got)
		}
		s.Set(func(st *api.Status) { st.Uptime = "60s" })
		f.markChanged()
		time.Sleep(time.Minute)
		if got := heard(l); got != "" {
			t.Errorf("nothing has changed: %q", got)
		}
		s.Set(func(st *api.Status) {
			st.Dispatches = []api.Dispatch{{ID: "b", Status: "queued"}, {ID: "a", Status: "processing"}, {ID: "old", Status: "done"}}
			st.Queue.Queued = 1
		})
		f.markChanged()
		if got := heard(l); got != "dispatch:a:processing dispatch:b:queued state" {
			t.Errorf("two dispatches, at once: %q", got)
		}
		s.Set(func(st *api.Status) {
			st.Dispatches = []api.Dispatch{{ID: "b", Status: "queued"}, {ID: "a", Status: "done"}}
		})
		second := join(t, f)
		if got := heard(second); got != "snapshot" {
			t.Errorf("who comes later: %q", got)
		}
		if got := heard(l); got != "dispatch:a:done" {
			t.Errorf("and who was there: %q", got)
		}
	})
}

func TestFeedLooksOnlyForListeners(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, s *apitest.Scene) {
		for range 100 {
			f.markChanged()
			time.Sleep(time.Hour)
		}
		if looks := s.Looked(); looks != 0 {
			t.Errorf("looked %d times with nobody there", looks)
		}
		l := join(t, f)
		time.Sleep(10*f.slow + f.slow/2)
		f.removeListener(l)
		synctest.Wait()
		if looks := s.Looked(); looks != 11 {
			t.Errorf("looked %d times in ten and a half turns in which nothing happened", looks)
		}
		f.markChanged()
		time.Sleep(24 * time.Hour)
		if looks := s.Looked(); looks != 11 {
			t.Errorf("looked %d times, after the listener had left", looks)
		}
		f.removeListener(l) // once more does no harm
	})
}

// However much happens, it is looked once for each rest; the first change is told
// at once, and the last one is not forgotten.
func TestFeedLooksOnceForManyChanges(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, s *apitest.Scene) {
		l := join(t, f)
		time.Sleep(time.Second)
		heard(l)
		before, begun := s.Looked(), time.Now()
		for i := range 1000 {
			s.Set(func(st *api.Status) { st.Queue.Done = i + 2 })
			f.markChanged()
			if got := heard(l); i == 0 && got != "state" {
				t.Errorf("the first change: %q", got)
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(f.rest)
		if looks, most := s.Looked()-before, int(time.Since(begun)/f.rest)+1; looks > most || looks < most-1 {
			t.Errorf("looked %d times in %s", looks, time.Since(begun))
		}
		synctest.Wait()
		var last api.StateEvent
		for len(l.messages) > 0 {
			last = api.StateEvent{}
			if err := json.Unmarshal((<-l.messages).data, &last); err != nil {
				t.Fatal(err)
			}
		}
		if last.Queue.Done != 1001 {
			t.Errorf("the last told is change %d", last.Queue.Done)
		}
		if time.Sleep(f.slow / 2); s.Looked()-before > 6 {
			t.Errorf("and looked %d times when all was over", s.Looked()-before)
		}
	})
}

// A look that takes long is rested after for as much longer, whoever asks for one.
func TestFeedRestsAfterALongLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		f := newFeed(func(context.Context) (api.Status, error) {
			looks++
			time.Sleep(time.Second)
			return api.Status{Uptime: "1s"}, nil
		}, slog.New(slog.DiscardHandler))
		ctx, cancel := context.WithCancel(t.Context())
		go f.run(ctx)
		join(t, f)
		for range 60_000 {
			f.markChanged()
			time.Sleep(time.Millisecond)
		}
		cancel()
		<-f.end
		if looks > 6 {
			t.Errorf("looked %d times in a minute, a second each", looks)
		}
	})
}

// One look that took long, for the disk stood still, does not keep the next change from
// being told.
func TestFeedForgivesOneLongLook(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, s *apitest.Scene) {
		l := join(t, f)
		time.Sleep(time.Minute)
		s.Set(func(st *api.Status) { s.Takes, st.Queue.Done = 2*time.Second, 2 })
		f.markChanged()
		time.Sleep(2 * time.Second)
		heard(l)
		s.Set(func(st *api.Status) { s.Takes, st.Queue.Done = 0, 3 })
		f.markChanged()
		time.Sleep(f.rest)
		if got := heard(l); got != "state" {
			t.Errorf("told %q within %s", got, f.rest)
		}
	})
}

func TestFeedTellsVeryManyChangesAsASnapshot(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, s *apitest.Scene) {
		l := join(t, f)
		heard(l)
		s.Set(func(st *api.Status) {
			for i := range 2 * f.room {
				st.Dispatches = append(st.Dispatches, api.Dispatch{ID: strconv.Itoa(i), Status: "queued"})
			}
		})
		f.markChanged()
		time.Sleep(f.rest)
		if got := heard(l); got != "snapshot" {
			t.Errorf("got %q", got)
		}
	})
}

func TestFeedDropsWhoFallsBehind(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, s *apitest.Scene) {
		slow, quick := join(t, f), join(t, f)
		for i := range 3 * f.room {
			s.Set(func(st *api.Status) { st.Queue.Done = i + 2 })
			f.markChanged()
			time.Sleep(f.rest)
			if got := heard(quick); strings.Contains(got, "dropped") {
				t.Fatalf("turn %d: the quick one is dropped", i)
			}
		}
		got := strings.Fields(heard(slow))
		if len(got) != f.room+1 || got[f.room] != "dropped" {
			t.Errorf("the slow one got %d messages, the last %q", len(got), got[len(got)-1])
		}
		f.removeListener(slow)
		if got := heard(join(t, f)); got != "snapshot" {
			t.Errorf("it came again: %q", got)
		}
	})
}

func TestFeedIsBounded(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, _ *apitest.Scene) {
		var all []*listener
		for range cap(f.places) {
			all = append(all, join(t, f))
		}
		_, err := f.addListener(t.Context())
		var status *api.StatusError
		if !errors.As(err, &status) || status.Code != "rate_limited" {
			t.Errorf("one too many: %v", err)
		}
		f.removeListener(all[0])
		f.removeListener(all[0])
		join(t, f)
		if _, err := f.addListener(t.Context()); !errors.As(err, &status) {
			t.Errorf("a place was given back twice: %v", err)
		}
	})
}

// Those who wait for a place leave connections to everybody else: not all may wait.
func TestFeedBoundsWhoWaits(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, _ *apitest.Scene) {
		for range cap(f.places) {
			join(t, f)
		}
		var waiting sync.WaitGroup
		begun := time.Now()
		for range cap(f.waiting) {
			waiting.Go(func() {
				if _, err := f.addListener(t.Context()); err == nil || time.Since(begun) != f.wait {
					t.Errorf("one that may wait: %v after %v", err, time.Since(begun))
				}
			})
		}
		synctest.Wait()
		status, _ := errors.AsType[*api.StatusError](second(f.addListener(t.Context())))
		if status == nil || status.Status != http.StatusTooManyRequests || time.Since(begun) != 0 {
			t.Errorf("one more: %v after %v", status, time.Since(begun))
		}
		waiting.Wait()
		if len(f.waiting) > 0 || len(f.places) != cap(f.places) {
			t.Errorf("%d still wait, %d have a place", len(f.waiting), len(f.places))
		}
	})
}

func second[T any](_ T, err error) error { return err }

// A page that closes its stream and at once opens another one is not turned away
// because the end of the first was not noticed yet.
func TestFeedWaitsForAPlace(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, _ *apitest.Scene) {
		var last *listener
		for range cap(f.places) {
			last = join(t, f)
		}
		go func() {
			time.Sleep(f.wait / 2)
			f.removeListener(last)
		}()
		if got := heard(join(t, f)); got != "snapshot" {
			t.Errorf("who has waited hears %q", got)
		}
		leaving, cancel := context.WithTimeout(t.Context(), f.wait/2)
		defer cancel()
		if _, err := f.addListener(leaving); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one that went away meanwhile: %v", err)
		}
	})
}

func TestFeedGoesOnAfterAFailure(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, s *apitest.Scene) {
		s.Lock()
		s.Err = errors.New("the disk is away")
		s.Unlock()
		l := join(t, f)
		time.Sleep(time.Minute)
		if got := heard(l); got != "" {
			t.Errorf("heard %q of a state nobody knows", got)
		}
		s.Lock()
		s.Err = nil
		s.Unlock()
		time.Sleep(2 * time.Second)
		if got := heard(l); got != "snapshot" {
			t.Errorf("then: %q", got)
		}
	})
}

func TestFeedEndsItsListeners(t *testing.T) {
	feeding(t, func(t *testing.T, f *feed, _ *apitest.Scene) {
		ctx, cancel := context.WithCancel(t.Context())
		other := newFeed(f.read, f.log)
		go other.run(ctx)
		l := join(t, other)
		cancel()
		<-other.end
		if got := heard(l); !strings.HasSuffix(got, "dropped") {
			t.Errorf("at the end: %q", got)
		}
		if _, err := other.addListener(t.Context()); !errors.Is(err, api.ErrStopping) {
			t.Errorf("after it: %v", err)
		}
		other.removeListener(l)
	})
}

// guest is a session that a test ends.
type guest struct{ gone atomic.Bool }

func (g *guest) Alive(time.Time) bool { return !g.gone.Load() }

func TestStreamBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(&apitest.Backend{}, apitest.Token, slog.New(slog.DiscardHandler))
		of := &guest{}
		a := &stream{server: s, listener: &listener{messages: make(chan message, 2)}, session: of}
		a.listener.messages <- message{name: "state", data: []byte(`{"x":1}`)}
		var got strings.Builder
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			a.copyMessages(t.Context(), func(p []byte) bool { got.Write(p); return true })
		}()
		time.Sleep(2*api.Heartbeat + 1)
		synctest.Wait()
		want := "retry: 2000\n\nevent: state\ndata: {\"x\":1}\n\n" + strings.Repeat(": still here\n\n", 2)
		if got.String() != want {
			t.Errorf("got %q, want %q", got.String(), want)
		}
		of.gone.Store(true)
		begun := time.Now()
		<-ended
		if d := time.Since(begun); d > api.Heartbeat {
			t.Errorf("the stream outlived its session by %s", d)
		}
		if got.String() != want {
			t.Errorf("after the session's end came %q", strings.TrimPrefix(got.String(), want))
		}
	})
}

package watch

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// out is what came out of a Debounce, and when.
type out struct {
	at   time.Duration
	path string
	kind Kind
}

// debounced plays a script of events, each at its time, and returns what comes
// out and at which time, to the nanosecond.
func debounced(t *testing.T, quiet, limit time.Duration, script []out) []out {
	t.Helper()
	var got []out
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		d := NewDebounce(quiet, limit)
		done := make(chan error)
		go func() {
			done <- d.Run(ctx, func(e Event) {
				got = append(got, out{time.Since(start), e.Path, e.Kind})
			})
		}()
		for _, s := range script {
			time.Sleep(s.at - time.Since(start))
			d.Add(Event{Path: s.path, Kind: s.kind, Time: time.Now()})
		}
		time.Sleep(time.Minute)
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run returned %v", err)
		}
	})
	return got
}

func every(step, until time.Duration, path string) (script []out) {
	for at := time.Duration(0); at < until; at += step {
		script = append(script, out{at, path, Changed})
	}
	return script
}

func TestDebounceTimes(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name   string
		script []out
		want   []out
	}{
		{"one", []out{{0, "a", Changed}}, []out{{1000 * ms, "a", Changed}}},
		{"trailing", []out{{0, "a", Changed}, {999 * ms, "a", Changed}}, []out{{1999 * ms, "a", Changed}}},
		{"two saves", []out{{0, "a", Changed}, {1001 * ms, "a", Changed}}, []out{{1000 * ms, "a", Changed}, {2001 * ms, "a", Changed}}},
		{"maximum wait", every(500*ms, 7000*ms, "a"), []out{{5000 * ms, "a", Changed}, {7500 * ms, "a", Changed}}},
		{"remove and write", []out{{0, "a", Removed}, {10 * ms, "a", Changed}}, []out{{1010 * ms, "a", Changed}}},
		{"write and remove", []out{{0, "a", Changed}, {10 * ms, "a", Removed}}, []out{{1010 * ms, "a", Removed}}},
		{"paths apart", []out{{0, "a", Changed}, {100 * ms, "b", Removed}, {900 * ms, "a", Changed}},
			[]out{{1100 * ms, "b", Removed}, {1900 * ms, "a", Changed}}},
		{"late start", []out{{30 * time.Second, "a", Changed}}, []out{{31 * time.Second, "a", Changed}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := debounced(t, time.Second, 5*time.Second, tt.script); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestDebounceLimitBelowQuiet(t *testing.T) {
	got := debounced(t, time.Second, 0, []out{{0, "a", Changed}, {500 * time.Millisecond, "a", Changed}})
	if want := []out{{time.Second, "a", Changed}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Ten thousand paths come out each at its own time, in that order, and with the
// time at which the first event of each was seen.
func TestDebounceManyPaths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 10_000
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		d := NewDebounce(time.Second, 5*time.Second)
		var got []Event
		done := make(chan error)
		go func() {
			done <- d.Run(ctx, func(e Event) {
				if wait := time.Since(e.Time); wait != 1200*time.Microsecond+time.Second {
					t.Errorf("%s came out after %v", e.Path, wait)
				}
				got = append(got, e)
			})
		}()
		for i := range n {
			time.Sleep(100 * time.Microsecond)
			d.Add(Event{Path: fmt.Sprint(i), Time: time.Now(), Via: ViaNative})
			if i >= 12 {
				d.Add(Event{Path: fmt.Sprint(i - 12), Time: time.Now(), Via: ViaRescan})
			}
		}
		for i := n - 12; i < n; i++ {
			time.Sleep(100 * time.Microsecond)
			d.Add(Event{Path: fmt.Sprint(i), Time: time.Now(), Via: ViaRescan})
		}
		time.Sleep(10 * time.Second)
		cancel()
		<-done
		if len(got) != n {
			t.Fatalf("%d events came out of %d paths after %v", len(got), n, time.Since(start))
		}
		for i, e := range got {
			if e.Path != fmt.Sprint(i) || e.Via != ViaNative {
				t.Fatalf("event %d is %+v", i, e)
			}
		}
	})
}

// What waits when Run ends is not lost: the next Run passes it on.
func TestDebounceRunsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewDebounce(time.Second, 5*time.Second)
		d.Add(Event{Path: "a"})
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if err := d.Run(ctx, func(e Event) { t.Errorf("%s came out too early", e.Path) }); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		ctx, cancel = context.WithCancel(t.Context())
		if err := d.Run(ctx, func(Event) { cancel() }); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 500*time.Millisecond {
			t.Errorf("came out after %v more", waited)
		}
	})
}

// A reader that is slow delays the rest but loses nothing, and what changes
// while it reads is read again.
func TestDebounceSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		d := NewDebounce(time.Second, 5*time.Second)
		d.Add(Event{Path: "a"})
		d.Add(Event{Path: "b"})
		var got []string
		err := d.Run(ctx, func(e Event) {
			got = append(got, e.Path)
			time.Sleep(3 * time.Second)
			if len(got) == 1 {
				d.Add(Event{Path: e.Path})
			}
			if len(got) == 3 {
				cancel()
			}
		})
		if err != nil || len(got) != 3 || got[0] == got[1] || got[2] != got[0] {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

// verified plays what a Debounce finds when it looks at the note "a": at each time
// the entry that is there from then on, nil for none.
func verified(t *testing.T, script []out, changes map[time.Duration]*disk.Entry) (got []out, looks int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		d := NewDebounce(time.Second, 5*time.Second)
		there := func() (e *disk.Entry) {
			latest := time.Duration(-1)
			for at, now := range changes {
				if at <= time.Since(start) && at > latest {
					latest, e = at, now
				}
			}
			return e
		}
		d.stat = func(string) (disk.Entry, error) {
			looks++
			if e := there(); e != nil {
				return *e, nil
			}
			return disk.Entry{}, fs.ErrNotExist
		}
		done := make(chan error)
		go func() {
			done <- d.Run(ctx, func(e Event) { got = append(got, out{time.Since(start), e.Path, e.Kind}) })
		}()
		for _, s := range script {
			time.Sleep(s.at - time.Since(start))
			e := Event{Path: s.path, Kind: s.kind, Time: time.Now()}
			if now := there(); now != nil {
				e.Stamp = now.Stamp
			}
			d.Add(e)
		}
		time.Sleep(time.Minute)
		cancel()
		<-done
	})
	return got, looks
}

func TestDebounceVerifies(t *testing.T) {
	const ms = time.Millisecond
	text := func(size int64) *disk.Entry { return &disk.Entry{Type: disk.File, Stamp: disk.Stamp{Size: size}} }
	changing := map[time.Duration]*disk.Entry{}
	for i := range 200 {
		changing[time.Duration(i)*100*ms] = text(int64(i))
	}
	tests := []struct {
		name    string
		script  []out
		changes map[time.Duration]*disk.Entry
		want    []out
	}{
		{"as it was seen", []out{{0, "a", Changed}}, map[time.Duration]*disk.Entry{0: text(1)},
			[]out{{1000 * ms, "a", Changed}}},
		{"a write nothing told of", []out{{0, "a", Changed}}, map[time.Duration]*disk.Entry{0: text(1), 900 * ms: text(2)},
			[]out{{1250 * ms, "a", Changed}}},
		{"written without end", []out{{0, "a", Changed}}, changing,
			[]out{{5000 * ms, "a", Changed}}},
		{"gone", []out{{0, "a", Removed}}, nil,
			[]out{{2000 * ms, "a", Removed}}},
		{"gone though it was seen", []out{{0, "a", Changed}}, map[time.Duration]*disk.Entry{0: text(1), 500 * ms: nil},
			[]out{{2000 * ms, "a", Removed}}},
		{"gone for a moment", []out{{0, "a", Removed}}, map[time.Duration]*disk.Entry{1500 * ms: text(1)},
			[]out{{2250 * ms, "a", Changed}}},
		{"said to be gone", []out{{0, "a", Removed}}, map[time.Duration]*disk.Entry{0: text(1)},
			[]out{{1250 * ms, "a", Changed}}},
		{"back, and told of", []out{{0, "a", Removed}, {1500 * ms, "a", Changed}}, map[time.Duration]*disk.Entry{1500 * ms: text(1)},
			[]out{{2500 * ms, "a", Changed}}},
		{"a folder by its name", []out{{0, "a", Changed}}, map[time.Duration]*disk.Entry{0: {Type: disk.Folder}},
			[]out{{2000 * ms, "a", Removed}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, looks := verified(t, tt.script, tt.changes)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if looks > 20 {
				t.Errorf("looked %d times", looks)
			}
		})
	}
}

// A note that cannot be looked at is for the reader to fail on.
func TestDebounceOutOfReach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		d := NewDebounce(time.Second, 5*time.Second)
		d.stat = func(string) (disk.Entry, error) { return disk.Entry{}, syscall.EIO }
		d.Add(Event{Path: "a"})
		start := time.Now()
		if err := d.Run(ctx, func(Event) { cancel() }); err != nil || time.Since(start) != time.Second {
			t.Errorf("came out after %v, %v", time.Since(start), err)
		}
	})
}

// What is found while the note is looked at is merged with what waits: the event
// tells when it began.
func TestDebounceMergesWhileLooking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		d := NewDebounce(time.Second, 5*time.Second)
		began := time.Now()
		looks := 0
		d.stat = func(string) (disk.Entry, error) {
			if looks++; looks == 1 {
				d.Add(Event{Path: "a", Time: time.Now(), Via: ViaPoll, Stamp: disk.Stamp{Size: 2}})
				return disk.Entry{Type: disk.File, Stamp: disk.Stamp{Size: 2}}, nil
			}
			return disk.Entry{Type: disk.File, Stamp: disk.Stamp{Size: 2}}, nil
		}
		d.Add(Event{Path: "a", Time: began, Via: ViaNative, Stamp: disk.Stamp{Size: 1}})
		err := d.Run(ctx, func(e Event) {
			if !e.Time.Equal(began) || e.Via != ViaNative {
				t.Errorf("came out as %+v", e)
			}
			cancel()
		})
		if err != nil || looks != 2 || time.Since(began) != 2*time.Second {
			t.Errorf("%d looks, %v, %v", looks, time.Since(began), err)
		}
	})
}

package vault

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A look at a disk that does not come back is told after two seconds, with the time
// when it began, until it comes back.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes atomic.Int64
		f := facts{changed: func() { changes.Add(1) }}
		back, begun := make(chan struct{}), time.Now()
		go f.timeLook(func() { <-back })
		time.Sleep(silentAfter - 1)
		if got := f.describeSilence(); got != "" || changes.Load() != 0 {
			t.Errorf("just before two seconds: %q, %d changes", got, changes.Load())
		}
		time.Sleep(time.Hour)
		if got, want := f.describeSilence(), "not responding since "+begun.Local().Format("15:04"); got != want || changes.Load() != 1 {
			t.Errorf("got %q, %d changes, want %q", got, changes.Load(), want)
		}
		close(back)
		synctest.Wait()
		if got := f.describeSilence(); got != "" || changes.Load() != 2 {
			t.Errorf("after it came back: %q, %d changes", got, changes.Load())
		}
	})
}

// A call into a vault whose disk hangs ends when that is known; the caller is told why.
func TestWhileResponding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		v := &Vault{Name: "v", asked: make(chan struct{}, 1), facts: facts{changed: func() {}}}
		slow := func() (int, error) { time.Sleep(time.Hour); return 1, nil }
		if n, err := WhileResponding(ctx, v, slow); n != 1 || err != nil {
			t.Errorf("a slow call: %d, %v", n, err)
		}
		back := make(chan struct{})
		go v.facts.timeLook(func() { <-back })
		begun := time.Now()
		_, err := WhileResponding(ctx, v, slow)
		if _, ok := errors.AsType[*Silent](err); !ok || time.Since(begun) > 2*silentAfter {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		cancel()
		if _, err := WhileResponding(ctx, v, slow); !errors.Is(err, context.Canceled) {
			t.Errorf("with its context ended: %v", err)
		}
		close(back)
		time.Sleep(2 * time.Hour) // until the calls that were left behind have ended
	})
}

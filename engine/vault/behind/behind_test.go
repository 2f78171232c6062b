package behind

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/vault/facts"
)

func do(ctx context.Context, c *Calls, call func() (int, error)) (int, error) {
	return Do(ctx, c, call, func(int, error) {})
}

// A call into a vault whose disk hangs ends when that is known; the caller is told why.
func TestCallsEndWhereTheDiskHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		disk := &facts.Facts{Changed: func() {}}
		calls := &Calls{Vault: "v", Silence: disk.Silence, Ask: func() {}}
		slow := func() (int, error) { time.Sleep(time.Hour); return 1, nil }
		if n, err := do(ctx, calls, slow); n != 1 || err != nil {
			t.Errorf("a slow call: %d, %v", n, err)
		}
		back := make(chan struct{})
		go disk.TimeLook(func() { <-back })
		begun := time.Now()
		_, err := do(ctx, calls, slow)
		if _, ok := errors.AsType[*Silent](err); !ok || time.Since(begun) > 2*facts.SilentAfter {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		cancel()
		if _, err := do(ctx, calls, slow); !errors.Is(err, context.Canceled) {
			t.Errorf("with its context ended: %v", err)
		}
		close(back)
		time.Sleep(2 * time.Hour) // until the calls that were left behind have ended
	})
}

// Where the disk is known not to respond, nothing more waits for it; and before that is known only so many calls do.
func TestCallsLeftBehindAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &facts.Facts{Changed: func() {}}
		calls := &Calls{Vault: "v", Silence: disk.Silence, Ask: func() {}}
		back := make(chan struct{})
		var begun, refused atomic.Int32
		ask := func() {
			_, err := do(t.Context(), calls, func() (int, error) { begun.Add(1); <-back; return 1, nil })
			if _, ok := errors.AsType[*Silent](err); ok {
				refused.Add(1)
			}
		}
		for range 3 * most {
			go ask()
		}
		synctest.Wait()
		if begun.Load() != most || refused.Load() != 2*most {
			t.Errorf("%d calls wait for the disk, %d were refused", begun.Load(), refused.Load())
		}
		go disk.TimeLook(func() { <-back })
		time.Sleep(2 * facts.SilentAfter)
		if ask(); begun.Load() != most || refused.Load() != 3*most+1 {
			t.Errorf("on a silent disk: %d calls were begun, %d refused", begun.Load(), refused.Load())
		}
		close(back)
		synctest.Wait()
		if ask(); begun.Load() != most+1 || calls.waiting.Load() != 0 {
			t.Errorf("when it is back: %d calls were begun, %d wait", begun.Load(), calls.waiting.Load())
		}
	})
}

package writer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testseed"
)

// TestBusyNotesDelayNoOther: however many notes wait for their editors, a quiet one is
// written at once, and no more than four are written.
func TestBusyNotesDelayNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k *desk
		k = newDesk(t, func(ctx context.Context, d journal.Dispatch, _ int) error {
			if d.File == "quiet.md" {
				return pause(ctx, 10*time.Millisecond)
			}
			for range 10 {
				if err := k.waitIdly(ctx, d.Vault)(func() error { return pause(ctx, 300*time.Millisecond) }); err != nil {
					return err
				}
				if err := pause(ctx, 5*time.Millisecond); err != nil {
					return err
				}
			}
			return errors.New("the note keeps changing")
		})
		defer k.close()
		for i := range 8 {
			k.Submit(k.answered(fmt.Sprintf("busy%d.md", i), "busy"))
		}
		wait(100 * time.Millisecond)
		for i := range 20 {
			d := k.answered("quiet.md", fmt.Sprint("quiet ", i))
			k.Submit(d)
			wait(50 * time.Millisecond)
			k.want(d.ID, journal.Done, "")
		}
	})
}

// TestPlaces: writes that work, wait for others and wait for one another's notes in any
// order all end, no more than four of them work at once, and none waits for long.
func TestPlaces(t *testing.T) {
	seed := testseed.Take(t)
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		working, random := 0, rand.New(rand.NewPCG(seed, 0))
		after := func(most int) time.Duration {
			mu.Lock()
			defer mu.Unlock()
			return time.Duration(random.IntN(most)) * time.Millisecond
		}
		files := make([]chan struct{}, 6) // of 30 notes: each file has five names
		for i := range files {
			files[i] = make(chan struct{}, 1)
		}
		var k *desk
		k = newDesk(t, func(ctx context.Context, d journal.Dispatch, _ int) error {
			work := func(by int) {
				mu.Lock()
				if working += by; working > writesPerVault {
					t.Errorf("%d work at once", working)
				}
				mu.Unlock()
			}
			idly := k.waitIdly(ctx, d.Vault)
			var name int
			if _, err := fmt.Sscanf(d.File, "%d.md", &name); err != nil {
				t.Error(err)
			}
			file := files[name%len(files)]
			if err := idly(func() error { file <- struct{}{}; return nil }); err != nil {
				return err
			}
			defer func() { <-file }()
			for range 5 {
				work(1)
				err := pause(ctx, after(10))
				work(-1)
				if err = errors.Join(err, idly(func() error { return pause(ctx, after(300)) })); err != nil {
					return err
				}
			}
			return nil
		})
		defer k.close()
		var all []journal.Dispatch
		for i := range 120 {
			d := k.answered(fmt.Sprintf("%d.md", i%30), fmt.Sprint(i))
			all = append(all, d)
			k.Submit(d)
		}
		wait(time.Minute) // 20 writes of each file take 15 s on average
		for _, d := range all {
			k.want(d.ID, journal.Done, "")
		}
		if l := k.laneOf("/v"); l.atWork != 0 || len(l.returning)+len(l.candidates) > 0 {
			t.Errorf("left: %+v", l)
		}
	})
}

// TestStopWhileOthersHang: a write that wants its place back from ones that hang ends with
// the engine.
func TestStopWhileOthersHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(chan struct{})
		var k *desk
		k = newDesk(t, func(ctx context.Context, d journal.Dispatch, _ int) error {
			if d.File == "busy.md" {
				return k.waitIdly(ctx, d.Vault)(func() error { return pause(ctx, time.Second) })
			}
			<-hung
			return errors.New("it was hung")
		})
		busy := k.answered("busy.md", "busy")
		k.Submit(busy)
		for i := range writesPerVault {
			k.Submit(k.answered(fmt.Sprintf("%d.md", i), "stuck"))
		}
		wait(2 * time.Second)
		begun := time.Now()
		k.stop()
		if took := time.Since(begun); took > PartingTime {
			t.Errorf("it ended after %v", took)
		}
		k.Writer.mu.Lock()
		if k.findWrite(busy.ID) != nil {
			t.Error("the busy one has not ended")
		}
		k.Writer.mu.Unlock()
		close(hung)
		synctest.Wait()
		k.close()
	})
}

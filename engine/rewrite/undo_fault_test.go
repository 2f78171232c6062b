package rewrite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"vaultdispatcher/engine/rewrite/swap"
)

// Every operation of an undo fails in every way there is: the note then holds the
// answer or the marker and nothing else, and a healthy disk makes it good.
func TestUndoEveryOperationFails(t *testing.T) {
	cases, step := 0, 1
	if testing.Short() {
		step = 12
	}
	for _, inPlace := range []bool{false, true} {
		for at, more := 0, true; more; at += step {
			cases += len(faults)
			var met atomic.Bool
			t.Run(fmt.Sprintf("%v %d", inPlace, at), func(t *testing.T) {
				for _, fault := range faults {
					t.Run(fault.Error(), func(t *testing.T) {
						t.Parallel()
						if failingUndo(t, oneOrThree(at/step), inPlace, at, fault) {
							met.Store(true)
						}
					})
				}
			})
			more = met.Load()
		}
	}
	t.Logf("count: %d cases", cases)
}

func failingUndo(t *testing.T, text string, inPlace bool, at int, fault error) (met bool) {
	s := newScene(t, t.TempDir(), text)
	job := answered(t, s, numbered)
	answered := s.read()
	n := 0
	step := func(string) error {
		if n++; n == at+1 {
			return fault
		}
		return nil
	}
	d := newDisk(step)
	d.inPlace = inPlace
	job.Files = d
	var logged []swap.Intention
	log := logAfter(step, &logged)
	_, err := brisk.undo(ctx, job, log)
	if got := s.read(); got != text && got != answered || err == nil && got != text {
		t.Errorf("%v, and the note is\n%s", err, got)
	}
	if err != nil {
		for _, in := range logged {
			if _, err := swap.Recover(in); err != nil {
				t.Errorf("recovery: %v", err)
			}
		}
	}
	job.Files = nil
	res, err := brisk.undo(ctx, job, logTo(&logged))
	if err != nil || len(res.Written) != 1 || s.read() != text {
		t.Errorf("then: %+v, %v\n%s", res, err, s.read())
	}
	s.settle(logged)
	s.noStrayTemps()
	return n > at
}

// A note has one turn, by whatever name it is called, also when it gets another
// file under its name; other notes have their own.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	a, b, other := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md"), filepath.Join(dir, "other.md")
	link := filepath.Join(dir, "link.md")
	if err := errors.Join(os.WriteFile(a, nil, 0o644), os.WriteFile(other, nil, 0o644), os.Link(a, b), os.Symlink(a, link)); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	for _, name := range []string{a, b, link, filepath.Join(dir, "x", "..", "a.md")} {
		if _, err := Lock(gone, name); !errors.Is(err, context.Canceled) {
			t.Errorf("%s can be taken as well: %v", filepath.Base(name), err)
		}
	}
	if free, err := Lock(ctx, other); err != nil {
		t.Error(err)
	} else {
		free()
	}
	if err := errors.Join(os.Remove(a), os.WriteFile(a, []byte("new"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(gone, a); !errors.Is(err, context.Canceled) {
		t.Errorf("the name can be taken with another file: %v", err)
	}
	unlock()
	for _, name := range []string{b, a} {
		free, err := Lock(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		free()
	}
	if n := len(writing.notes); n != 0 {
		t.Errorf("%d turns are left", n)
	}
}

// Whoever waits gets the turn, one at a time.
func TestLockInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const name = "/nowhere/n.md"
		var order strings.Builder
		unlock, err := Lock(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan bool)
		for range 3 {
			go func() {
				free, err := Lock(ctx, name)
				if err != nil {
					t.Error(err)
				}
				order.WriteByte('x') // guarded by the turn
				free()
				ended <- true
			}()
		}
		synctest.Wait()
		if order.Len() != 0 {
			t.Error("somebody did not wait")
		}
		unlock()
		for range 3 {
			<-ended
		}
		if order.Len() != 3 {
			t.Errorf("%d had their turn", order.Len())
		}
	})
}

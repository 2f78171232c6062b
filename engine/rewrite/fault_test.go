package rewrite

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"vaultdispatcher/engine/rewrite/swap"
)

var everyFault = flag.Int("rewrite.every", 5*fewer, "which operations of a recovery fail: 5 is every fifth, 1 each")

// faults are what the operations on files answer with.
var faults = []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES, syscall.EBUSY, syscall.EROFS, errShort}

// healthy is a disk on which nothing fails; like every disk of these tests it
// makes nothing durable, for no power is cut here.
var healthy = newDisk(func(string) error { return nil })

// A recovery, and the end of a grace, meet a fault at each of their operations.
// What is tried once more on a healthy disk ends well, and nobody's words are
// lost in between.
func TestEveryOperationOfAnEndFails(t *testing.T) {
	var cases, failed atomic.Int64
	every := *everyFault
	if testing.Short() {
		every *= 12
	}
	t.Run("deaths", func(t *testing.T) {
		for _, inPlace := range []bool{false, true} {
			for death := range steps(t, inPlace) + 1 {
				for _, saved := range []bool{false, true} {
					t.Run(fmt.Sprintf("%v %d %v", inPlace, death, saved), func(t *testing.T) {
						t.Parallel()
						for at := death % every; ; at += every {
							cases.Add(1)
							if !failingEnd(t, inPlace, death, saved, at) {
								break
							}
							failed.Add(1)
						}
					})
				}
			}
		}
	})
	t.Logf("count: %d cases, in %d of them an operation failed", cases.Load(), failed.Load())
}

// oneOrThree is a note with a question, of one line or of three.
func oneOrThree(n int) string {
	return "# Note\n\n" + []string{"> @agent-Miner what?\n", wrapped}[n%2] + "\nend\n"
}

// failingEnd dies before a step, and has operation number at fail in what
// follows. It reports whether there was such an operation.
func failingEnd(t *testing.T, inPlace bool, death int, saved bool, at int) (met bool) {
	s := newScene(t, t.TempDir(), oneOrThree(death))
	e := &editor{scene: s, manner: replaces}
	l := &life{death: death, edit: -1}
	if saved {
		l.edit, l.save = death, e.save
	}
	var logged []swap.Intention
	job := s.job(numbered)
	d := newDisk(l.step)
	d.inPlace = inPlace
	job.Files = d
	_, _ = brisk.answerGroup(ctx, job, logAfter(l.step, &logged))
	e.settle()

	n := 0
	sick := newDisk(func(string) error {
		if n++; n == at+1 {
			return faults[(at+death)%len(faults)]
		}
		return nil
	})
	for _, in := range logged {
		end := swap.On(sick).Recover
		if !l.dead {
			end = swap.On(sick).Settle
		}
		if _, err := end(in); err != nil && n <= at {
			t.Errorf("operation %d: %v, though nothing failed", n, err)
		}
		if _, err := swap.On(healthy).Recover(in); err != nil {
			t.Errorf("operation %d failed, then: %v", at, err)
		}
	}
	job.Files = healthy
	res, err := brisk.answerGroup(ctx, job, logTo(&logged))
	s.settle(logged)
	all := s.everything()
	if err != nil || len(res.Written) != 1 || strings.Count(s.read(), numbered(0)) != 1 || strings.Contains(s.read(), "@agent-") || strings.Contains(s.read(), "> ") {
		t.Errorf("death %d, operation %d: %+v, %v\n%s", death, at, res, err, s.read())
	}
	for _, line := range append(e.lines, "# Note\n", "end\n") {
		if !strings.Contains(all, line) {
			t.Errorf("death %d, operation %d: %q is lost:\n%s", death, at, line, all)
		}
	}
	s.noStrayTemps()
	return n > at
}

// A fault while the file system is asked what it can do is no reason to believe
// that it can do it.
func TestProbeMeetsEveryFault(t *testing.T) {
	for _, fault := range faults {
		for at := 0; ; at++ {
			dir, n := t.TempDir(), 0
			can := swap.On(newDisk(func(op string) error {
				if n++; n == at+1 && op != "close" && op != "remove" {
					return fault
				}
				return nil
			})).Probe(dir)
			if n <= at {
				if !can.Exchange {
					t.Errorf("nothing failed, and yet: %+v", can)
				}
				break
			}
			if left, err := os.ReadDir(dir); err != nil && !errors.Is(err, os.ErrNotExist) || len(left) > 1 {
				t.Errorf("%v at operation %d: %v, %v are left", fault, at, left, err)
			}
		}
	}
}

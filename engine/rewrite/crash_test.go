package rewrite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/testdata/testseed"
)

// random returns the test's random numbers and prints the seed that replays them.
func random(t *testing.T) *rand.Rand {
	n := testseed.Take(t)
	return rand.New(rand.NewPCG(n, 0))
}

var errCrash = errors.New("the process is dead")

// life is one life of the process: it dies before its step numbered death (never
// if that is negative), and before step edit the user saves.
type life struct {
	death, edit int
	save        func()
	steps       int
	dead        bool
	short       bool // the write it dies in is cut short
}

func (l *life) step(op string) error {
	if l.dead {
		return errCrash
	}
	if l.steps == l.edit && l.save != nil {
		l.save()
	}
	if l.steps == l.death {
		l.dead = true
		if op == "write" && l.short {
			return errors.Join(errShort, errCrash)
		}
		return errCrash
	}
	l.steps++
	return nil
}

// steps counts the operations of a life in which nothing happens.
func steps(t *testing.T, inPlace bool) int {
	s := newScene(t, t.TempDir(), "# Note\n\n> @agent-Miner what?\n\nend\n")
	l := &life{death: -1, edit: -1}
	d := newDisk(l.step)
	d.inPlace = inPlace
	job := s.job(numbered)
	job.Files = d
	if _, err := brisk.answerGroup(ctx, job, func(swap.Intention) error { return l.step("log") }); err != nil {
		t.Fatal(err)
	}
	return l.steps
}

// Every operation fails in every way there is: the note then holds the old bytes
// or the new ones and nothing else, and a healthy disk makes it good.
func TestEveryOperationFails(t *testing.T) {
	cases, every := 0, 1
	if testing.Short() {
		every = 5 // which is no divisor of the number of faults
	}
	for _, inPlace := range []bool{false, true} {
		n := steps(t, inPlace)
		for at := range n {
			for i, fault := range faults {
				if (at*len(faults)+i)%every != 0 {
					continue
				}
				for _, lasting := range []bool{false, true} {
					// A disk that stays broken is the same whatever it says.
					if lasting && fault != faults[1] && fault != errShort {
						continue
					}
					cases++
					t.Run(fmt.Sprintf("%v %d %v %v", inPlace, at, fault, lasting), func(t *testing.T) {
						t.Parallel()
						fail(t, inPlace, at, fault, lasting)
					})
				}
			}
		}
	}
	t.Logf("count: %d cases", cases)
}

func fail(t *testing.T, inPlace bool, at int, fault error, lasting bool) {
	text := "# Note\n\n> @agent-Miner what?\n\nend\n"
	if at%2 == 1 {
		text = "# Note\n\n" + wrapped + "\nend\n"
	}
	s := newScene(t, t.TempDir(), text)
	n, failed := 0, ""
	step := func(op string) error {
		n++
		if n == at+1 || lasting && n > at {
			failed += op + " "
			return fault
		}
		return nil
	}
	d := newDisk(step)
	d.inPlace = inPlace
	job := s.job(numbered)
	job.Files = d
	var logged []swap.Intention
	res, err := brisk.answerGroup(ctx, job, logAfter(step, &logged))
	got := s.read()
	answered := strings.Contains(got, numbered(0)) && !strings.Contains(got, "@agent-")
	// A write in place that a broken disk cut short can only be restored later.
	torn := inPlace && lasting
	if !answered && got != text && !torn {
		t.Errorf("%s: the note is neither old nor new:\n%s", failed, got)
	}
	if err == nil && !answered {
		t.Errorf("%s: %+v, but the note has no answer", failed, res)
	}
	job.Files = newDisk(func(string) error { return nil })
	if n := len(logged); n > 0 && err != nil {
		if _, err := swap.On(job.Files).Recover(logged[n-1]); err != nil {
			t.Errorf("%s: recovery: %v", failed, err)
		}
	}
	if got := s.read(); got != text && strings.Count(got, numbered(0)) != 1 {
		t.Errorf("%s: after recovery the note is neither old nor new:\n%s", failed, got)
	}
	if res, err := brisk.answerGroup(ctx, job, unlogged); err != nil || len(res.Written) != 1 {
		t.Errorf("%s: then: %+v, %v", failed, res, err)
	}
	if got := s.read(); strings.Count(got, numbered(0)) != 1 || strings.Contains(got, "@agent-") {
		t.Errorf("%s: in the end:\n%s", failed, got)
	}
	s.noStrayTemps()
}

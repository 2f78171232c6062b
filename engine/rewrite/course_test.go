package rewrite

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/rewrite/swap"
)

// What the kill matrices of answers, undos and progress comments have in common.

var kills = flag.Int("rewrite.kills", 120, "random cases of the kill matrix")

// rounds is how many rounds of a test are made: a sixth with -short.
func rounds(n int) int {
	if testing.Short() {
		return max(1, n/6)
	}
	return n
}

// course is one case of the kill matrix.
type course struct {
	inPlace          bool
	manner           manner
	death, edit      int // of the first life; negative is never
	again, editAgain int // of the recovery
	end              int // death while the displaced version is looked at for the last time
	short, editTwice bool
	late             bool // somebody writes into the displaced version
	told             bool // the note tells of progress
	several          bool // the question has several lines
}

// question is what the note asks, with its line end.
func (c course) question() string {
	if c.several {
		return wrapped
	}
	return "> @agent-Miner what?\n"
}

// toll is what happened in a course.
type toll struct{ deaths, saves, deleted, copies, late int }

func (n *toll) add(m toll) {
	n.deaths += m.deaths
	n.saves += m.saves
	n.deleted += m.deleted
	n.copies += m.copies
	n.late += m.late
}

// courses are the plain deaths, all of them, and combinations drawn at random.
func courses(t *testing.T, r *rand.Rand) (all []course) {
	for _, inPlace := range []bool{false, true} {
		n := steps(t, inPlace)
		for death := range n + 1 {
			for _, short := range []bool{false, true} {
				all = append(all, course{inPlace: inPlace, death: death, edit: -1, again: -1, editAgain: -1, end: -1, short: short, several: death%2 == 1})
			}
		}
		for range rounds(*kills) / 2 {
			death := r.IntN(n + 1)
			c := course{
				inPlace: inPlace, manner: manner(r.IntN(int(manners))), short: r.IntN(2) == 0,
				death: death, edit: r.IntN(death+2) - 1, again: -1, editAgain: -1, end: -1, late: r.IntN(4) == 0, told: r.IntN(3) == 0, several: r.IntN(2) == 0,
			}
			if r.IntN(4) > 0 {
				c.again = r.IntN(25)
				c.editAgain = r.IntN(c.again + 1)
				c.editTwice = c.manner != deletes && r.IntN(2) == 0
			}
			if r.IntN(2) == 0 {
				c.end = r.IntN(10)
			}
			all = append(all, c)
		}
	}
	return all
}

// matrix plays all courses, and returns how many they are and what happened in them.
func matrix(t *testing.T, play func(course, *testing.T) toll) (cases int, sum toll) {
	all := courses(t, random(t))
	var mu sync.Mutex // guards sum
	t.Run("courses", func(t *testing.T) {
		for i, c := range all {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				n := play(c, t)
				mu.Lock()
				defer mu.Unlock()
				sum.add(n)
			})
		}
	})
	return len(all), sum
}

// drill is a course while it is played: the note, its user, our work on it, and what
// was logged of that in all lives.
type drill struct {
	course
	scene
	user   *editor
	job    Job
	logged []swap.Intention
	n      toll
}

func (c course) in(s scene, job Job) *drill {
	return &drill{course: c, scene: s, user: &editor{scene: s, manner: c.manner}, job: job}
}

// on is the work as it is done in a life, with where it logs.
func (d *drill) on(l *life) (Job, func(swap.Intention) error) {
	disk := newDisk(l.step)
	disk.inPlace = d.inPlace
	job := d.job
	job.Files = disk
	return job, logAfter(l.step, &d.logged)
}

// first is the life that dies, if the course has one die.
func (d *drill) first() *life {
	return &life{death: d.death, edit: d.edit, save: d.user.save, short: d.short}
}

// well is a life in which nothing happens.
func well() *life { return &life{death: -1, edit: -1} }

// recover takes up what a dead life left, in a second life that may die as well.
func (d *drill) recover(left []swap.Intention) {
	d.n.deaths++
	for _, in := range left {
		second := &life{death: d.again, edit: d.editAgain, short: d.short}
		if d.editTwice {
			second.save = d.user.save
		}
		job, _ := d.on(second)
		d.n.deaths += recoverIn(d.t, in, second, job)
		d.user.settle()
	}
}

// endGrace ends the grace of all that was displaced, in lives that may die.
func (d *drill) endGrace() {
	for _, in := range d.logged {
		d.n.deaths += settleIn(d.t, in, &life{death: d.end, edit: -1})
	}
	d.settle(d.logged)
}

// recoverIn recovers in a life, and in a better one if it dies.
func recoverIn(t testing.TB, in swap.Intention, l *life, job Job) (deaths int) {
	_, err := swap.On(job.Files).Recover(in)
	if l.dead {
		deaths = 1
		_, err = swap.On(healthy).Recover(in)
	}
	// A save that had waited for the dead one's lease may still be at it; then the
	// engine tries again as well.
	for end := time.Now().Add(time.Minute); errors.Is(err, swap.ErrBusy) && time.Now().Before(end); {
		<-time.After(time.Millisecond)
		_, err = swap.On(healthy).Recover(in)
	}
	if err != nil {
		t.Fatalf("recovery: %v", err)
	}
	return deaths
}

// settleIn ends a grace in a life; if that dies, the next start recovers.
func settleIn(t testing.TB, in swap.Intention, l *life) (deaths int) {
	_, err := swap.On(newDisk(l.step)).Settle(in)
	if l.dead {
		deaths = 1
		_, err = swap.On(healthy).Recover(in)
	}
	if err != nil {
		t.Errorf("the end of the grace: %v", err)
	}
	return deaths
}

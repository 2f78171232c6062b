package rewrite

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"

	"vaultdispatcher/engine/rewrite/swap"
)

var (
	seed  = flag.Uint64("rewrite.seed", 0, "seed of the random tests; 0 takes a new one")
	kills = flag.Int("rewrite.kills", 600, "random cases of the kill matrix")
)

// random returns the test's random numbers and prints the seed that replays them.
func random(t *testing.T) *rand.Rand {
	n := *seed
	if n == 0 {
		n = rand.Uint64()
	}
	t.Logf("seed: -rewrite.seed=%d", n)
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

// editor saves unique lines as note apps do: read, append, write it all.
type editor struct {
	scene
	lines   []string
	rename  bool
	waiting chan error // a save that waits for a lease to end
}

func (e *editor) save() {
	line := fmt.Sprintf("line %d of the user\n", len(e.lines))
	e.lines = append(e.lines, line)
	text, err := e.open(os.O_RDONLY, "")
	if err == nil {
		_, err = e.open(os.O_WRONLY|os.O_TRUNC, text+line)
	}
	// The note is held: a program that asks without patience is told so, all
	// others wait, and so does the rest of this save.
	if errors.Is(err, syscall.EAGAIN) {
		e.waiting = make(chan error, 1)
		go func() {
			if text == "" {
				b, err := os.ReadFile(e.path)
				if err != nil {
					e.waiting <- err
					return
				}
				text = string(b)
			}
			e.waiting <- os.WriteFile(e.path, []byte(text+line), 0o644)
		}()
		return
	}
	if err != nil {
		e.t.Error(err)
	}
}

// open opens the note without waiting, reads it or writes text.
func (e *editor) open(flag int, text string) (string, error) {
	if flag != os.O_RDONLY && e.rename {
		tmp := e.path + ".editor"
		return "", errors.Join(os.WriteFile(tmp, []byte(text), 0o644), os.Rename(tmp, e.path))
	}
	f, err := os.OpenFile(e.path, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if flag == os.O_RDONLY {
		b, err := io.ReadAll(f)
		return string(b), err
	}
	_, err = f.WriteString(text)
	return "", err
}

// settle waits for a save that waits.
func (e *editor) settle() {
	if e.waiting != nil {
		if err := <-e.waiting; err != nil {
			e.t.Error(err)
		}
		e.waiting = nil
	}
}

// course is one case of the kill matrix.
type course struct {
	inPlace, rename   bool
	death, edit       int
	again, editAgain  int // death and edit of the recovery
	short, editAgains bool
}

// run plays one course through: a life that dies, a recovery that may die, then
// one in which all goes well. What must hold afterwards is checked at the end.
func (c course) run(t *testing.T) (died, saved int) {
	s := newScene(t, t.TempDir(), "# Note\n\n> @agent-Miner what?\n\nend\n")
	e := &editor{scene: s, rename: c.rename}
	job := s.job(numbered)
	var open *swap.Intention
	var logged []swap.Intention
	log := func(l *life) func(swap.Intention) error {
		return func(in swap.Intention) error {
			if err := l.step("log"); err != nil {
				return err
			}
			open = &in
			logged = append(logged, in)
			return nil
		}
	}
	on := func(l *life) Job {
		d := newDisk(l.step)
		d.inPlace = c.inPlace
		job.Files = d
		return job
	}

	first := &life{death: c.death, edit: c.edit, save: e.save, short: c.short}
	_, err := brisk.answer(ctx, on(first), log(first))
	e.settle()
	if first.dead {
		died++
	} else if err != nil {
		t.Fatalf("without a crash: %v", err)
	}
	if open != nil && first.dead {
		second := &life{death: c.again, edit: c.editAgain, short: c.short}
		if c.editAgains {
			second.save = e.save
		}
		_, err := swap.On(on(second).Files).Recover(*open)
		e.settle()
		if second.dead {
			died++
			_, err = swap.On(newDisk(func(string) error { return nil })).Recover(*open)
		}
		if err != nil {
			t.Fatalf("recovery: %v", err)
		}
	}
	third := &life{death: -1, edit: -1}
	res, err := brisk.answer(ctx, on(third), log(third))
	if err != nil {
		t.Errorf("in the end: %v", err)
	}
	s.settle(logged)
	c.check(t, s, e, res)
	return died, len(e.lines)
}

func (c course) check(t *testing.T, s scene, e *editor, res Result) {
	got, all := s.read(), s.everything()
	// A write in place that is cut short is not atomic: if the user takes up the
	// torn text and saves it before the recovery, the text before lives on in the
	// copy, and the answer without a place is the caller's to keep.
	torn := c.inPlace && c.short && len(res.Missing) == 1 && strings.Count(all, "> @agent-Miner what?\n") == 1
	if n := strings.Count(got, numbered(0)); n != 1 && !torn {
		t.Errorf("the answer stands %d times in the note", n)
	}
	if !torn && (len(res.Written) != 1 || len(res.Missing) != 0) {
		t.Errorf("in the end: %+v", res)
	}
	if strings.Contains(got, "@agent-") {
		t.Error("the marker is left")
	}
	for _, line := range append(e.lines, "# Note\n", "end\n") {
		if !strings.Contains(all, line) {
			t.Errorf("%q is lost", line)
		}
	}
	s.noStrayTemps()
	if t.Failed() {
		t.Logf("%+v\nnote:\n%s\neverything:\n%s", c, got, all)
	}
}

// steps counts the operations of a life in which nothing happens.
func steps(t *testing.T, inPlace bool) int {
	s := newScene(t, t.TempDir(), "# Note\n\n> @agent-Miner what?\n\nend\n")
	l := &life{death: -1, edit: -1}
	d := newDisk(l.step)
	d.inPlace = inPlace
	job := s.job(numbered)
	job.Files = d
	if _, err := brisk.answer(ctx, job, func(swap.Intention) error { return l.step("log") }); err != nil {
		t.Fatal(err)
	}
	return l.steps
}

// The process dies at every step, with a save of the user before every step, in
// both ways of writing and both ways of saving; then the recovery dies as well.
// First the plain deaths, all of them; then the combinations, drawn at random.
func TestKilledAtEveryStep(t *testing.T) {
	r := random(t)
	var courses []course
	for _, inPlace := range []bool{false, true} {
		n := steps(t, inPlace)
		for death := range n + 1 {
			for _, short := range []bool{false, true} {
				courses = append(courses, course{inPlace: inPlace, death: death, edit: -1, again: -1, editAgain: -1, short: short})
			}
		}
		for range *kills / 2 {
			death := r.IntN(n + 1)
			c := course{
				inPlace: inPlace, rename: r.IntN(2) == 0, short: r.IntN(2) == 0,
				death: death, edit: r.IntN(death + 1), again: -1, editAgain: -1,
			}
			if r.IntN(4) > 0 {
				c.again = r.IntN(25)
				c.editAgain = r.IntN(c.again + 1)
				c.editAgains = r.IntN(2) == 0
			}
			courses = append(courses, c)
		}
	}
	died, saved := 0, 0
	for i, c := range courses {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d, s := c.run(t)
			died, saved = died+d, saved+s
		})
	}
	t.Logf("%d cases, %d deaths, %d saves: lost saves 0, double answers 0, stray temps 0 unless reported above", len(courses), died, saved)
}

// Every operation fails in every way there is: the note then holds the old bytes
// or the new ones and nothing else, and a healthy disk makes it good.
func TestEveryOperationFails(t *testing.T) {
	faults := []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES, syscall.EBUSY, syscall.EROFS, errShort}
	cases := 0
	for _, inPlace := range []bool{false, true} {
		n := steps(t, inPlace)
		for at := range n {
			for _, fault := range faults {
				for _, lasting := range []bool{false, true} {
					// A disk that stays broken is the same whatever it says.
					if lasting && fault != faults[1] && fault != errShort {
						continue
					}
					cases++
					t.Run(fmt.Sprintf("%v %d %v %v", inPlace, at, fault, lasting), func(t *testing.T) {
						fail(t, inPlace, at, fault, lasting)
					})
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

func fail(t *testing.T, inPlace bool, at int, fault error, lasting bool) {
	const text = "# Note\n\n> @agent-Miner what?\n\nend\n"
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
	var open *swap.Intention
	res, err := brisk.answer(ctx, job, func(in swap.Intention) error {
		if err := step("log"); err != nil {
			return err
		}
		open = &in
		return nil
	})
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
	if open != nil && err != nil {
		if _, err := swap.On(job.Files).Recover(*open); err != nil {
			t.Errorf("%s: recovery: %v", failed, err)
		}
	}
	if got := s.read(); got != text && strings.Count(got, numbered(0)) != 1 {
		t.Errorf("%s: after recovery the note is neither old nor new:\n%s", failed, got)
	}
	if res, err := brisk.answer(ctx, job, unlogged); err != nil || len(res.Written) != 1 {
		t.Errorf("%s: then: %+v, %v", failed, res, err)
	}
	if got := s.read(); strings.Count(got, numbered(0)) != 1 || strings.Contains(got, "@agent-") {
		t.Errorf("%s: in the end:\n%s", failed, got)
	}
	s.noStrayTemps()
}

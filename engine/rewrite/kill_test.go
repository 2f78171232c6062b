package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run plays one course through: a life that dies, a recovery that may die, one
// in which all goes well, and the end of the grace, which may die too. What must
// hold afterwards is checked at the end.
func (c course) run(t *testing.T) toll {
	text := "# Note\n\n" + c.question() + "\nend\n"
	if c.told {
		text = strings.Replace(text, c.question(), c.question()+working+"\n", 1)
	}
	s := newScene(t, t.TempDir(), text)
	job := s.job(numbered)
	job.ID = ourID
	d := c.in(s, job)

	first := d.first()
	job, log := d.on(first)
	_, err := brisk.answerGroup(ctx, job, log)
	d.user.settle()
	if first.dead {
		d.recover(d.logged[max(0, len(d.logged)-1):])
	} else if err != nil && !(d.user.deleted && errors.Is(err, ErrNoteGone)) {
		t.Fatalf("without a crash: %v", err)
	}
	job, log = d.on(well())
	res, err := brisk.answerGroup(ctx, job, log)
	if err != nil && !(d.user.deleted && errors.Is(err, ErrNoteGone)) {
		t.Errorf("in the end: %v", err)
	}
	if c.late && d.user.late() {
		d.n.late++
	}
	d.endGrace()
	d.n.saves, d.n.copies = len(d.user.lines), d.check(res)
	if d.user.deleted {
		d.n.deleted = 1
	}
	return d.n
}

// check looks at what must hold when all is over, and counts the conflict copies.
func (d *drill) check(res Result) (copies int) {
	t, e := d.t, d.user
	all, got := d.everything(), ""
	if b, err := os.ReadFile(d.path); err == nil {
		got = string(b)
	} else if !e.deleted {
		t.Error("the note's name is absent")
	}
	// A write in place that is cut short is not atomic: if the user takes up the
	// torn text and saves it before the recovery, the text before lives on in the
	// copy, and the answer without a place is the caller's to keep.
	torn := d.inPlace && d.short && len(res.Missing) == 1 && strings.Count(all, d.question()) == 1
	if n := strings.Count(got, numbered(0)); n > 1 || n == 0 && !torn && !e.deleted {
		t.Errorf("the answer stands %d times in the note", n)
	}
	if !torn && !e.deleted && (len(res.Written) != 1 || len(res.Missing) != 0) {
		t.Errorf("in the end: %+v", res)
	}
	if strings.Contains(got, "@agent-") {
		t.Error("the marker is left")
	}
	if !torn && (strings.Contains(got, "> did we") || strings.Contains(got, "> decide")) { // the user saved what a torn text has of them
		t.Error("lines of the question are left")
	}
	if strings.Contains(got, "agent-progress") && !torn {
		t.Error("the note still tells of progress")
	}
	lines := e.lines
	if !e.deleted { // by the user himself
		lines = append([]string{"# Note\n", "end\n"}, lines...)
	}
	for _, line := range lines {
		if !strings.Contains(all, line) {
			t.Errorf("%q is lost", line)
		}
	}
	d.noStrayTemps()
	if t.Failed() {
		t.Logf("%+v\nnote:\n%s\neverything:\n%s", d.course, got, all)
	}
	names, _ := filepath.Glob(filepath.Join(d.root, "*.conflict-*"))
	return len(names)
}

// The process dies at every step, with what users do before every step, in both
// ways of writing; then the recovery dies as well, and the end of the grace.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	cases, n := matrix(t, course.run)
	t.Logf("count: %d cases, %d deaths, %d saves, of which %d into a displaced version, %d notes deleted, %d conflict copies: lost saves 0, double answers 0, stray files 0 unless reported above",
		cases, n.deaths, n.saves, n.late, n.deleted, n.copies)
}

package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

func other(i int) string { return fmt.Sprintf("another answer %d\n\n- of several\n- lines", i) }

// An answer is replaced where it stands by now, and only it; a call whose end nobody learned of
// is not made twice; and what is undone then is what was asked.
func TestReplace(t *testing.T) {
	for name, text := range asked {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			first, again := numbered, other
			if strings.HasPrefix(name, "equal") {
				first, again = func(int) string { return "the same" }, func(int) string { return "the same again" }
			}
			job := answered(t, s, first)
			for i := range job.Places {
				job.Places[i].Answer = again(i)
			}
			more := "\n\nmore, written since\n"
			if err := os.WriteFile(s.path, []byte(s.read()+more), 0o644); err != nil {
				t.Fatal(err)
			}
			var logged []swap.Intention
			var blocks []note.Block
			for range 2 { // the second finds that it is done
				res, err := brisk.replace(ctx, job, logTo(&logged))
				if err != nil || len(res.Blocks) != len(job.Places) || res.Conflict != "" {
					t.Fatalf("%+v, %v", res, err)
				}
				for i, b := range res.Blocks {
					if blocks != nil && !bytes.Equal(b.Text, blocks[i].Text) {
						t.Errorf("block %d is %q, and then %q", i, blocks[i].Text, b.Text)
					}
				}
				blocks = res.Blocks
			}
			if len(logged) != 1 {
				t.Errorf("%d writes", len(logged))
			}
			s.settle(logged)
			if got := s.read(); strings.Contains(got, "@agent-") || strings.Contains(got, first(0)+"\n") || strings.Count(got, "<!-- agent-response -->") != len(job.Places) {
				t.Errorf("the note is %q", got)
			}
			for i := range job.Places {
				job.Places[i].Block = blocks[i]
			}
			logged = nil
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != text+more {
				t.Errorf("undone, the note is\n%q, want\n%q, %v", s.read(), text+more, err)
			}
			s.settle(logged)
			s.noStrayTemps()
		})
	}
}

// What is not the answer any more stays as it is.
func TestReplaceRefused(t *testing.T) {
	for name, c := range map[string]struct {
		old, now string
		want     error
	}{
		"edited": {numbered(1), numbered(1) + ", edited", ErrEdited},
		"gone":   {"<!-- agent-response -->\n" + numbered(0) + "\n<!-- /agent-response -->\n", "", ErrBlockGone},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), "x\n\n> @agent-Miner q?\n\ny\n\n> @agent-Miner r?\n\nz\n")
			job := answered(t, s, numbered)
			for i := range job.Places {
				job.Places[i].Answer = other(i)
			}
			edited := strings.Replace(s.read(), c.old, c.now, 1)
			if err := os.WriteFile(s.path, []byte(edited), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := WhyNotReplaced([]byte(edited), job.Places); !errors.Is(err, c.want) {
				t.Errorf("foreseen: %v, want %v", err, c.want)
			}
			var logged []swap.Intention
			if _, err := brisk.replace(ctx, job, logTo(&logged)); !errors.Is(err, c.want) || s.read() != edited || len(logged) != 0 {
				t.Errorf("%v, want %v; the note is %q", err, c.want, s.read())
			}
		})
	}
}

func (c course) runReplace(t *testing.T) toll {
	s := newScene(t, t.TempDir(), "# Note\n\n"+c.question()+"\nend\n")
	job := answered(t, s, numbered)
	job.Places[0].Answer = other(0)
	d := c.in(s, job)

	first := d.first()
	job, log := d.on(first)
	_, err := brisk.replace(ctx, job, log)
	d.user.settle()
	if first.dead {
		d.recover(d.logged)
	} else if err != nil && !(d.user.deleted && errors.Is(err, ErrNoteGone)) {
		t.Fatalf("without a crash: %v", err)
	}
	job, log = d.on(well())
	res, err := brisk.replace(ctx, job, log)
	s.settle(d.logged)
	d.checkReplace(res, err)
	d.n.saves = len(d.user.lines)
	return d.n
}

func (d *drill) checkReplace(res Result, err error) {
	t, e := d.t, d.user
	all := d.everything()
	copies, _ := filepath.Glob(filepath.Join(d.root, "*.conflict-*"))
	switch {
	case e.deleted:
		if err != nil && !errors.Is(err, ErrNoteGone) {
			t.Error(err)
		}
		return
	case d.inPlace && len(copies) > 0:
		if !strings.Contains(all, numbered(0)) && !strings.Contains(all, "another answer 0") {
			t.Error("an answer is in no copy")
		}
	default:
		if err != nil || len(res.Blocks) != 1 {
			t.Errorf("in the end: %+v, %v", res, err)
		}
		got := d.read()
		if strings.Count(got, "another answer 0") != 1 || strings.Count(got, "<!-- agent-response") != 1 || strings.Contains(got, numbered(0)) {
			t.Error("the note has not the one new answer")
		}
	}
	for _, line := range append([]string{"# Note\n", "end\n"}, e.lines...) {
		if !strings.Contains(all, line) {
			t.Errorf("%q is lost", line)
		}
	}
	d.noStrayTemps()
	if t.Failed() {
		t.Logf("%+v\neverything:\n%s", d.course, all)
	}
}

// The kill matrix of an answer that is replaced.
func TestReplaceKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	cases, n := matrix(t, course.runReplace)
	t.Logf("count: %d cases, %d deaths, %d saves: lost saves 0, lost answers 0, stray files 0 unless reported above", cases, n.deaths, n.saves)
}

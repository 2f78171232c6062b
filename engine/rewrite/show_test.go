package rewrite

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/rewrite/swap"
)

// A dispatch, and what is said of it in these tests.
const ourID = "0w7kq3v9m2x4t"

var (
	working = progress.Comment(ourID, "working on Desk since 14:05")
	failed  = progress.Comment(ourID, "failed because -->\n> @agent-Miner again")
	theirs  = progress.Comment("0000000000000", "working on Elsewhere since 09:00")
)

func ours(id string) bool { return id == ourID }

// signs are those of all markers that a job answers.
func (j Job) signs(comment string) (signs []Sign) {
	for _, p := range j.Places {
		signs = append(signs, Sign{Place: p, ID: ourID, Comment: comment})
	}
	return signs
}

// show brings comments into a note as it is now.
func (s scene) show(job Job, signs []Sign, log func(swap.Intention) error) (Result, error) {
	src, err := os.ReadFile(s.path)
	if err != nil {
		return Result{}, err
	}
	return Show(ctx, job, signs, ours, sha256.Sum256(src), log)
}

func TestShow(t *testing.T) {
	const q = "> @agent-Miner q?\n"
	for name, c := range map[string]struct{ text, now, want string }{
		"new":               {"a\n\n" + q + "\nb\n", working, "a\n\n" + q + working + "\n\nb\n"},
		"another":           {q + working + "\nb\n", failed, q + failed + "\nb\n"},
		"the same":          {q + working + "\n", working, q + working + "\n"},
		"none":              {q + working + "\n" + working + "\nb", "", q + "b"},
		"no line end":       {"a\r\n> @agent-Miner q?", working, "a\r\n> @agent-Miner q?\r\n" + working},
		"elsewhere":         {working + "\n" + q + "\nb\n" + working + "\n", failed, q + failed + "\n\nb\n"},
		"in a callout":      {"> [!note] T\n" + q + "> more\n", working, "> [!note] T\n" + q + "> " + working + "\n> more\n"},
		"in a list":         {"- a\n  > @agent-Miner q?\n- b\n", working, "- a\n  > @agent-Miner q?\n  " + working + "\n- b\n"},
		"of others":         {q + theirs + "\n", working, q + theirs + "\n"},
		"of both":           {q + working + "\n" + theirs + "\n", failed, q + theirs + "\n"},
		"typed into":        {q + strings.Replace(working, "Desk", "Desk. Buy milk", 1) + "\n", working, q + working + "\n" + strings.Replace(working, "Desk", "Desk. Buy milk", 1) + "\n"},
		"two of one":        {q + "\nx\n\n> @agent-Miner r?\ny\n", working, q + working + "\n\nx\n\n> @agent-Miner r?\n" + working + "\ny\n"},
		"one under another": {q + "> @agent-Miner r?\n", working, q + working + "\n> @agent-Miner r?\n" + working + "\n"},
		"switched off":      {"---\nwiki: off\n---\n" + q + working + "\n", "", "---\nwiki: off\n---\n" + q + working + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), c.text)
			job := s.job(numbered)
			var logged []swap.Intention
			res, err := s.show(job, job.signs(c.now), logTo(&logged))
			if got := s.read(); err != nil || got != c.want {
				t.Fatalf("the note is\n%q, want\n%q, %v", got, c.want, err)
			}
			if res.InPlace || len(logged) > 1 || (len(logged) == 1) != (c.text != c.want) || res.Hash != sha256.Sum256([]byte(c.want)) {
				t.Errorf("%+v, %d writes", res, len(logged))
			}
			s.settle(logged)
			s.noStrayTemps()
		})
	}
}

// A comment is no reason to write a note that is in use, has changed, or could be
// damaged by it.
func TestShowForgoes(t *testing.T) {
	const text = "# Note\n\n> @agent-Miner what?\n\nend\n"
	for name, c := range map[string]struct {
		spoil func(s scene, d *disk) error
		want  error
	}{
		"changed":      {func(s scene, _ *disk) error { return os.WriteFile(s.path, []byte("x"+text), 0o644) }, swap.ErrChanged},
		"gone":         {func(s scene, _ *disk) error { return os.Remove(s.path) }, fs.ErrNotExist},
		"two names":    {func(s scene, _ *disk) error { return os.Link(s.path, s.path+".2") }, swap.ErrInPlace},
		"no exchange":  {func(_ scene, d *disk) error { d.inPlace = true; return nil }, swap.ErrInPlace},
		"read-only":    {func(s scene, _ *disk) error { return os.Chmod(s.path, 0o444) }, swap.ErrReadOnly},
		"a busy disk":  {func(_ scene, d *disk) error { d.step = sickly; return nil }, errSick},
		"unmended":     {func(scene, *disk) error { return nil }, errSick},
		"unlogged yet": {func(scene, *disk) error { return nil }, errSick},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			job, sum := s.job(numbered), sha256.Sum256([]byte(text))
			d := newDisk(func(string) error { return nil })
			if err := c.spoil(s, d); err != nil {
				t.Fatal(err)
			}
			before := s.everything()
			job.Files = d
			log := unlogged
			switch name {
			case "unmended":
				job.Prelude = func(context.Context) error { return errSick }
			case "unlogged yet":
				log = func(swap.Intention) error { return errSick }
			}
			if _, err := Show(ctx, job, job.signs(working), ours, sum, log); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if after := s.everything(); after != before {
				t.Errorf("there is\n%q, and was\n%q", after, before)
			}
			s.noStrayTemps()
		})
	}
}

// runShow plays a comment's way through: a life that dies while it is written, a
// recovery that may die, another comment, the answer, and the end of the grace.
func (c course) runShow(t *testing.T) toll {
	s := newScene(t, t.TempDir(), "# Note\n\n> @agent-Miner what?\n\nend\n")
	job := s.job(numbered)
	job.ID = ourID
	d := c.in(s, job)

	first := d.first()
	job, log := d.on(first)
	res, err := s.show(job, job.signs(working), log)
	d.user.settle()
	forgone := errors.Is(err, swap.ErrChanged) || errors.Is(err, swap.ErrBusy) || errors.Is(err, swap.ErrInPlace) || errors.Is(err, fs.ErrNotExist)
	if err != nil && !first.dead && !forgone || res.InPlace {
		t.Fatalf("without a crash: %+v, %v", res, err)
	}
	if first.dead {
		d.recover(d.logged)
	}
	d.inPlace = false // what follows is on a disk like any other
	job, log = d.on(well())
	if _, err := s.show(job, job.signs(failed), log); err != nil && !d.user.deleted {
		t.Errorf("then: %v", err)
	}
	if !d.user.deleted && strings.Count(s.read(), failed) != 1 {
		t.Errorf("what is true is not said:\n%s", s.read())
	}
	if c.late && d.user.late() {
		d.n.late++
	}
	res, err = brisk.answerGroup(ctx, job, log)
	if err != nil && !(d.user.deleted && errors.Is(err, ErrNoteGone)) {
		t.Errorf("in the end: %v", err)
	}
	d.endGrace()
	d.n.saves, d.n.copies = len(d.user.lines), d.check(res)
	return d.n
}

// The kill matrix of a comment.
func TestShowKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	cases, n := matrix(t, course.runShow)
	t.Logf("count: %d cases, %d deaths, %d saves, of which %d into a displaced version, %d conflict copies: lost saves 0, double answers 0, comments left 0, stray files 0 unless reported above",
		cases, n.deaths, n.saves, n.late, n.copies)
}

// Every operation fails while a comment is written: the note then is what it was, or
// that with the comment, and can be answered.
func TestShowEveryOperationFails(t *testing.T) {
	t.Parallel()
	cases, every := 0, 1
	if testing.Short() {
		every = 2
	}
	for i, fault := range faults {
		for at := i % every; ; at += every {
			text, n := oneOrThree(at), 0
			s := newScene(t, t.TempDir(), text)
			job := s.job(numbered)
			job.ID, job.Files = ourID, newDisk(func(string) error {
				if n++; n == at+1 {
					return fault
				}
				return nil
			})
			var logged []swap.Intention
			log := logTo(&logged)
			_, err := s.show(job, job.signs(working), log)
			got := s.read()
			if string(progress.Bare([]byte(got)).Text) != text || err == nil && !strings.Contains(got, working) {
				t.Errorf("%v at operation %d: %v, the note is\n%q", fault, at, err, got)
			}
			for _, in := range logged {
				if _, err := swap.On(healthy).Recover(in); err != nil {
					t.Errorf("%v at operation %d: recovery: %v", fault, at, err)
				}
			}
			job.Files = healthy
			if res, err := brisk.answerGroup(ctx, job, log); err != nil || len(res.Written) != 1 || strings.Contains(s.read(), "agent-progress") || strings.Contains(s.read(), "> did") {
				t.Errorf("%v at operation %d, then: %+v, %v\n%q", fault, at, res, err, s.read())
			}
			s.settle(logged)
			s.noStrayTemps()
			if cases++; n <= at {
				break
			}
		}
	}
	t.Logf("count: %d cases", cases)
	if cases < 20*len(faults)/every {
		t.Error("hardly any operation was met")
	}
}

// A version that was saved into what a comment has displaced comes back into the
// note even where it changed the very line beside the comment.
func TestMergeBesideAComment(t *testing.T) {
	const text = "# Note\n\n> @agent-Miner what?\n\nend\n"
	s := newScene(t, t.TempDir(), text)
	job := s.job(numbered)
	var logged []swap.Intention
	log := logTo(&logged)
	if _, err := s.show(job, job.signs(working), log); err != nil {
		t.Fatal(err)
	}
	copy := s.path + ".conflict.md"
	edited := strings.Replace(text, "what?\n", "what now?\nmore\n", 1)
	old := time.Now().Add(-time.Minute)
	if err := errors.Join(os.WriteFile(copy, []byte(edited), 0o644), os.Chtimes(copy, old, old)); err != nil {
		t.Fatal(err)
	}
	if _, err := brisk.merge(ctx, Copy{Root: s.root, Path: s.path, Copy: copy, Base: []byte(text)}, log); err != nil {
		t.Fatal(err)
	}
	if got := string(progress.Bare([]byte(s.read())).Text); got != edited {
		t.Errorf("the note is\n%q, want\n%q", got, edited)
	}
	s.settle(logged)
	s.noStrayTemps()
}

var errSick = errors.New("the disk is sick")

func sickly(op string) error {
	if op == "exchange" {
		return errSick
	}
	return nil
}

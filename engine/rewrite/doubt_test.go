package rewrite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

// The answer of a marker that was deleted does not go to an equal line that
// another dispatch waits at.
func TestAnEqualLineOfAnotherIsNotTaken(t *testing.T) {
	const text = "# A\n\n> @agent-Miner why?\n\nend of A\n\n# B\n\n> @agent-Miner why?\n\nend of B\n"
	left := strings.Replace(text, "> @agent-Miner why?\n\nend of A\n\n", "", 1)
	for _, told := range []bool{false, true} {
		s := newScene(t, t.TempDir(), text)
		job := s.job(numbered)
		other := job.Places[1]
		job.Places, job.Partial = job.Places[:1], true
		if told {
			job.Siblings = []Place{other}
		}
		if err := os.WriteFile(s.path, []byte(left), 0o644); err != nil {
			t.Fatal(err)
		}
		res, err := brisk.answerGroup(ctx, job, unlogged)
		if err != nil {
			t.Fatal(err)
		}
		if gone := slices.Equal(res.Missing, []int{0}) && s.read() == left; gone != told {
			t.Errorf("other dispatches told: %v: %+v\n%s", told, res, s.read())
		}
	}
}

// An answer whose writing nobody recorded, because the process died, is not
// written once more in the place of an equal line with equal neighbours.
func TestAWrittenAnswerWantsNoEqualLine(t *testing.T) {
	const text = "- item\n\n  > @agent-Miner why?\n\n  end\n\n- item\n\n  > @agent-Miner why?\n\n  end\n"
	s := newScene(t, t.TempDir(), text)
	job := s.job(numbered)
	job.Places, job.Siblings = job.Places[:1], job.Places[1:]
	for round := range 2 {
		res, err := brisk.answerGroup(ctx, job, unlogged)
		if got := s.read(); err != nil || !slices.Equal(res.Written, []int{0}) || strings.Count(got, numbered(0)) != 1 || strings.Count(got, "> @agent-Miner why?") != 1 {
			t.Errorf("round %d: %+v, %v\n%s", round, res, err, got)
		}
	}
}

// While somebody has the note open for writing, what is missing from it may be
// about to come, however old the note is.
func TestAnOpenNoteHasNoMissingMarkers(t *testing.T) {
	s := newScene(t, t.TempDir(), three)
	if !swap.Probe(s.root).Lease {
		t.Log("the file system does not tell who has a note open")
		return
	}
	job := s.job(numbered)
	editor, err := os.OpenFile(s.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(s.path, old, old); err != nil {
		t.Fatal(err)
	}
	p := brisk
	p.tries = 3
	res, err := p.answerGroup(ctx, job, unlogged)
	if !errors.Is(err, ErrContested) || !errors.Is(err, swap.ErrBusy) || len(res.Missing) > 0 {
		t.Errorf("half a save is believed: %+v, %v", res, err)
	}
	if _, err := editor.WriteString(three); err != nil {
		t.Fatal(err)
	}
	if err := editor.Close(); err != nil {
		t.Fatal(err)
	}
	if res, err := p.answerGroup(ctx, job, unlogged); err != nil || len(res.Written) != 3 {
		t.Errorf("after the save: %+v, %v", res, err)
	}
}

// An exchange that could not be ended is not tried again: its intention must
// reach the caller before anything else happens to the note.
func TestAnUnendedExchangeComesBack(t *testing.T) {
	s := newScene(t, t.TempDir(), three)
	job := s.job(numbered)
	exchanges := 0
	job.Files = newDisk(func(op string) error {
		switch op {
		case "exchange":
			exchanges++
			return swap.ErrChanged
		case "remove":
			return errors.New("I/O error")
		}
		return nil
	})
	var log []swap.Intention
	_, err := brisk.answerGroup(ctx, job, func(in swap.Intention) error { log = append(log, in); return nil })
	if !errors.Is(err, swap.ErrUnended) || exchanges != 1 || len(log) != 1 {
		t.Fatalf("%d exchanges, %d intentions: %v", exchanges, len(log), err)
	}
	if _, err := swap.Recover(log[0]); err != nil || s.read() != three {
		t.Errorf("recovery: %v\n%s", err, s.read())
	}
	s.noStrayTemps()
}

// A note with two names is written in place. Somebody who only adds lines to it
// gives no reason to keep another version.
func TestNoCopiesOfALinkedNote(t *testing.T) {
	t.Parallel()
	dice := random(t)
	s := newScene(t, t.TempDir(), "# Note\n")
	if err := os.Link(s.path, filepath.Join(s.root, "Twin.txt")); err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(*raceFor / 2)
	done := make(chan []string)
	go func() { done <- s.addLines(dice, end) }()
	var lines []string
	written := 0
	for lines == nil {
		select {
		case lines = <-done:
		default:
			written += s.answerAll()
		}
	}
	written += s.answerAll()
	text := s.read()
	for _, line := range lines {
		if !strings.HasPrefix(line, ">") && strings.Count(text, line) != 1 {
			t.Errorf("%q stands %d times in the note", line, strings.Count(text, line))
		}
	}
	copies, err := filepath.Glob(filepath.Join(s.root, "*.conflict-*"))
	if err != nil || len(copies) > 0 {
		t.Errorf("%d copies were kept, %v", len(copies), err)
	}
	if n := len(note.Parse([]byte(text)).Markers); n > 0 || written == 0 {
		t.Errorf("%d answers written, %d markers are left", written, n)
	}
	t.Logf("count: %d lines added to a linked note, %d answers", len(lines), written)
	s.noStrayTemps()
}

// addLines appends a line every few milliseconds, and now and then a question.
func (s scene) addLines(dice *rand.Rand, end time.Time) []string {
	lines := []string{}
	for time.Now().Before(end) {
		line := fmt.Sprintf("line %d of the user\n", len(lines))
		text := line
		if len(lines)%10 == 0 {
			text = fmt.Sprintf("\n> @agent-Miner question%s%d?\n\n", []string{" ", "\n> of three\n> lines "}[dice.IntN(2)], len(lines)) + line
		}
		err := allowed(func() error {
			f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString(text)
			return errors.Join(err, f.Close())
		})
		if err != nil {
			s.t.Error(err)
		}
		lines = append(lines, line)
		<-time.After(time.Duration(dice.IntN(8000)) * time.Microsecond)
	}
	return lines
}

// answerAll answers every marker the note has now and returns how many.
func (s scene) answerAll() int {
	job := s.job(numbered)
	if len(job.Places) == 0 {
		return 0
	}
	p := waitPolicy{rest: time.Millisecond, patience: 10 * time.Millisecond, tries: 4, backoff: time.Millisecond, longest: 4 * time.Millisecond}
	res, err := p.answerGroup(ctx, job, unlogged)
	if err != nil && !errors.Is(err, ErrContested) {
		s.t.Error(err)
	}
	return len(res.Written)
}

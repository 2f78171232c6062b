package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

// answered answers all markers of a scene and returns the job that undoes it.
func answered(t *testing.T, s scene, answer func(int) string) Job {
	t.Helper()
	job := s.job(answer)
	var last Draft
	job.Draft = func(d Draft) { last = d }
	var logged []swap.Intention
	if _, err := brisk.answerGroup(ctx, job, logTo(&logged)); err != nil {
		t.Fatal(err)
	}
	s.settle(logged)
	for i, b := range last.Blocks {
		job.Places[i].Block = b
	}
	job.Draft = nil
	return job
}

var threeCRLF = strings.ReplaceAll(three, "\n", "\r\n")

// asked are notes of many forms with questions. The questions of "equal answers" are to have one answer.
var asked = map[string]string{
	"plain":            three,
	"crlf":             threeCRLF,
	"byte order mark":  "\ufeff> @agent-Miner q?\n" + three,
	"no final newline": strings.TrimSuffix(three, "\n\nend\n"),
	"crlf, no final":   "\ufeff" + strings.TrimSuffix(threeCRLF, "\r\n\r\nend\r\n"),
	"invalid utf-8":    "a\xff\xfe\n\n> @agent-Miner caf\xe9?\n\n\xc3\n",
	"list":             "- a\n  > @agent-Miner q?\n- > @agent-Miner r?\n- b\n",
	"callout":          "> [!note] Title\n> text\n> @agent-Miner q?\n> more\n",
	"several lines":    "a\n\n" + wrapped + "\nb\n\n> > @agent-Miner what\n> > else\n> — me\n",
	"several, mixed":   "\ufeff> @agent-Miner what\r\n> \xff did\n> we?\r> Mine.\r\n",
	"several, the end": "> @agent-Miner what\r\n> now",
	"equal answers":    "> @agent-Miner q?\n\n> @agent-Miner r?\n\n> @agent-Miner q?\n",
}

func linesOfMarkers(text string) (lines []int) {
	for _, m := range note.Parse([]byte(text)).Markers {
		lines = append(lines, m.Line)
	}
	return lines
}

// The note is what it was before its answers, byte for byte, whatever the bytes
// are; and what was written elsewhere since stays.
func TestUndo(t *testing.T) {
	for name, text := range asked {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			answer := numbered
			if strings.HasPrefix(name, "equal") {
				answer = func(int) string { return "the same" }
			}
			job := answered(t, s, answer)
			more := "\nmore, written since\n"
			f, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(more); errors.Join(err, f.Close()) != nil {
				t.Fatal(err)
			}
			var logged []swap.Intention
			for range 2 { // the second finds that it is done
				res, err := brisk.undo(ctx, job, logTo(&logged))
				if err != nil || len(res.Written) != len(job.Places) || res.Conflict != "" {
					t.Fatalf("%+v, %v", res, err)
				}
				if want := linesOfMarkers(text); !slices.Equal(res.Lines, want) {
					t.Errorf("the markers are back in lines %v, want %v", res.Lines, want)
				}
				if got := s.read(); got != text+more {
					t.Fatalf("the note is\n%q, want\n%q", got, text+more)
				}
			}
			if len(logged) != 1 {
				t.Errorf("%d writes", len(logged))
			}
			s.settle(logged)
			s.noStrayTemps()
		})
	}
}

// What is not the answer any more, or not surely, stays as it is.
func TestUndoRefused(t *testing.T) {
	const text = "x\n\n> @agent-Miner q?\n\ny\n\n> @agent-Miner r?\n\nz\n"
	block := func(answer string) string {
		return "<!-- agent-response -->\n" + answer + "\n<!-- /agent-response -->\n"
	}
	for name, c := range map[string]struct {
		old, now string // what is replaced in the answered note
		want     error
	}{
		"edited":          {numbered(1), numbered(1) + ", edited", ErrEdited},
		"space":           {numbered(0), numbered(0) + " ", ErrEdited},
		"a line inside":   {numbered(0), numbered(0) + "\nand more", ErrEdited},
		"one of two gone": {block(numbered(1)), "", ErrBlockGone},
		"twice":           {"x\n\n" + block(numbered(0)), "x\n\n" + block(numbered(0)) + "\nx\n\n" + block(numbered(0)) + "\ny\n\nx\n", nil},
		"twice, no telling": {"x\n\n" + block(numbered(0)) + "\ny\n",
			"x\n\n" + block(numbered(0)) + "\ny\n\nx\n\n" + block(numbered(0)) + "\ny\n", ErrEqual},
		"in a fence left open": {"x\n", "x\n```\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			job := answered(t, s, numbered)
			edited := strings.Replace(s.read(), c.old, c.now, 1)
			if edited == s.read() {
				t.Fatalf("%q is not in %q", c.old, edited)
			}
			if err := os.WriteFile(s.path, []byte(edited), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := brisk.undo(ctx, job, unlogged)
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if got := s.read(); c.want != nil && got != edited {
				t.Errorf("the note is\n%s, want\n%s", got, edited)
			} else if c.want == nil && (!strings.Contains(got, "> @agent-Miner q?\n") || !strings.Contains(got, "> @agent-Miner r?\n")) {
				t.Errorf("the markers are not back:\n%s", got)
			}
		})
	}
}

// runUndo plays an undo through: a life that dies, a recovery that may die, and a
// life in which all goes well.
func (c course) runUndo(t *testing.T) toll {
	s := newScene(t, t.TempDir(), "# Note\n\n"+c.question()+"\nend\n")
	d := c.in(s, answered(t, s, numbered))

	first := d.first()
	job, log := d.on(first)
	_, err := brisk.undo(ctx, job, log)
	d.user.settle()
	if first.dead {
		d.recover(d.logged)
	} else if err != nil && !(d.user.deleted && errors.Is(err, ErrNoteGone)) {
		t.Fatalf("without a crash: %v", err)
	}
	job, log = d.on(well())
	res, err := brisk.undo(ctx, job, log)
	s.settle(d.logged)
	d.checkUndo(res, err)
	d.n.saves = len(d.user.lines)
	return d.n
}

func (d *drill) checkUndo(res Result, err error) {
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
		// A text that was torn and that the user has taken up and saved; the text
		// before lives on in the copy.
		if !strings.Contains(all, numbered(0)) {
			t.Error("the answer is in no copy")
		}
	default:
		if err != nil || len(res.Written) != 1 {
			t.Errorf("in the end: %+v, %v", res, err)
		}
		got := d.read()
		if strings.Count(got, d.question()) != 1 || strings.Contains(got, "agent-response") || strings.Contains(got, numbered(0)) {
			t.Error("the note is not as it was")
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

// The kill matrix of an undo.
func TestUndoKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	cases, n := matrix(t, course.runUndo)
	t.Logf("count: %d cases, %d deaths, %d saves: lost saves 0, lost markers 0, stray files 0 unless reported above", cases, n.deaths, n.saves)
}

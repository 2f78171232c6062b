package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
)

// only returns the one dispatch there is.
func (r *running) only() journal.Dispatch {
	r.t.Helper()
	list, err := r.journal.List(r.t.Context(), journal.Filter{})
	if err != nil || len(list) != 1 {
		r.t.Fatalf("%d dispatches, %v", len(list), err)
	}
	d, err := r.journal.Get(r.t.Context(), list[0].ID)
	if err != nil {
		r.t.Fatal(err)
	}
	return d
}

// rest waits until nothing is unfinished.
func (r *running) rest() {
	r.t.Helper()
	for r.waiting() > 0 {
		r.pause()
	}
}

// reopen changes the journal while no engine runs.
func (r *running) reopen(change func(context.Context, *journal.Journal) error) {
	r.t.Helper()
	j, err := journal.On(database.Open(r.t.Context(), filepath.Join(r.state, "journal.db")))
	if err != nil {
		r.t.Fatal(err)
	}
	if err := errors.Join(change(r.t.Context(), j), j.Close()); err != nil {
		r.t.Fatal(err)
	}
}

// An undo that the end of the engine cut short is ended by the next one, wherever
// it was: before the note was touched, after that, or when it cannot be done any
// more. Nobody is asked again.
func TestUndoCutShort(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit   func(answered string) string
		status journal.Status
		want   func(answered string) string
	}{
		"before the note is touched": {nil, journal.Cancelled, func(string) string { return question(1) }},
		"after it": {func(string) string { return question(1) }, journal.Cancelled,
			func(string) string { return question(1) }},
		"the answer was edited meanwhile": {func(s string) string { return strings.Replace(s, "answer to", "an answer to", 1) },
			journal.Done, func(s string) string { return strings.Replace(s, "answer to", "an answer to", 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			dir, runner := t.TempDir(), &echoes{}
			r := startEngine(t, dir, runner)
			r.save("n.md", question(1))
			answered := r.until("n.md", answer(1))
			r.rest()
			id := r.only().ID
			r.stop()
			r.reopen(func(ctx context.Context, j *journal.Journal) error {
				_, err := j.BeginUndo(ctx, id)
				return err
			})
			if c.edit != nil {
				r.save("n.md", c.edit(answered))
			}
			r = startEngine(t, dir, runner)
			r.rest()
			d := r.only()
			if got := r.until("n.md", "text"); got != c.want(answered) || d.Status != c.status {
				t.Errorf("it is %s, and the note\n%s", d.Status, got)
			}
			if told := strings.Contains(textsOf(r.Notices()), "could not be undone"); told != (c.status == journal.Done) {
				t.Errorf("notices %+v", r.Notices())
			}
			if n := runner.runs.Load(); n != 1 {
				t.Errorf("%d runs", n)
			}
		})
	}
}

// While somebody goes on writing into the note an answer is undone and written
// again and again: no line is lost, and there is one marker or one answer.
func TestUndoAndRetryBesideAnEditor(t *testing.T) {
	t.Parallel()
	runner := &echoes{}
	r := startEngine(t, t.TempDir(), runner)
	path := filepath.Join(r.vault, "n.md")
	r.save("n.md", strings.Replace(question(1), "1?", "of\n> three lines, number\n> 1?", 1))
	r.until("n.md", answer(1)[len("answer to question "):])
	r.rest()
	id := r.only().ID
	ctx, stop := context.WithCancel(t.Context())
	lines := make(chan []string)
	go func() {
		var all []string
		for n := 0; ctx.Err() == nil; n++ {
			line := fmt.Sprintf("line %d of the user\n", n)
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.WriteString(line)
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				t.Error(err)
			}
			all = append(all, line)
			<-time.After(450 * time.Millisecond)
		}
		lines <- all
	}()
	undone, refused := 0, 0
	for n := 0; n < 3 || undone == 0 && n < 100; n++ { // a slow machine may never be as fast as the editor
		_, err := r.Undo(ctx, id)
		if _, conflict := errors.AsType[*api.Conflict](err); conflict {
			refused++ // the editor was always faster
		} else if err != nil {
			t.Error(err)
		} else if undone++; r.only().Undo != journal.Undone {
			t.Errorf("after an undo it is %+v", r.only())
		}
		if _, err = r.Retry(ctx, id); err != nil && refused == 0 {
			t.Error(err)
		}
		r.rest()
	}
	stop()
	all := <-lines
	got := r.until("n.md", "answer to question of\nthree lines, number\n1?\n<!-- /agent-response -->")
	for _, line := range all {
		if strings.Count(got, line) != 1 {
			t.Errorf("%q is there %d times", line, strings.Count(got, line))
		}
	}
	if strings.Count(got, "agent-response") != 2 || strings.Contains(got, "@agent-") || runner.runs.Load() != 1 {
		t.Errorf("%d runs, and the note is\n%s", runner.runs.Load(), got)
	}
	t.Logf("count: %d undone, %d refused, %d lines of the editor", undone, refused, len(all))
	if undone == 0 {
		t.Error("nothing could be undone")
	}
}

// The sixth time that an answer is written over it is left; the answer is kept,
// and a retry writes it.
func TestOverwrittenForGood(t *testing.T) {
	t.Parallel()
	dir, runner := t.TempDir(), &echoes{}
	r := startEngine(t, dir, runner)
	r.save("n.md", question(1))
	r.until("n.md", answer(1))
	r.rest()
	id := r.only().ID
	r.stop()
	r.reopen(func(ctx context.Context, j *journal.Journal) error {
		var errs []error
		for range 5 {
			_, err := j.RequeueOverwritten(ctx, id, []int{0}, time.Now(), "an editor")
			errs = append(errs, err)
			_, err = j.Start(ctx, id, "", time.Now())
			errs = append(errs, err, j.RecordWritten(ctx, id, []int{0}, [32]byte{1}))
		}
		return errors.Join(errs...)
	})
	r.save("n.md", question(1))
	r = startEngine(t, dir, runner)
	for r.only().Status != journal.Failed {
		r.pause()
	}
	d, err := r.Dispatch(t.Context(), id)
	if err != nil || !strings.Contains(d.Error, "keeps writing over") || d.Answers[0].Answer == "" || d.Answers[0].Written {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := r.Retry(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	r.until("n.md", answer(1))
	if n := runner.runs.Load(); n != 1 {
		t.Errorf("%d runs", n)
	}
}

// A note with two names is written by one at a time: its marker is answered once.
func TestLinkedNotes(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{})
	hidden := filepath.Join(r.vault, "new~")
	for i := range 4 {
		text := fmt.Sprintf("%d\n\n%s", i, question(i))
		a, b := fmt.Sprintf("a%d.md", i), fmt.Sprintf("b%d.md", i)
		for _, err := range []error{
			os.WriteFile(hidden, []byte(text), 0o644), os.Link(hidden, filepath.Join(r.vault, a)),
			os.Link(hidden, filepath.Join(r.vault, b)), os.Remove(hidden),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 4 {
		r.until(fmt.Sprintf("b%d.md", i), answer(i))
	}
	r.rest()
	for i := range 4 {
		got := r.until(fmt.Sprintf("a%d.md", i), answer(i))
		if strings.Count(got, "answer to") != 1 || strings.Contains(got, "@agent-") {
			t.Errorf("the note is\n%s", got)
		}
	}
	if copies, err := filepath.Glob(filepath.Join(r.vault, "*conflict*")); err != nil || len(copies) > 0 {
		t.Errorf("copies: %v, %v", copies, err)
	}
}

// Two notes with equal answers that have swapped their names: the question of one is not put into the other. Where both were
// edited around their answers, each gets its own back.
func TestUndoAfterASwapOfNames(t *testing.T) {
	t.Parallel()
	for name, now := range map[string]func(a, b string) (string, string){
		"swapped":            func(a, b string) (string, string) { return b, a },
		"swapped and edited": func(a, b string) (string, string) { return "new\n" + b, a + "more\n" },
		"edited": func(a, b string) (string, string) {
			return strings.Replace(a, "text\n", "else\n", 1), strings.Replace(b, "end\n", "more\n", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startEngine(t, t.TempDir(), &echoes{})
			r.save("a.md", question(1))
			a := r.until("a.md", answer(1))
			r.save("b.md", "other\n\n> @agent-Miner question 1?\n\nanother\n")
			b := r.until("b.md", answer(1))
			r.rest()
			list, err := r.journal.List(t.Context(), journal.Filter{})
			if err != nil || len(list) != 2 {
				t.Fatalf("%d dispatches, %v", len(list), err)
			}
			x, y := now(a, b)
			if strings.HasPrefix(name, "swapped") {
				for _, way := range [][2]string{{"a.md", "tmp~"}, {"b.md", "a.md"}, {"tmp~", "b.md"}} {
					if err := os.Rename(filepath.Join(r.vault, way[0]), filepath.Join(r.vault, way[1])); err != nil {
						t.Fatal(err)
					}
				}
			}
			r.save("a.md", x)
			r.save("b.md", y)
			for _, d := range list {
				_, err := r.Undo(t.Context(), d.ID)
				if conflict, refused := errors.AsType[*api.Conflict](err); refused != strings.HasPrefix(name, "swapped") || !refused && err != nil {
					t.Errorf("%s: %v", d.File, err)
				} else if refused && !strings.Contains(conflict.Reason, "swapped their names") {
					t.Errorf("%s: %s", d.File, conflict.Reason)
				}
			}
			gotA, gotB := r.until("a.md", "\n"), r.until("b.md", "\n")
			if name != "edited" && (gotA != x || gotB != y) || name == "edited" && strings.Contains(gotA+gotB, "agent-response") {
				t.Errorf("a.md is\n%s\nb.md is\n%s", gotA, gotB)
			}
		})
	}
}

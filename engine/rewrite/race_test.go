package rewrite

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

var raceFor = flag.Duration("rewrite.race", 3*time.Second, "how long the race with an editor lasts")

// An editor that saves hundreds of times a second, in place or by rename, and
// now and then asks something, against Answer called again and again. Every line
// the editor ever saved is in the note or a conflict copy at the end.
func TestRaceWithAnEditor(t *testing.T) {
	for _, rename := range []bool{false, true} {
		t.Run(map[bool]string{false: "in place", true: "rename"}[rename], func(t *testing.T) {
			raceWith(t, rename)
		})
	}
}

func raceWith(t *testing.T, rename bool) {
	r := random(t)
	s := newScene(t, t.TempDir(), "# Note\n")
	end := time.Now().Add(*raceFor / 2)
	done := make(chan []string)
	go func() {
		var lines []string
		for time.Now().Before(end) {
			line := fmt.Sprintf("line %d of the user\n", len(lines))
			text := line
			if len(lines)%20 == 0 {
				text = fmt.Sprintf("\n> @agent-Miner question %d?\n\n", len(lines)) + line
			}
			if err := hurriedSave(s.path, text, rename); err != nil {
				t.Error(err)
			}
			lines = append(lines, line)
			<-time.After(time.Duration(r.IntN(1800)+200) * time.Microsecond)
			if len(lines)%200 == 0 {
				// A breath, as editors take it between keystrokes.
				<-time.After(20 * time.Millisecond)
			}
		}
		done <- lines
	}()

	p := pace{rest: time.Millisecond, patience: 10 * time.Millisecond, tries: 8, backoff: time.Millisecond, longest: 4 * time.Millisecond}
	written, contested, again := 0, 0, 0
	asked := make(map[string]int)
	answer := func() {
		src, err := os.ReadFile(s.path)
		if err != nil {
			t.Errorf("the note's name is absent: %v", err)
			return
		}
		job := Job{Root: s.root, Path: s.path}
		for _, m := range note.Parse(src).Markers {
			job.Places = append(job.Places, place(m, "answer to "+m.Instruction))
		}
		if len(job.Places) == 0 {
			return
		}
		res, err := p.answer(ctx, job, unlogged)
		switch {
		case errors.Is(err, ErrContested):
			contested++
		case err != nil:
			t.Error(err)
		}
		for _, i := range res.Written {
			written++
			if asked[string(job.Places[i].Text)]++; asked[string(job.Places[i].Text)] > 1 {
				again++
			}
		}
	}
	var lines []string
	for lines == nil {
		select {
		case lines = <-done:
		default:
			answer()
		}
	}
	p.rest = 20 * time.Millisecond
	p.patience = time.Second
	answer()

	all, lost := s.everything(), 0
	for _, line := range lines {
		if !strings.Contains(all, line) {
			lost++
			t.Errorf("%q is lost", line)
		}
	}
	last := s.read()
	for q := 0; q < len(lines); q += 20 {
		if n := strings.Count(last, fmt.Sprintf("answer to question %d?\n", q)); n > 1 {
			t.Errorf("question %d is answered %d times", q, n)
		}
	}
	if n := len(note.Parse([]byte(last)).Markers); n > 0 {
		t.Errorf("%d markers are left", n)
	}
	copies := strings.Count(all, "# Note\n") - 1
	t.Logf("%d saves, %d answers written (%d again after the editor overwrote them), %d calls contested, %d conflict copies, %d lines lost",
		len(lines), written, again, contested, copies, lost)
	s.noStrayTemps()
}

// hurriedSave reads, appends and saves: a new file under the old name, or the
// old file cut to nothing and written in two halves.
func hurriedSave(path, text string, rename bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b = append(b, text...)
	if rename {
		tmp := path + ".editor"
		return errors.Join(os.WriteFile(tmp, b, 0o644), os.Rename(tmp, path))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err1 := f.Write(b[:len(b)/2])
	_, err2 := f.Write(b[len(b)/2:])
	return errors.Join(err1, err2, f.Close())
}

func BenchmarkAnswer(b *testing.B) {
	filler := strings.Repeat("Some text of a note that is neither short nor long.\n\n", 2000)[:100<<10]
	text := filler[:30<<10] + "\n\n> @agent-Miner one?\n\n" + filler[30<<10:60<<10] + "\n\n> @agent-Miner two?\n\n" + filler[60<<10:] + "\n\n> @agent-Miner three?\n"
	answer := func(i int) string { return strings.Repeat("An answer of one line.\n", 20) + numbered(i) }
	b.Run("write", func(b *testing.B) {
		s := newScene(b, b.TempDir(), text)
		job := s.job(answer)
		old := time.Now().Add(-time.Minute)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			b.StopTimer()
			if err := errors.Join(os.WriteFile(s.path, []byte(text), 0o644), os.Chtimes(s.path, old, old)); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if res, err := Answer(ctx, job, unlogged); err != nil || len(res.Written) != 3 {
				b.Fatal(res, err)
			}
		}
	})
	b.Run("text only", func(b *testing.B) {
		src := []byte(text)
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			var edits []note.Edit
			for i, m := range note.Parse(src).Markers {
				edits = append(edits, note.Respond(src, m, note.Sanitize(answer(i), 1<<18)))
			}
			next, err := note.Apply(src, edits)
			if err != nil || bytes.Contains(next, []byte("@agent-")) {
				b.Fatal(err)
			}
		}
	})
	b.Run("edit only", func(b *testing.B) {
		src := []byte(text)
		markers := note.Parse(src).Markers
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			var edits []note.Edit
			for i, m := range markers {
				edits = append(edits, note.Respond(src, m, numbered(i)))
			}
			if _, err := note.Apply(src, edits); err != nil {
				b.Fatal(err)
			}
		}
	})
	// The peer: the same bytes to a temp, made durable, renamed over the note.
	b.Run("peer rename", func(b *testing.B) {
		s := newScene(b, b.TempDir(), text)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			f, err := swap.System().Create(s.path + ".tmp")
			if err != nil {
				b.Fatal(err)
			}
			_, err = f.WriteAt([]byte(text), 0)
			if err := errors.Join(err, f.Sync(), f.Close(), os.Rename(s.path+".tmp", s.path), swap.System().SyncDir(s.root)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

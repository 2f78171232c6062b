package rewrite

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/rewrite/swap"
)

var (
	raceFor   = flag.Duration("rewrite.race", time.Second, "how long the race with a program that adds lines lasts")
	raceSaves = flag.Int("rewrite.saves", 1000, "how often the editors of the race save")
)

// oneNote is how often one note is saved; longer notes would only be slower.
const oneNote = 500

// Editors that save hundreds of times a second, in place or by rename, and now
// and then ask something, against Answer called again and again. Every line an
// editor ever saved is in its note or a conflict copy at the end.
func TestRaceWithAnEditor(t *testing.T) {
	dice := random(t)
	var total raced
	t.Run("notes", func(t *testing.T) {
		for i := range (rounds(*raceSaves) + oneNote - 1) / oneNote {
			dice := rand.New(rand.NewPCG(dice.Uint64(), 0))
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				raceWith(t, dice, i%2 == 1, &total)
			})
		}
	})
	t.Logf("count: %d saves, %d answers written (%d again after the editor overwrote them), %d comments on progress written, %d calls contested, %d conflict copies, %d lines lost",
		total.saves.Load(), total.written.Load(), total.again.Load(), total.told.Load(), total.contested.Load(), total.copies.Load(), total.lost.Load())
}

// raced is what came of all races.
type raced struct{ saves, written, told, again, contested, copies, lost atomic.Int64 }

func raceWith(t *testing.T, dice *rand.Rand, rename bool, total *raced) {
	r := race{scene: newScene(t, t.TempDir(), "# Note\n"), asked: make(map[string]int), total: total, tells: dice.IntN(2) == 0}
	r.policy = waitPolicy{rest: time.Millisecond, patience: 10 * time.Millisecond, tries: 8, backoff: time.Millisecond, longest: 4 * time.Millisecond}
	done := make(chan []string)
	go func() { done <- r.edit(dice, rename) }()
	var lines []string
	for lines == nil {
		select {
		case lines = <-done:
		default:
			for try := 0; r.tells && try < 8 && !r.tell(); try++ {
			}
			r.answer()
		}
	}
	r.policy.rest = 20 * time.Millisecond
	r.policy.patience = time.Second
	r.answer()
	r.judge(lines)
}

// race is a note that an editor and Answer change at the same time, and what
// came of it.
type race struct {
	scene
	policy waitPolicy
	asked  map[string]int // answers written, by marker
	log    []swap.Intention
	tells  bool // of progress as well

	total *raced
}

// edit saves and returns the lines it saved.
func (r *race) edit(dice *rand.Rand, rename bool) []string {
	lines := []string{}
	for len(lines) < oneNote {
		line := fmt.Sprintf("line %d of the user\n", len(lines))
		text := line
		if len(lines)%20 == 0 {
			text = fmt.Sprintf("\n> @agent-Miner question%s%d?\n\n", []string{" ", "\n> ", "\n> of\n> three "}[dice.IntN(3)], len(lines)) + line
		}
		if err := allowed(func() error { return hurriedSave(r.path, text, rename) }); err != nil {
			r.t.Error(err)
		}
		lines = append(lines, line)
		<-time.After(time.Duration(dice.IntN(1800)+200) * time.Microsecond)
		if len(lines)%200 == 0 {
			// A breath, as editors take it between keystrokes.
			<-time.After(20 * time.Millisecond)
		}
	}
	return lines
}

// tell says under every marker that the note has now that it is worked on, unless
// the editor is faster.
func (r *race) tell() bool {
	before := len(r.log)
	src, err := os.ReadFile(r.path)
	if err != nil {
		return true // answer finds out why
	}
	job := Job{Root: r.root, Path: r.path}
	for _, m := range note.Parse(progress.Bare(src).Text).Markers {
		job.Places = append(job.Places, place(m, ""))
	}
	_, err = Show(ctx, job, job.signs(working), ours, sha256.Sum256(src), func(in swap.Intention) error {
		r.log = append(r.log, in)
		return nil
	})
	switch {
	case err == nil:
		r.total.told.Add(int64(len(r.log) - before))
	case !errors.Is(err, swap.ErrChanged) && !errors.Is(err, swap.ErrBusy):
		r.t.Errorf("a comment: %v", err)
	}
	return err == nil
}

// answer answers every marker that the note has now.
func (r *race) answer() {
	var src []byte
	err := allowed(func() (err error) {
		src, err = os.ReadFile(r.path)
		return err
	})
	if err != nil {
		r.t.Errorf("the note's name is absent: %v", err)
		return
	}
	job := Job{Root: r.root, Path: r.path, ID: ourID}
	for _, m := range note.Parse(progress.Bare(src).Text).Markers {
		job.Places = append(job.Places, place(m, "answer to "+strings.ReplaceAll(m.Instruction, "\n", " ")))
	}
	if len(job.Places) == 0 {
		return
	}
	res, err := r.policy.answerGroup(ctx, job, func(in swap.Intention) error {
		r.log = append(r.log, in)
		return nil
	})
	switch {
	case errors.Is(err, ErrContested):
		r.total.contested.Add(1)
	case err != nil:
		r.t.Error(err)
	}
	for _, i := range res.Written {
		r.total.written.Add(1)
		if r.asked[string(job.Places[i].Text)]++; r.asked[string(job.Places[i].Text)] > 1 {
			r.total.again.Add(1)
		}
	}
}

// judge looks for every line that was saved and for every question.
func (r *race) judge(lines []string) {
	r.settle(r.log)
	all := r.everything()
	for _, line := range lines {
		if !strings.Contains(all, line) {
			r.total.lost.Add(1)
			r.t.Errorf("%q is lost", line)
		}
	}
	last := r.read()
	for q := 0; q < len(lines); q += 20 {
		if n := strings.Count(last, fmt.Sprintf("answer to question %d?\n", q)); n > 1 {
			r.t.Errorf("question %d is answered %d times", q, n)
		}
	}
	// A note that is saved in halves may be read with the first lines of a question alone. Their answer
	// takes their place, and the others stay. Nothing settles here; the engine waits for that.
	halves := regexp.MustCompile(`(?m)^(> )?answer to question( of)?$`).FindAllString(last, -1)
	if rest := regexp.MustCompile(`(?m)^> (three )?[0-9]+\?$`).FindAllString(last, -1); len(rest) > len(halves) {
		r.t.Errorf("%d ends of questions are left, and %d were read in halves: %q", len(rest), len(halves), rest)
	}
	if n := len(note.Parse([]byte(last)).Markers); n > 0 {
		r.t.Errorf("%d markers are left", n)
	}
	if strings.Contains(last, "agent-progress") {
		r.t.Errorf("it still tells of progress:\n%s", last)
	}
	r.total.saves.Add(int64(len(lines)))
	r.total.copies.Add(int64(strings.Count(all, "# Note\n") - 1))
	r.noStrayTemps()
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
				edits = append(edits, note.Respond(src, m, sanitize.Answer(answer(i), 1<<18)))
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

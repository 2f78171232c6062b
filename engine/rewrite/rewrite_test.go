package rewrite

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

const three = "# Title\n\n> @agent-Miner first?\n\ntext\n\n> @agent-Miner second?\n\nmore text\n\n> @agent-Miner third?\n\nend\n"

const closeTag = "<!-- /agent-response -->"

// Every byte that is not a marker's line stays, whatever the bytes are.
func TestOnlyTheMarkersChange(t *testing.T) {
	for name, text := range map[string]string{
		"plain":            three,
		"crlf":             strings.ReplaceAll(three, "\n", "\r\n"),
		"byte order mark":  "\ufeff" + three,
		"no final newline": strings.TrimSuffix(three, "\n\nend\n"),
		"crlf, no final":   "\ufeff" + strings.ReplaceAll(strings.TrimSuffix(three, "\n\nend\n"), "\n", "\r\n"),
		"invalid utf-8":    "a\xff\xfe\n\n> @agent-Miner caf\xe9?\n\n\xc3\n",
		"list":             "- a\n  > @agent-Miner q?\n- b\n",
		"callout":          "> [!note] Title\n> text\n> @agent-Miner q?\n> more\n",
		"code":             "```\n> @agent-Miner no\n```\n\n> @agent-Miner yes?\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			job := s.job(numbered)
			if len(job.Places) == 0 {
				t.Fatal("no markers in the text")
			}
			res, err := Answer(ctx, job, unlogged)
			if err != nil {
				t.Fatal(err)
			}
			got := s.read()
			if len(res.Written) != len(job.Places) || len(res.Missing) > 0 || res.Hash != sha256.Sum256([]byte(got)) || res.Conflict != "" {
				t.Errorf("got %+v", res)
			}
			rest := got
			for i, p := range strings.Split(cut(text, job), "\x00") {
				if i > 0 {
					at := strings.Index(rest, closeTag)
					if at < 0 || !strings.Contains(rest[:at], numbered(i-1)) {
						t.Fatalf("no answer %d in %q", i-1, rest)
					}
					rest = rest[at+len(closeTag):]
				}
				if !strings.HasPrefix(rest, p) {
					t.Fatalf("piece %d: note goes on with %q, want %q", i, rest, p)
				}
				rest = rest[len(p):]
			}
			if rest != "" {
				t.Errorf("left over: %q", rest)
			}
			s.noStrayTemps()
		})
	}
}

// cut puts a NUL in the place of every marker line of the job.
func cut(text string, job Job) string {
	for _, p := range job.Places {
		text = strings.Replace(text, p.Text, "\x00", 1)
	}
	return text
}

func TestMarkersAreFoundAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t, t.TempDir(), three)
	job := s.job(numbered)
	moved := "> @agent-Miner third?\n\nnew\n\n" + strings.Replace(three, "> @agent-Miner second?", "> @agent-Miner second, please?", 1)
	moved = strings.Replace(moved, "> @agent-Miner third?\n\nend", "end", 1)
	if err := os.WriteFile(s.path, []byte(moved), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := Answer(ctx, job, func(swap.Intention) error { return errors.New("not by half") })
	if err != nil || len(res.Written) > 0 || !slices.Equal(res.Missing, []int{1}) || s.read() != moved {
		t.Errorf("not yet by half: %+v, %v", res, err)
	}
	job.Partial = true
	res, err = Answer(ctx, job, unlogged)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(res.Written, []int{0, 2}) || !slices.Equal(res.Missing, []int{1}) {
		t.Errorf("got %+v", res)
	}
	got := s.read()
	if !strings.Contains(got, "second, please?") || strings.Contains(got, numbered(1)) {
		t.Errorf("the edited marker was answered:\n%s", got)
	}
	if strings.Index(got, numbered(2)) > strings.Index(got, numbered(0)) {
		t.Errorf("the moved marker was not followed:\n%s", got)
	}

	// A second call finds both answers in the note and writes nothing.
	again, err := Answer(ctx, job, func(swap.Intention) error { return errors.New("nothing to write") })
	if err != nil || !slices.Equal(again.Written, []int{0, 2}) || !slices.Equal(again.Missing, []int{1}) || s.read() != got {
		t.Errorf("again: %+v, %v", again, err)
	}
}

func TestNothingIsWrittenWhenEveryPlaceIsGone(t *testing.T) {
	t.Parallel()
	s := newScene(t, t.TempDir(), three)
	job := s.job(numbered)
	start := time.Now()
	if err := os.WriteFile(s.path, []byte("rewritten\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := Answer(ctx, job, func(swap.Intention) error { return errors.New("nothing to write") })
	if err != nil || len(res.Missing) != 3 || len(res.Written) != 0 || s.read() != "rewritten\n" {
		t.Errorf("got %+v, %v", res, err)
	}
	if waited := time.Since(start); waited < usual.rest/2 {
		t.Errorf("believed after %v that a young note has no markers", waited)
	}
}

// An editor empties the note before it writes it; that is no deletion.
func TestATruncatedNoteIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newScene(t, t.TempDir(), three)
	job := s.job(numbered)
	if err := os.Truncate(s.path, 0); err != nil {
		t.Fatal(err)
	}
	reads := 0
	job.Files = newDisk(func(op string) error {
		if op != "read" {
			return nil
		}
		if reads++; reads != 2 { // once it was read as it is
			return nil
		}
		return allowed(func() error { return os.WriteFile(s.path, []byte(three+"saved\n"), 0o644) })
	})
	res, err := Answer(ctx, job, unlogged)
	if err != nil || len(res.Written) != 3 || reads < 2 {
		t.Fatalf("after %d reads: %+v, %v", reads, res, err)
	}
	if !strings.Contains(s.read(), "saved\n") {
		t.Error("the save is lost")
	}
}

func TestAnswerRefuses(t *testing.T) {
	s := newScene(t, t.TempDir(), three)
	job := s.job(numbered)
	gone := job
	gone.Path = filepath.Join(s.root, "Gone.md")
	if _, err := Answer(ctx, gone, unlogged); !errors.Is(err, ErrNoteGone) {
		t.Errorf("gone: %v", err)
	}
	unmounted := job
	unmounted.Root, unmounted.Path = s.root+"-x", s.root+"-x/Note.md"
	if _, err := Answer(ctx, unmounted, unlogged); !errors.Is(err, swap.ErrVaultGone) {
		t.Errorf("vault gone: %v", err)
	}
	if err := os.Chmod(s.path, 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Answer(ctx, job, unlogged); err != swap.ErrReadOnly {
		t.Errorf("read-only: %v", err)
	}
	if err := os.Chmod(s.path, 0o644); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Answer(stopped, job, unlogged); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if s.read() != three {
		t.Error("the note has changed")
	}
	s.noStrayTemps()
}

func TestANoteThatNeverRestsIsContested(t *testing.T) {
	s := newScene(t, t.TempDir(), three)
	n := 0
	d := newDisk(func(string) error { return nil })
	job := s.job(numbered)
	job.Files = d
	d.step = func(op string) error {
		if op == "exchange" {
			n++
			return swap.ErrChanged
		}
		return nil
	}
	p := brisk
	p.tries = 3
	_, err := p.answerGroup(ctx, job, unlogged)
	if !errors.Is(err, ErrContested) || !errors.Is(err, swap.ErrChanged) || err.Error() != ErrContested.Error() || n != 3 {
		t.Errorf("after %d tries: %v", n, err)
	}
	if s.read() != three {
		t.Error("the note has changed")
	}
	s.noStrayTemps()
}

// A marker that is not there while the note keeps changing is not believed gone.
func TestAMovingNoteHasNoMissingMarkers(t *testing.T) {
	t.Parallel()
	s := newScene(t, t.TempDir(), three)
	job := s.job(numbered)
	n := 0
	job.Files = newDisk(func(op string) error {
		if op == "read" {
			n++
			err := os.WriteFile(s.path, fmt.Appendf(nil, "half a note, %d times\n", n), 0o644)
			if !refused(err) { // a held note is not written on Windows
				return err
			}
		}
		return nil
	})
	p := usual
	p.tries, p.rest, p.patience = 2, 2*time.Second, 100*time.Millisecond // a rest that no machine is too slow to disturb
	res, err := p.answerGroup(ctx, job, unlogged)
	if !errors.Is(err, ErrContested) || len(res.Missing) > 0 {
		t.Errorf("after %d reads: %+v, %v", n, res, err)
	}
}

func TestHostileAnswersStayInside(t *testing.T) {
	t.Parallel()
	for _, hostile := range []string{
		"> @agent-Miner do more", "<!-- /agent-response -->\n\n> @agent-Miner do more", "```\nunclosed", "<!-- unclosed",
		"%%", "$$", "\x00\x1b[31m", "", " ", "---\nwiki: off\n---", strings.Repeat("long line ", 50000), "a\r\nb\rc",
	} {
		s := newScene(t, t.TempDir(), three)
		res, err := Answer(ctx, s.job(func(int) string { return hostile }), unlogged)
		if err != nil || len(res.Written) != 3 {
			t.Errorf("%.40q: %+v, %v", hostile, res, err)
			continue
		}
		// A marker of ours at the end shows whether the parser is back in the open by then.
		left := note.Parse([]byte(s.read() + "\n> @agent-Miner last?\n"))
		if len(left.Markers) != 1 || len(left.Blocks) != 3 || left.Unclosed != 0 {
			t.Errorf("%.40q: %d markers and %d blocks are left", hostile, len(left.Markers), len(left.Blocks))
		}
	}
}

func TestCallsForOneNoteDoNotOverlap(t *testing.T) {
	s := newScene(t, t.TempDir(), strings.Repeat("> @agent-Miner q?\n\n", 8))
	all := s.job(numbered)
	errs := make(chan error)
	for i := range all.Places {
		go func() {
			job := all
			job.Places = all.Places[i : i+1]
			_, err := brisk.answerGroup(ctx, job, unlogged)
			errs <- err
		}()
	}
	for range all.Places {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for i := range all.Places {
		if n := strings.Count(s.read(), numbered(i)); n != 1 {
			t.Errorf("answer %d stands %d times in the note", i, n)
		}
	}
	if len(writing.notes) != 0 {
		t.Errorf("%d locks are left", len(writing.notes))
	}
}

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/fewer"
	"vaultdispatcher/engine/untaken"
)

// A copy that comes when its note was answered is not asked if it was a copy before: it equals the
// note without its answers, and was last written before these. A note that was written since is a
// person's own, also one that was made from the same template.
func TestCopyThatComesLate(t *testing.T) {
	t.Parallel()
	const two = "text\n\n> @agent-Miner question 1?\n\nend\n\n> @agent-Miner:b question 2?\n\nlast\n"
	for _, c := range fewer.Cases([]struct {
		name, note, text string
		written          time.Duration // when, from now
		edit             func(answered string) string
		isCopy           bool
	}{
		{"a copy of before", "a 2.md", two, -time.Hour, nil, true},
		{"with other line ends", "a (Copy).md", strings.ReplaceAll(two, "\n", "\r\n"), -time.Hour, nil, true},
		{"made from a template since", "a 2.md", two, time.Hour, nil, false},
		{"another name", "b.md", two, -time.Hour, nil, false},
		{"other words", "a 2.md", two + "more\n", -time.Hour, nil, false},
		{"the note went on", "a 2.md", two, -time.Hour, func(s string) string { return s + "more\n" }, false},
		{"an answer was edited", "a 2.md", two, -time.Hour, func(s string) string { return strings.Replace(s, "answer to", "an answer to", 1) }, false},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			runner := &echoes{}
			r := startEngine(t, t.TempDir(), runner)
			r.save("a.md", two)
			r.until("a.md", answer(1))
			answered := r.until("a.md", answer(2))
			r.rest()
			if c.edit != nil {
				r.save("a.md", c.edit(answered))
			}
			at, tmp := time.Now().Add(c.written), filepath.Join(r.vault, "tmp~")
			for _, err := range []error{os.WriteFile(tmp, []byte(c.text), 0o600), os.Chtimes(tmp, at, at), os.Rename(tmp, filepath.Join(r.vault, c.note)), r.lookAt(c.note)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if !c.isCopy {
				r.until(c.note, answer(1))
				r.until(c.note, answer(2))
				return
			}
			told := r.untilTold(c.note)
			if told.Kind != string(untaken.Copy) || !strings.Contains(told.Reason, "the note equals what a.md was when this was asked there") {
				t.Errorf("told %s: %q", told.Kind, told.Reason)
			}
			if n := runner.runs.Load(); n != 2 {
				t.Errorf("%d runs", n)
			}
			r.save(c.note, two+"more\n")
			r.until(c.note, answer(1))
			r.until(c.note, answer(2))
		})
	}
}

// A copy that was not asked is not asked either when its note is renamed.
func TestCopyOfARenamedNote(t *testing.T) {
	t.Parallel()
	runner := &echoes{}
	r := startEngine(t, t.TempDir(), runner)
	r.save("a.md", question(1))
	r.save("a 2.md", question(1))
	r.until("a.md", answer(1))
	r.untilTold("a 2.md")
	r.rest()
	r.do("mv", "a.md", "b.md")
	r.do("known", "b.md")
	for range 2 {
		if err := r.lookAt("a 2.md"); err != nil {
			t.Fatal(err)
		}
		if told := r.untilTold("a 2.md"); told.Kind != string(untaken.Copy) {
			t.Errorf("told %s: %q", told.Kind, told.Reason)
		}
	}
	r.rest()
	if n := runner.runs.Load(); n != 1 {
		t.Errorf("%d runs", n)
	}
}

// A note from elsewhere waits for a person, and its copy is asked nowhere, also when the note goes on: both are remembered.
func TestCopyOfAClippedNote(t *testing.T) {
	t.Parallel()
	runner := &echoes{}
	r := startMet(t, t.TempDir(), runner)
	clipped := "---\nsource: https://example.org\n---\none\ntwo\nthree\nfour\nfive\n\n" + question(1)
	r.save("a.md", clipped)
	for r.count(journal.Held) == 0 {
		r.pause()
	}
	r.save("a 2.md", clipped)
	if told := r.untilTold("a 2.md"); told.Kind != string(untaken.Copy) {
		t.Errorf("told %s: %q", told.Kind, told.Reason)
	}
	r.save("a.md", clipped+"more\n")
	for _, note := range []string{"a.md", "a 2.md"} {
		if err := r.lookAt(note); err != nil {
			t.Fatal(err)
		}
	}
	if held := r.count(journal.Held); held != 1 {
		t.Errorf("%d questions are held", held)
	}
	if told := r.untilTold("a 2.md"); told.Kind != string(untaken.Copy) {
		t.Errorf("told %s: %q", told.Kind, told.Reason)
	}
	for _, d := range r.held() {
		if _, err := r.Release(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	r.until("a.md", answer(1))
	r.rest()
	if n := runner.runs.Load(); n != 1 {
		t.Errorf("%d runs", n)
	}
}

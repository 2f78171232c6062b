package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/fewer"
	"vaultdispatcher/engine/untaken"
)

// gated answers when it may.
type gated struct {
	echoes
	open chan struct{}
}

func (r *gated) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	reply, err := r.echoes.Run(ctx, task)
	select {
	case <-r.open:
	case <-ctx.Done():
	}
	return reply, err
}

// A sync program moves a note aside while an agent works on its question, and puts another version in its place: at once, or when
// the question has been followed. It is answered where the note is, once.
func TestMovedAside(t *testing.T) {
	t.Parallel()
	const many = "# Plan\n\none\n\ntwo\n\n> @agent-Miner question 1?\n\nthree\n\nfour\n"
	for _, tt := range fewer.Cases([]struct {
		name, aside string
		follows     bool // the question goes along before the note is back
		ours        bool // it stays there, for the note does not come back
	}{
		{name: "a name that counts alone", aside: "Plan-host-safeBackup-0001.md"},
		{name: "an edit conflict", aside: "Plan (# Edit conflict 2026-08-25 abcC #).md"},
		{name: "the name of a computer", aside: "Plan-host.md"},
		{name: "a name of a program", aside: "Plan-DESKTOP-7F3K2QX.md"},
		{name: "followed, and back", aside: "Plan-host.md", follows: true},
		{name: "followed, and back beside a program's name", aside: "Plan.dup.md", follows: true},
		{name: "a rename", aside: "Another.md", follows: true, ours: true},
		{name: "a rename to a program's name", aside: "Plan.dup.md", follows: true, ours: true},
	}) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runner := &gated{open: make(chan struct{})}
			r := startEngine(t, t.TempDir(), runner, func(c *config.Config) {
				if !tt.follows {
					c.Settle = 2 * time.Second
				}
			})
			r.save("Plan.md", many)
			for runner.runs.Load() == 0 {
				r.pause()
			}
			id := r.oldest().ID
			r.do("mv", "Plan.md", tt.aside)
			for ; tt.follows && r.oldest().File != tt.aside; r.pause() {
			}
			if !tt.ours {
				r.save("Plan.md", many+"five\n")
				for ; tt.follows && r.oldest().File != "Plan.md"; r.pause() {
				}
			}
			if err := r.lookAt("Plan.md"); err != nil && !tt.ours {
				t.Fatal(err)
			}
			at := "Plan.md"
			if tt.ours {
				at = tt.aside
			} else if tt.aside != "Plan-host-safeBackup-0001.md" && !strings.Contains(tt.aside, "#") {
				if row := r.untilTold(tt.aside); row.Kind != string(untaken.Copy) {
					t.Errorf("told %s: %s", row.Kind, row.Reason)
				}
			}
			close(runner.open)
			r.until(at, answer(1))
			r.rest()
			if d := r.oldest(); d.ID != id || d.File != at {
				t.Errorf("the first record is %s of %s", d.ID, d.File)
			}
			if n := runner.runs.Load(); n != 1 {
				t.Errorf("%d runs", n)
			}
			if tt.ours {
				return
			}
			if src, err := os.ReadFile(filepath.Join(r.vault, tt.aside)); err != nil || string(src) != many {
				t.Errorf("the copy is %q, %v", src, err)
			}
		})
	}
}

// What is much like a note is a copy of it, until its line is edited or a person asks.
func TestMuchAlike(t *testing.T) {
	t.Parallel()
	const many = "# Plan\n\none\n\ntwo\n\n> @agent-Miner question 1?\n\nthree\n\nfour\n"
	runner := &echoes{}
	r := startEngine(t, t.TempDir(), runner)
	r.save("Plan.md", many)
	r.until("Plan.md", answer(1))
	r.rest()
	for _, rel := range []string{"Plan (from another device).md", "Plan~.md"} {
		r.save(rel, many+"five\n")
		if row := r.untilTold(rel); row.Kind != string(untaken.Copy) || !strings.Contains(row.Reason, "much like Plan.md") || !strings.Contains(row.Reason, "edit the line") {
			t.Errorf("told %s: %s", row.Kind, row.Reason)
		}
	}
	r.save("Plan~.md", strings.Replace(many, "question 1", "question 2", 1)+"five\n")
	r.until("Plan~.md", answer(2))
	if _, err := r.Scan(t.Context(), r.Roots()[0], "Plan (from another device).md", true); err != nil {
		t.Error(err)
	}
	r.until("Plan (from another device).md", answer(1))
	r.rest()
	if n := runner.runs.Load(); n != 3 {
		t.Errorf("%d runs", n)
	}
}

// That holds too where only scans tell of notes: the folder is polled and its next pass is far, or the vault is paused.
func TestMuchAlikeToldByScans(t *testing.T) {
	t.Parallel()
	const many = "# Plan\n\none\n\ntwo\n\n> @agent-Miner question 1?\n\nthree\n\nfour\n"
	for name, tune := range map[string]func(*config.Config){
		"polled":              func(c *config.Config) { c.Watch.Mode, c.Watch.PollInterval = "poll", time.Hour },
		"polled, and at once": func(c *config.Config) { c.Watch.Mode, c.Watch.PollInterval, c.Debounce = "poll", time.Hour, 0 },
		"paused":              func(c *config.Config) { c.Vaults[0].Paused = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runner, dir := &echoes{}, t.TempDir()
			writeNotes(t, filepath.Join(dir, "vault"), 1, func(int) string { return question(0) })
			r := startEngine(t, dir, runner, tune)
			scan := func(rel string) {
				t.Helper()
				if err := r.lookAt(rel); err != nil {
					t.Fatal(err)
				}
			}
			scan("0.md")
			r.until("0.md", answer(0))
			for r.rest(); !r.vaults[0].Catalog.State().Complete; r.pause() {
			}
			const old, copied = "Plan (of before).md", "Plan (from another device).md"
			r.save(old, "one\n") // it is known before the note is asked
			scan(old)
			r.save("Plan.md", many)
			scan("Plan.md")
			r.until("Plan.md", answer(1))
			r.rest()
			runs := runner.runs.Load()
			r.save(copied, many+"five\n")
			scan(copied)
			if row := r.untilTold(copied); row.Kind != string(untaken.Copy) || !strings.Contains(row.Reason, "much like Plan.md") {
				t.Errorf("told %s: %s", row.Kind, row.Reason)
			}
			if n := runner.runs.Load(); n != runs {
				t.Errorf("%d more runs", n-runs)
			}
			r.save(old, many+"six\n")
			scan(old)
			r.until(old, answer(1))
		})
	}
}

// None of these is a copy: notes of days and weeks from one template, and duplicates that a person makes of a note.
func TestNoAlarm(t *testing.T) {
	t.Parallel()
	const day = "---\ntags: [daily]\n---\n# Day\n\n## Morning\n\n## Tasks\n\n> @agent-Miner question 1?\n\n## Evening\n\n## Notes\n"
	for name, notes := range fewer.Named(map[string][]string{
		"daily notes":         {"2026-01-01.md", "2026-01-02.md", "2026-01-03.md"},
		"weeks":               {"Weekly.md", "Weekly 47.md", "Weekly 48.md"},
		"numbered meetings":   {"Meeting 1.md", "Meeting 10.md", "Meeting 11.md"},
		"another folder":      {"Plan.md", "x/Plan.md", "x/Plan (1).md"},
		"a duplicate's name":  {"Plan.md", "Another plan.md", "Planning.md"},
		"names with a suffix": {"Plan-a.md", "Plan-b.md", "Plan_c.md"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runner := &echoes{}
			r := startEngine(t, t.TempDir(), runner)
			for i, rel := range notes {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(r.vault, rel)), 0o700); err != nil {
					t.Fatal(err)
				}
				text := day
				if name == "another folder" && i > 0 { // beside an equal note it is a copy of that
					text = strings.Replace(day, "question 1", "question "+string(rune('1'+i)), 1)
				}
				r.save(rel+"~", text)
				now := time.Now() // an older one would be a copy that comes late
				if err := errors.Join(os.Chtimes(filepath.Join(r.vault, rel+"~"), now, now), os.Rename(filepath.Join(r.vault, rel+"~"), filepath.Join(r.vault, rel))); err != nil {
					t.Fatal(err)
				}
				r.until(rel, "answer to question")
				r.rest()
			}
			if n := runner.runs.Load(); n != int64(len(notes)) {
				t.Errorf("%d runs", n)
			}
		})
	}
}

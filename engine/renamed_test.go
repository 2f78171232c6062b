package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/fewer"
)

// What is known of a note goes along when it is renamed, also what was answered: old text over an
// answer is old text there too, and what was deleted and is typed again is asked.
func TestRenamedWithItsAnswers(t *testing.T) {
	t.Parallel()
	block := func(n string) string {
		return "<!-- agent-response -->\nanswer to question " + n + "?\n<!-- /agent-response -->\n"
	}
	texts := map[string]string{
		"QUESTION": question(1),
		"TEMPLATE": "another note\n\n" + question(1),
		"MORE":     question(1) + "more\n",
		"GONE":     "text\n\nend\n",
		"EDITED":   "new\ntext\n\n" + block("1") + "\nend, more\n",
		"OTHER":    "other\n\n> @agent-Miner question 1?\n\nanother\n",
		"BOTH":     "text\n\n> @agent-Miner question 1?\n\nend\n\n> @agent-Miner:b question 2?\n\nlast\n",
		"SECOND":   "text\n\nend\n\n" + block("2") + "\nlast\n",
		"AGAIN":    "text\n\n> @agent-Miner question 1?\n\nend\n\n" + block("2") + "\nlast\n",
	}
	for _, c := range fewer.Cases([]struct {
		name string
		acts string // each is what its verb says in do
		file string // where the first record is at last
		runs int64  // of the agent
		told bool   // it says that old text was written over
	}{
		{"old text", "mv n.md m.md; known m.md; save m.md QUESTION; look m.md", "m.md", 1, true},
		{"old text at once, as a note of the same template is made", "rm n.md; save m.md QUESTION; look m.md; answered m.md 1", "n.md", 2, false},
		{"deleted, and made again from its template", "rm n.md; save m.md TEMPLATE; look m.md; answered m.md 1", "n.md", 2, false},
		{"with a copy that was not asked", "cp n.md c.md; save c.md QUESTION; mv n.md m.md; mv c.md k.md; look k.md; known m.md", "m.md", 2, false},
		{"old text with more", "mv n.md d/m.md; known d/m.md; save d/m.md MORE; look d/m.md", "d/m.md", 1, true},
		{"edited elsewhere", "mv n.md m.md; save m.md EDITED; known m.md", "m.md", 1, false},
		{"there and back", "mv n.md m.md; known m.md; mv m.md n.md; known n.md; save n.md QUESTION; look n.md", "n.md", 1, true},
		{"to another case", "mv n.md N.md; known N.md; save N.md QUESTION; look N.md", "N.md", 1, true},
		{"typed again", "mv n.md m.md; known m.md; save m.md GONE; look m.md; save m.md QUESTION; look m.md; answered m.md 1", "m.md", 2, false},
		{"deleted, renamed, typed again", "save n.md BOTH; look n.md; answered n.md 2; save n.md SECOND; look n.md; mv n.md m.md; known m.md; save m.md AGAIN; look m.md; answered m.md 1", "m.md", 3, true},
		{"a copy", "cp n.md m.md; look m.md; save m.md QUESTION; look m.md; answered m.md 1", "n.md", 2, false},
		{"copied, and the first removed", "cp n.md m.md; rm n.md; look m.md; known m.md; save m.md QUESTION; look m.md", "m.md", 1, true},
		{"over another note", "save m.md OTHER; answered m.md 1; rest; mv n.md m.md; known m.md; save m.md QUESTION; look m.md", "m.md", 2, true},
		{"deleted, and another written", "rm n.md; save m.md OTHER; look m.md; answered m.md 1", "n.md", 2, false},
		{"old text under the old name", "mv n.md m.md; known m.md; save n.md QUESTION; look n.md; look n.md", "m.md", 1, false},
		{"and again, with more", "mv n.md m.md; known m.md; save n.md QUESTION; look n.md; save n.md MORE; look n.md; answered n.md 1", "m.md", 2, false},
		{"before a restart", "mv n.md m.md; known m.md; stop; start; save m.md QUESTION; look m.md", "m.md", 1, true},
		{"while no engine ran", "stop; mv n.md m.md; start; known m.md; save m.md QUESTION; look m.md", "m.md", 1, true},
		{"and saved while none ran", "stop; mv n.md m.md; save m.md QUESTION; start; answered m.md 1", "n.md", 2, false},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, runner := t.TempDir(), &echoes{}
			start := func() *running {
				return startEngine(t, dir, runner, func(c *config.Config) { c.Debounce = time.Nanosecond })
			}
			r := start()
			r.save("n.md", question(1))
			r.until("n.md", answer(1))
			r.rest()
			for act := range strings.SplitSeq(c.acts, "; ") {
				switch words := strings.Fields(act); words[0] {
				case "stop":
					r.stop()
				case "start":
					r = start()
				case "save":
					r.save(words[1], texts[words[2]])
				default:
					r.do(words[0], words[1:]...)
				}
			}
			r.rest()
			d := r.oldest()
			if told := strings.Contains(d.Error, "your editor wrote its old text over this answer"); d.File != c.file || d.Status != journal.Done || told != c.told {
				t.Errorf("the record is of %s, %s and says %q", d.File, d.Status, d.Error)
			}
			if n := runner.runs.Load(); n != c.runs {
				t.Errorf("%d runs, want %d", n, c.runs)
			}
		})
	}
}

// Each question of a note that comes again goes along when the note is renamed, also between answers that it did not have around it
// before, and one that is paused stays so.
func TestRenamedWithItsSchedules(t *testing.T) {
	t.Parallel()
	r := startMet(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Debounce, c.Settle = 200*time.Millisecond, 300*time.Millisecond })
	r.save("n.md", "> @agent-Miner every month 8:00 a?\n\n> @agent-Miner every month 9:00 b?\n\n> @agent-Miner every month 10:00 c?\n")
	for r.count(journal.Scheduled) != 3 {
		r.pause()
	}
	before, err := r.Schedule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range before {
		if _, err := r.ActOnSchedule(t.Context(), q.ID, "run"); err != nil {
			t.Fatal(err)
		}
		for r.count(journal.Done) != i+1 {
			r.pause()
		}
		if _, err := r.ActOnSchedule(t.Context(), q.ID, "pause"); err != nil {
			t.Fatal(err)
		}
	}
	r.rest()
	r.do("mv", "n.md", "m.md")
	r.do("known", "m.md")
	r.rest()
	after, err := r.Schedule(t.Context())
	if err != nil || len(after) != len(before) {
		t.Fatalf("%+v, %v", after, err)
	}
	for _, q := range after {
		if q.Note != "m.md" || !q.Paused {
			t.Errorf("%s %s: paused %v", q.Note, q.Instruction, q.Paused)
		}
	}
}

// do does one thing to the notes of the vault, or waits for one.
func (r *running) do(verb string, notes ...string) {
	r.t.Helper()
	var paths []string
	for _, rel := range notes {
		paths = append(paths, filepath.Join(r.vault, rel))
	}
	var err error
	switch verb {
	case "mv":
		err = errors.Join(os.MkdirAll(filepath.Dir(paths[1]), 0o700), os.Rename(paths[0], paths[1]))
	case "cp":
		var src []byte
		if src, err = os.ReadFile(paths[0]); err == nil {
			r.save(notes[1], string(src))
		}
	case "rm":
		err = os.Remove(paths[0])
	case "look": // old text is written over after two seconds, a question is asked at once
		if err = r.lookAt(notes[0]); err == nil {
			r.rest()
		}
	case "known": // the first record is of this note
		for r.oldest().File != notes[0] {
			r.pause()
		}
	case "answered":
		r.until(notes[0], "answer to question "+notes[1]+"?\n<!-- /agent-response -->")
		r.rest()
	case "rest":
		r.rest()
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// oldest returns the record of the question that was asked first.
func (r *running) oldest() journal.Dispatch {
	r.t.Helper()
	list, err := r.journal.List(r.t.Context(), journal.Filter{})
	if err != nil || len(list) == 0 {
		r.t.Fatalf("%d dispatches, %v", len(list), err)
	}
	return list[len(list)-1]
}

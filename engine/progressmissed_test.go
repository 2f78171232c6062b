package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
)

// What is not taken up says so under its line, once, and no more when the line is mended. Nothing
// but people reads it.
func TestProgressOfWhatIsMissed(t *testing.T) {
	t.Parallel()
	const miss, said = "text\n\n@agent-Miner question 2?\n\nend\n", "@agent-Miner question 2?\n<!-- agent-progress: not taken up: the line is not in a block quote"
	dir := t.TempDir()
	r := startEngine(t, dir, &echoes{}, telling)
	r.save("first.md", "@agent-Miner question 1?\n") // what stood there when the vault was first read is no news
	r.untilTold("first.md")
	for _, end := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll(miss, "\n", end)
		r.save("n.md", text)
		got := r.until("n.md", strings.ReplaceAll(said, "\n", end))
		r.reads("n.md", text)
		r.staysAs("n.md", got)

		// A person takes it away: it does not come back, not even beside other words.
		r.save("n.md", text)
		r.staysAs("n.md", text)

		// It is mended, from a text that has the comment.
		r.save("n.md", strings.ReplaceAll(got, "@agent-Miner question 2", "> @agent-Miner question 2"))
		r.until("n.md", "answer to question 2?"+end)
		r.rest()
		r.silent("n.md")
	}

	// An editor saves what it had read before, with other words: it comes back, once.
	r.save("e.md", miss)
	r.until("e.md", said)
	r.save("e.md", miss+"and more\n")
	r.until("e.md", said)
	r.save("e.md", miss+"and even more\n")
	r.staysAs("e.md", miss+"and even more\n")

	// A role nobody answers, a line that is deleted, and code.
	r.save("m.md", "> @agent-Nobody question 3?\n\nend\n")
	got := r.until("m.md", "> @agent-Nobody question 3?\n<!-- agent-progress: not taken up: no agent answers")
	if n := len(note.Parse([]byte(got)).Markers); n != 1 {
		t.Errorf("%d markers in %q", n, got)
	}
	r.save("m.md", strings.Replace(got, "> @agent-Nobody question 3?\n", "", 1))
	if got := r.silent("m.md"); got != "\nend\n" && got != "end\n" {
		t.Errorf("of a line that is gone: %q", got)
	}
	code := "```\n@agent-Miner question 4?\n```\n\n@agent-Miner question 5?\nmore\n"
	r.save("o.md", code)
	r.untilTold("o.md")
	r.staysAs("o.md", code)
	if list := r.unfinished(); len(list) != 0 {
		t.Errorf("unfinished: %+v", list)
	}

	// Another engine that says nothing of progress takes away what was said.
	r.save("n.md", miss)
	r.until("n.md", said)
	r.stop()
	r = startEngine(t, dir, &echoes{})
	if got := r.silent("n.md"); got != miss {
		t.Errorf("without the setting it is %q", got)
	}
}

// staysAs wants that looks at a note write nothing more into it.
func (r *running) staysAs(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.vault, name)
	info, err := os.Stat(path)
	if err != nil {
		r.t.Fatal(err)
	}
	for range 3 {
		if err := r.lookAt(name); err != nil {
			r.t.Fatal(err)
		}
		for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end); r.pause() {
			now, err := os.Stat(path)
			if err != nil {
				r.t.Fatal(err)
			}
			if !os.SameFile(info, now) || !info.ModTime().Equal(now.ModTime()) {
				r.t.Fatalf("%s is written again: %q", name, r.reads(name, string(progress.Bare([]byte(text)).Text)))
			}
		}
	}
}

// A copy equals its note also while only one of the two says what is becoming of it.
func TestProgressOfACopy(t *testing.T) {
	t.Parallel()
	runner := &gate{open: make(chan struct{})}
	r := startEngine(t, t.TempDir(), runner, telling)
	r.save("a.md", question(1))
	r.until("a.md", "agent-progress: working on ")
	r.save("a 2.md", question(1))
	if row := r.untilTold("a 2.md"); row.Kind != "copy" {
		t.Errorf("of the copy it says %+v", row)
	}
	close(runner.open)
	r.until("a.md", answer(1))
}

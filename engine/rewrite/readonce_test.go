package rewrite

import (
	"bytes"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

// The writer of an answer reads the note once, also where a person's own words are below the question, and once what becomes
// of it: it holds the answer against that.
func TestWriterReadsOnce(t *testing.T) {
	const own = "> my own words, read once\n"
	s := newScene(t, t.TempDir(), "# Head\n\n> @agent-Miner what about\n"+own)
	job := s.job(numbered)
	job.Places[0].Text, job.Places[0].Lower = note.Head(job.Places[0].Text), strings.TrimSpace(own)
	versions := make(map[bool]int) // by whether they have the answer
	count := func(src []byte) {
		if bytes.Contains(src, []byte(own)) {
			versions[bytes.Contains(src, []byte(closeTag))]++
		}
	}
	note.OnRead = count
	defer func() { note.OnRead = func([]byte) {} }()
	if _, err := Answer(ctx, job, unlogged); err != nil {
		t.Fatal(err)
	}
	if versions[false] != 1 || versions[true] != 1 || !strings.HasSuffix(s.read(), "\n"+own) {
		t.Errorf("the note was read %d times, and what was made of it %d times:\n%s", versions[false], versions[true], s.read())
	}
}

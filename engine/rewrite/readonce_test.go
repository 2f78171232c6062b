package rewrite

import (
	"bytes"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

// The writer of answers reads the note once, also where a person's own words are below a question, and once what becomes of it:
// it holds the answers against that. Two answers are read once more, to find out whether one changes what is around the other.
func TestWriterReadsOnce(t *testing.T) {
	const own = "> my own words, read once\n"
	const one, two = "# Head\n\n> @agent-Miner what about\n" + own, "> @agent-Miner what else\n\n" + "# Head\n\n> @agent-Miner what about\n" + own
	for text, news := range map[string]int{one: 1, two: 2} {
		s := newScene(t, t.TempDir(), text)
		job := s.job(numbered)
		last := &job.Places[len(job.Places)-1]
		last.Text, last.Lower = note.Head(last.Text), strings.TrimSpace(own)
		versions := make(map[bool]int) // by whether they have an answer
		count := func(src []byte) {
			if bytes.Contains(src, []byte(own)) {
				versions[bytes.Contains(src, []byte(closeTag))]++
			}
		}
		note.OnRead = count
		_, err := Answer(ctx, job, unlogged)
		note.OnRead = func([]byte) {}
		if err != nil {
			t.Fatal(err)
		}
		if versions[false] != 1 || versions[true] != news || !strings.HasSuffix(s.read(), "\n"+own) {
			t.Errorf("the note was read %d times, and what was made of it %d times:\n%s", versions[false], versions[true], s.read())
		}
	}
}

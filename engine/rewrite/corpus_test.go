package rewrite

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/testdata/samples"
)

// The hostile answers of package note go the whole way: into a note on the disk,
// in three places at once, which is then read again. Nothing in it asks, every
// block ends where it ends, and no image of the network is loaded.
func TestHostileCorpusWhole(t *testing.T) {
	t.Parallel()
	answers, err := samples.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, hostile := range answers {
		n++
		s := newScene(t, t.TempDir(), strings.Replace(three, "> @agent-Miner second?", "- item\n  > @agent-Miner second?", 1))
		res, err := brisk.answerGroup(ctx, s.job(func(int) string { return hostile }), unlogged)
		if err != nil || len(res.Written) != 3 {
			t.Errorf("%.60q: %+v, %v", hostile, res, err)
			continue
		}
		// A marker of ours at the end shows whether the parser is back in the open by then.
		left := note.Parse([]byte(s.read() + "\n> @agent-Miner last?\n"))
		if len(left.Markers) != 1 || len(left.Blocks) != 3 || left.Unclosed != 0 {
			t.Errorf("%.60q: %d markers and %d blocks are left\n%s", hostile, len(left.Markers), len(left.Blocks), s.read())
		}
	}
	t.Logf("count: %d hostile answers written and read again", n)
	if n < 200 {
		t.Errorf("only %d hostile answers", n)
	}
}

package untaken

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/unseen"
)

// FuzzPlain ties engine/vault/rested to what a look does: a plain note holds nothing, whatever roles there are. Where this
// fails, unseen.MayAddress has to learn of something new, and the number of the rules of rested to rise.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{
		"plain\n", "> a quote, gEnTly\n", "> @agent-Miner ask\n", "> ＠agent-Miner ask\n", "> agent Miner: ask\n", "> AGENT-Miner: ask\n",
		"agent-Miner ask\n", "&gt; agent: Miner ask\n", "> [agent] Miner ask\n", "> @Miner ask\n", "> @agnt-Miner ask\n", "> agemt-Miner: ask\n",
		"<!-- agent-response -->\n", "<!-- agent-progress: x (1.0) -->\n", "text\r> Agent-Miner: ask\rmore\n",
	} {
		f.Add([]byte(text))
	}
	golden, err := filepath.Glob("../note/testdata/*/*")
	if err != nil || len(golden) == 0 {
		f.Fatalf("no notes of other tests: %v", err)
	}
	for _, file := range golden {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(bytes.ReplaceAll(text, []byte("@"), nil))
	}
	roles := []string{"Miner", "Editor", "Übersetzer", "*"}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, text := range [][]byte{src, bytes.ReplaceAll(src, []byte("@"), nil), bytes.ReplaceAll(src, []byte("@"), []byte(">"))} {
			if unseen.MayAddress(text) {
				continue
			}
			doc := note.Parse(text)
			if len(doc.Markers)+len(doc.Misses)+len(doc.Blocks)+doc.Unclosed > 0 || doc.Disabled {
				t.Fatalf("a plain note holds %+v", doc)
			}
			if rows := Find(text, doc, roles); len(rows) > 0 {
				t.Fatalf("a plain note has near misses: %+v", rows)
			}
			if bare := progress.Bare(text); len(bare.Progress) > 0 {
				t.Fatalf("a plain note has progress comments: %+v", bare.Progress)
			}
		}
	})
}

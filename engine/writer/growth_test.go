package writer

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// What a look at a note costs grows as its answers do: each save of a note of every day asks which of them are missing.
func TestAnswersGrowth(t *testing.T) {
	growth.Gently(t, 100, func(n int) func() {
		now := time.Now()
		var src bytes.Buffer
		var written []journal.Dispatch
		for i := range n {
			before := fmt.Sprintf("What was asked %d", i)
			block := fmt.Sprintf("<!-- agent-response -->\nThe answer %d.\n<!-- /agent-response -->\n", i)
			fmt.Fprintf(&src, "%s\n%s\n", before, block)
			written = append(written, journal.Dispatch{ID: fmt.Sprint(i), Finished: now, Markers: []journal.Marker{{
				Trace: note.Trace{Text: fmt.Sprintf("> @agent-Miner ask %d", i)}, Block: note.Block{Text: []byte(block), Upper: []byte(before)}}}})
		}
		free := []note.Marker{{Line: 1, Text: "> @agent-Miner what is new"}}
		gone := bytes.ReplaceAll(src.Bytes(), []byte("The answer"), []byte("Nothing"))
		return func() {
			for _, src := range [][]byte{src.Bytes(), gone} {
				text := find.NewText(src)
				if lost, rest := findOverwritten(text, free, written); len(lost) != 0 || len(rest) != 1 {
					t.Errorf("%d answers are missing, %d questions left", len(lost), len(rest))
				}
				findRemoved(src, text, written, now)
			}
		}
	})
}

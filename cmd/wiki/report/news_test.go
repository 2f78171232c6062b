package report

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
)

// TestBurstIsOneLine: a burst is told of once for each vault, the next one again, and what else
// is held each by itself.
func TestBurstIsOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := NewsPrinter{Output: &out}
		held := func(vault, file string, kind journal.HoldKind) {
			p.Print(news.Item{Event: news.Held, Vault: vault, File: file, Line: 1, Questions: 1, Dispatch: "id", Reason: "many came", Kind: kind})
		}
		for range 20 {
			held("A", "a.md", journal.ForBurst)
			time.Sleep(burstTime - time.Second)
		}
		held("B", "b.md", journal.ForBurst)
		held("A", "c.md", journal.ForUntrusted)
		time.Sleep(2 * burstTime)
		held("A", "d.md", journal.ForBurst)
		const hint = "hint: wiki release --kind burst lists them and asks\n"
		want := "wiki: A: questions wait, a.md the first: many came\n" + hint +
			"wiki: B: questions wait, b.md the first: many came\n" + hint +
			"wiki: A/c.md, line 1: waits for you: many came; wiki release id starts it\n" +
			"wiki: A: questions wait, d.md the first: many came\n" + hint
		if out.String() != want {
			t.Errorf("printed:\n%s", out.String())
		}
	})
}

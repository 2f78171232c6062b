//go:build !race

package sanitize

// Under the race detector memory counts no work: sync.Pool drops at random what it was given there.

import (
	"runtime"
	"strings"
	"testing"

	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testmain"
)

// TestGrowthOfWork: eight times as much of anything takes about eight times as much memory,
// by which work is counted here, since time depends on the machine. A square would be 64 times.
func TestGrowthOfWork(t *testing.T) {
	testmain.Long(t, "it measures what long answers cost")
	pieces := append([]string{"[k::", "(a::(", "[k:: ![](x)]", "](", "](a", "]: a ", "{{", "${", "{.a.b", "{a(", "{hidden ", "$a{ = ", "!", "title::\n", "title:: ", "$a ", "$$ ", "`= x` ", "`a`` ", "<%", "`<% ` ", "<b>`<i` ", "<kbd>", "a://", "&#33;", "\\![", "```js\n~~~\n{{\n```\n", "```mermaid\ngraph TD\nclick\n```\n", "> ```\n> - {{\n> ```\n", "@@", "[:", "\\href", "[a]", "[a][b]", "[a]: b\n\n[a] ", "[^1]", "[^1]: a\n", "a ^b\n", "*[a]: b\n", "# a\n", "[a]: b 'c\n", "a\n==\n"}, samples.Hostile...)
	size := (256 << 10) / fewer
	if testing.Short() {
		size = 16 << 10
	}
	for _, piece := range pieces {
		whole := strings.Repeat(piece, size/len(piece))
		part, all := allocatedBy(whole[:len(whole)/8]), allocatedBy(whole)
		if all > 20*part+(1<<20) {
			t.Errorf("%q: %d bytes of memory for %d, %d for eight times as many", piece, part, len(whole)/8, all)
		}
	}
	t.Logf("count: %d pieces", len(pieces))
}

// allocatedBy is how much memory it takes to clean an answer. Other tests must not run beside it.
func allocatedBy(answer string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Answer(answer, 0)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

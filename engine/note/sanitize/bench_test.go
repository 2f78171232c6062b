package sanitize

import (
	"strings"
	"testing"
)

func BenchmarkSanitize(b *testing.B) {
	const paragraph = "## Section\n\nSome *words* about [[Another note]] and `code`, with an address a@b.example in them.\n\n" +
		"- an item that goes on for a while, as items do\n- [ ] and one to be done\n\n```go\nfmt.Println(1)\n```\n\n> A quote of somebody.\n\n"
	answer := strings.Repeat(paragraph, 40)[:8<<10]
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	for b.Loop() {
		Answer(answer, 256<<10)
	}
}

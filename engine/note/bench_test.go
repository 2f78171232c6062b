package note

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// benchNote is a note of at least 100 KiB with n markers, evenly spread.
func benchNote(n int) []byte {
	const paragraph = "## Section\n\nSome *words* about [[Another note]] and `code`, with an address a@b.example in them.\n\n" +
		"- an item that goes on for a while, as items do\n- [ ] and one to be done\n\n```go\nfmt.Println(1)\n```\n\n> A quote of somebody.\n\n"
	var b strings.Builder
	total := 100<<10/len(paragraph) + 1
	for i := range total {
		b.WriteString(paragraph)
		if n > 0 && i%(total/n) == 0 && i/(total/n) < n {
			fmt.Fprintf(&b, "> @agent-Miner question %d about it?\n\n", i)
		}
	}
	return []byte(b.String())
}

var peer = regexp.MustCompile(`(?m)^[ \t]*>[ \t]*@agent-([A-Za-z][A-Za-z0-9_-]*)(?::([A-Za-z0-9._-]+))?[ \t]+(.+)$`)

// BenchmarkParse reads a note without a marker, with one and with twenty. Beside
// each stands the plain regular expression that knows nothing of code, comments
// and lists.
func BenchmarkParse(b *testing.B) {
	for _, n := range []int{0, 1, 20} {
		src := benchNote(n)
		b.Run(fmt.Sprintf("markers=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if got := len(Parse(src).Markers); got != n {
					b.Fatalf("%d markers, want %d", got, n)
				}
			}
		})
		b.Run(fmt.Sprintf("markers=%d/regexp", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if got := len(peer.FindAllSubmatchIndex(src, -1)); got != n {
					b.Fatalf("%d matches, want %d", got, n)
				}
			}
		})
	}
}

// BenchmarkCopy is the speed of memory, for comparison.
func BenchmarkCopy(b *testing.B) {
	src := benchNote(0)
	dst := make([]byte, len(src))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		copy(dst, src)
	}
}

func BenchmarkRespondAndApply(b *testing.B) {
	src := benchNote(20)
	doc := Parse(src)
	answer := strings.Repeat("A line of an answer.\n", 20)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		edits := make([]Edit, 0, len(doc.Markers))
		for _, m := range doc.Markers {
			edits = append(edits, Respond(src, m, answer))
		}
		if out, err := Apply(src, edits); err != nil || bytes.Equal(out, src) {
			b.Fatal(err)
		}
	}
}

package recall

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

var kinds = [...]string{"paragraph", "quoted", "item", "row", "fence", "property"}

func TestChunks(t *testing.T) {
	const file = "testdata/chunks.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := false
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		got := describe(parsePage(in.Name, in.Data))
		if got == string(want.Data) {
			continue
		}
		if *update {
			want.Data, changed = []byte(got), true
			continue
		}
		t.Errorf("%s: got\n%s\nwant\n%s", in.Name, got, want.Data)
	}
	if changed {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func describe(p *page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title %q names %q tags %q\n", p.title, p.names, p.tags)
	for n, c := range p.chunks {
		fmt.Fprintf(&b, "chunk %d %q\n", n, p.heading(c))
		for _, bl := range p.blocks[c.from:c.to] {
			text := strings.Trim(p.text(bl), "\n")
			if text == "" {
				continue
			}
			fmt.Fprintf(&b, "  %s %d ", kinds[bl.kind], bl.line)
			if bl.lead >= 0 {
				fmt.Fprintf(&b, "<%d ", bl.lead)
			}
			fmt.Fprintf(&b, "%q\n", text)
		}
	}
	return b.String()
}

func TestLongSectionsAreSplit(t *testing.T) {
	one := strings.TrimSpace(strings.Repeat("word ", chunkWords*9/20))
	p := parsePage("long.md", []byte("# Head\n"+one+"\n\n"+one+"\n\n"+one+"\n"))
	if len(p.chunks) != 2 {
		t.Fatalf("three blocks of just under half a chunk make %d chunks, want 2 of at most %d words", len(p.chunks), chunkWords)
	}
	for _, c := range p.chunks {
		if p.heading(c) != "Head" {
			t.Errorf("chunk under %q, want Head", p.heading(c))
		}
	}
	log := strings.Repeat("one line of a long log that goes on\n", 1000)
	p = parsePage("log.md", []byte("```\n"+log+"```\n"))
	if len(p.chunks) < 10 {
		t.Errorf("a log of %d bytes is %d chunks", len(log), len(p.chunks))
	}
	for _, b := range p.blocks {
		if n := b.span.End - b.span.Start; n > splitBytes+100 {
			t.Errorf("block of %d bytes", n)
		}
		if b.close != "```" {
			t.Errorf("piece at line %d does not know its fence", b.line)
		}
	}
}

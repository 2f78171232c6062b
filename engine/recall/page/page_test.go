package page

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
		got := describe(Parse(in.Name, in.Data))
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

func describe(p *Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title %q names %q tags %q\n", p.Title, p.Names, p.Tags)
	for n, c := range p.Chunks {
		fmt.Fprintf(&b, "chunk %d %q\n", n, p.Breadcrumb(c))
		for _, bl := range p.Blocks[c.Start:c.End] {
			text := strings.Trim(p.Text(bl), "\n")
			if text == "" {
				continue
			}
			fmt.Fprintf(&b, "  %s %d ", kinds[bl.kind], bl.Line)
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
	p := Parse("long.md", []byte("# Head\n"+one+"\n\n"+one+"\n\n"+one+"\n"))
	if len(p.Chunks) != 2 {
		t.Fatalf("three blocks of just under half a chunk make %d chunks, want 2 of at most %d words", len(p.Chunks), chunkWords)
	}
	for _, c := range p.Chunks {
		if p.Breadcrumb(c) != "Head" {
			t.Errorf("chunk under %q, want Head", p.Breadcrumb(c))
		}
	}
	log := strings.Repeat("one line of a long log that goes on\n", 1000)
	p = Parse("log.md", []byte("```\n"+log+"```\n"))
	if len(p.Chunks) < 10 {
		t.Errorf("a log of %d bytes is %d chunks", len(log), len(p.Chunks))
	}
	for _, b := range p.Blocks {
		if n := b.Span.End - b.Span.Start; n > splitBytes+100 {
			t.Errorf("block of %d bytes", n)
		}
		if b.close != "```" {
			t.Errorf("piece at line %d does not know its fence", b.Line)
		}
	}
}

func TestWhereaboutsOfALine(t *testing.T) {
	p := Parse("Work/Lab.md", []byte(`---
date: 2026-11-22
created: "2026-11-01T10:00"
due: [2026-12-01, 2026-12-02]
status: 2026
  modified : 2026-11-23 08:15:00
at: 2026-11-23 08:15:00
---
above
# Lab **one**

## [[Plans|Our plans]]
> @agent-Miner what?

`+"```"+`
# no heading
`+"```"+`
text

Under
-----
#### Deep ####
> @agent-Miner and?
# Last
`))
	if got, want := strings.Join(p.Dates, "|"), "date: 2026-11-22|created: 2026-11-01T10:00|at: 2026-11-23 08:15:00"; got != want {
		t.Errorf("dates %q, want %q", got, want)
	}
	for line, want := range map[int]string{1: "", 9: "", 10: "Lab one", 13: "Lab one › Our plans", 18: "Lab one › Our plans",
		23: "Lab one › Under › Deep", 24: "Last", 99: "Last"} {
		if got := p.HeadingsAbove(line); got != want {
			t.Errorf("above line %d %q, want %q", line, got, want)
		}
	}
}

// Where a line or a passage stands is told to agents, so it has no comment of a heading either.
func TestHeadingsHideComments(t *testing.T) {
	for heading, want := range map[string]string{
		"Plan <!-- hidden --> one":        "Plan one",
		"Plan %%hidden%%":                 "Plan",
		"Plan %% hidden %% <!--hidden-->": "Plan",
		"Plan <!-- hidden":                "Plan",
		"<!-- hidden -->":                 "",
		"Plan `<!-- shown -->`":           PlainHeading("Plan `<!-- shown -->`"),
		"100%% sure":                      PlainHeading("100%% sure"),
	} {
		p := Parse("a.md", []byte("# Top\n\n## "+heading+"\n\ntext\n"))
		got := p.HeadingsAbove(5)
		if got != strings.TrimSuffix("Top › "+want, " › ") || strings.Contains(got, "hidden") {
			t.Errorf("above a line under %q stands %q", heading, got)
		}
		if got := p.Breadcrumb(p.Chunks[len(p.Chunks)-1]); strings.Contains(got, "hidden") {
			t.Errorf("a passage under %q stands under %q", heading, got)
		}
	}
	if got := PlainHeading("A `<!-- b -->`"); !strings.Contains(got, "b") {
		t.Errorf("code became %q", got)
	}
}

// Most notes have long paragraphs and no comments: taking one apart and reading its words copies it a few times, and no line
// of it by itself.
func TestLinesAreNotCopied(t *testing.T) {
	const lines = 2000
	src := []byte("# A note\n" + strings.Repeat("A line of a paragraph that goes on and on.\n", lines))
	n := testing.AllocsPerRun(5, func() {
		p := Parse("A note.md", src)
		for _, c := range p.Chunks {
			p.IndexFields(c)
		}
	})
	if n > lines/2 {
		t.Errorf("%v allocations for %d lines", n, lines)
	}
}

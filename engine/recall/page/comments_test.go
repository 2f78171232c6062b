package page

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"

	"vaultdispatcher/engine/note"
)

// Comments are found over the whole note; those in code are text. In the table ‹ and › stand around them.
func TestComments(t *testing.T) {
	for i, marked := range []string{
		"a ‹<!-- SECRET -->› b",
		"a ‹%% SECRET %%› b",
		"‹%% SECRET %%›",
		"‹<!-- SECRET -->› seen",
		"‹<!--\nSECRET\n\nSECRET\n-->›\nseen",
		"‹%%\nSECRET\n%%›\nseen",
		"seen ‹%% SECRET\nSECRET %%› seen",
		"seen ‹<!-- SECRET\n> SECRET -->› seen",
		"> ‹%% SECRET %%› in a quote",
		"- item ‹<!-- SECRET -->›\n- item ‹%% SECRET %%›",
		"‹<!-- SECRET -->› and ‹%% SECRET %%› and ‹<!-- SECRET -->›",
		"---\ntitle: a %% b\n---\n‹%%\nSECRET›",
		"100%% of it\n\nand more",
		"`<!-- seen -->` and `%% seen %%`",
		"`%%` opens ‹%% SECRET %%›",
		"```\n<!-- seen -->\n%%\nseen\n```\n‹%% SECRET %%›",
		"~~~\n%% seen\n~~~\nseen",
		"$$\na %% b\n$$\nseen",
		"- ```\n  <!-- seen -->\n  ```\n‹<!-- SECRET -->›",
		"‹%%\nSECRET\n```\nSECRET\n%%›\nseen",
		"seen ‹<!-- SECRET ` -->› seen ` seen --> seen",
		"seen ‹%% SECRET ` %%› seen ` seen",
		"it is \\` ‹<!-- SECRET -->› and ` it",
		"`` ` `` and ‹<!-- SECRET -->› and `code`",
		"``` and ‹%% SECRET %%› and ` it",
		"`` `<!-- seen -->` `` and \\\\`<!-- seen -->`",
		"long `code\nand more` ‹<!-- SECRET --> and `code`›",
		"> long `code\n> and more` ‹%% SECRET %% and `code`›",
		"- long `code\n  and more` ‹<!-- SECRET --> and `code`›",
		"long `code\nand more` ‹<!-- and `SECRET\nSECRET -->› seen",
		"it`s\n\n`<!-- seen -->` and ‹<!-- SECRET -->› seen",
		"- it`s\n- `<!-- seen -->` and ‹<!-- SECRET -->› seen",
		"it`s\n# `<!-- seen -->` and ‹<!-- SECRET -->› seen",
		"<a title=\"`\"> ‹<!-- SECRET --> and `code`›",
		"| a | b |\n|---|---|\n| it`s ‹<!-- SECRET --> | it`s |›",
		"| it`s ‹<!-- SECRET --> | it`s |›\n|---|---|\n| a | b |",
		"‹%% SECRET %%<!-- SECRET -->› seen",
		"no comment at all",
		"",
	} {
		src := strings.NewReplacer("‹", "", "›", "").Replace(marked)
		var b strings.Builder
		at := 0
		for _, s := range Comments(note.NewPage([]byte(src))) {
			if s.Start < at || s.End <= s.Start {
				t.Fatalf("%d: %v of %q", i, Comments(note.NewPage([]byte(src))), src)
			}
			b.WriteString(src[at:s.Start] + "‹" + src[s.Start:s.End] + "›")
			at = s.End
		}
		if got := b.String() + src[at:]; got != marked {
			t.Errorf("%d: %q, want %q", i, got, marked)
		}
	}
}

// A mark of a comment in code is shown and hides nothing; what it seemed to open does not show the comment behind it.
func TestQuotedBesideCode(t *testing.T) {
	for src, want := range map[string]string{
		"`%%` opens %% SECRET %% end\n":           "`%%` opens  end",
		"`<!--` opens <!-- SECRET --> end\n":      "`<!--` opens  end",
		"`<!-- seen -->` is one\n":                "`<!-- seen -->` is one",
		"a <!-- SECRET ` --> b ` c --> d\n":       "a  b ` c --> d",
		"`a\nb` <!-- SECRET --> and `c`\n":        "`a\nb`",
		"a \\` <!-- SECRET --> b ` c\r\nd\n":      "a \\`  b ` c\nd",
		"- <!-- c --> @agent-Miner SECRET\n  a\n": "  a",
		"---\na: b # SECRET\n---\n":               "A: b",
		"---\na:\n  # SECRET\n  - b # SECRET\n  - \"c # d\" # SECRET\n  - #e\n  - it's # SECRET\n---\n": "A: b, c # d, #e, it's",
		"---\na: [b, 'c # d'] # SECRET\n---\n":                                                          "A: b, c # d",
		"---\na: | # SECRET\n  b # c\n---\n":                                                            "A: b # c",
		"---\na: # SECRET\n---\nb\n":                                                                    "b",
		"- a `` ` `` %% SECRET %% `b`\n":                                                                "- a `` ` ``  `b`",
		"---\na: \\` <!-- SECRET --> `\n---\n":                                                          "A: \\`  `",
	} {
		p := Parse("n.md", []byte(src))
		if got := p.showBlock(p.Blocks[0], 0, false); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
		if got := p.Text(p.Blocks[0]); strings.Contains(got, "SECRET") && p.Blocks[0].IsProse() {
			t.Errorf("%q is indexed: %q", src, got)
		}
	}
}

// A link to a heading has to name all of it, so one to a heading with a comment leads to the note.
func TestNoCommentInALink(t *testing.T) {
	for src, want := range map[string]string{
		"# Head %% SECRET %%\n\na":               "[[n|n › Head]]",
		"# Head <!-- SECRET -->\n\na":            "[[n|n › Head]]",
		"# A %% SECRET %%\n## B\n\na\n# C\n## B": "[[n#B|n › A › B]]",
		"# Head `%% seen %%`\n\na":               "[[n#Head ` seen `|n › Head seen]]",
		"# 100%%\n\na":                           "[[n#100|n › 100]]",
		"# Git (https://x.org/)\n\na":            "[[n#Git (https x.org/)|n › Git (https://x.org/)]]",
	} {
		p := Parse("n.md", []byte(src))
		if got := p.ChunkLink("n.md", true, p.Chunks[0]); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

// What no quote may have stands in a comment or in no block: both are found by one walk.
func TestCommentsAreNotQuoted(t *testing.T) {
	seed := testseed.Take(t)
	random := rand.New(rand.NewPCG(seed, 5))
	parts := []string{"\n", "\n\n", "%%", "<!--", "-->", " word ", "```\n", "- ", "> ", "`", "# ", "\r\n"}
	for range 2000 {
		var b strings.Builder
		for n := range random.IntN(20) {
			b.WriteString(parts[random.IntN(len(parts))] + fmt.Sprintf("w%d", n))
		}
		src := b.String()
		p, last := Parse("n.md", []byte(src)), -1
		for _, s := range Comments(note.NewPage([]byte(src))) {
			if s.Start <= last || s.End <= s.Start || s.End > len(src) {
				t.Fatalf("%v of %q", p.Comments, src)
			}
			last = s.End
			for _, block := range p.Blocks {
				for _, word := range strings.FieldsFunc(src[s.Start:s.End], func(r rune) bool { return r != 'w' && (r < '0' || r > '9') }) {
					if shown := p.showBlock(block, 0, false) + " "; len(word) > 1 && block.IsProse() && strings.Contains(shown, word+" ") && strings.Count(src, word) == 1 {
						t.Fatalf("%q of a comment of %q is shown: %q", word, src, shown)
					}
				}
			}
		}
	}
}

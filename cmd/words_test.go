package cmd_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// idioms are turns of phrase that a reader has to read twice, and of how many comment lines in 1,000 each may be a part. The share
// may fall and never rise; lower the number with it. CONTRIBUTING.md says how to write instead.
var idioms = []struct {
	name  string
	most  float64
	words *regexp.Regexp
}{
	{"stands, lies, goes, stays", 2, regexp.MustCompile(`\b(?:stands?|stood|lies|goes|stays)\b`)},
	{"whoever, nobody, somebody, anybody", 1, regexp.MustCompile(`\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody|[Aa]nybody)\b`)},
	{"What ... is, as the subject", 5.5, regexp.MustCompile(`(?:^|\. )What\b`)},
	{"is none", 1, regexp.MustCompile(`\b(?:is|are|was) none\b`)},
	{"of which, of these, of those", 1, regexp.MustCompile(`\b[Oo]f (?:which|these|those)\b`)},
}

// TestPlainEnglish: the share of comment lines with each idiom does not rise.
func TestPlainEnglish(t *testing.T) {
	found, lines := make([]int, len(idioms)), 0
	for file := range productFiles(t) {
		src, err := os.ReadFile("../" + file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(src, []byte("// Code generated ")) {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range parsed.Comments {
			for line := range strings.Lines(group.Text()) {
				lines++
				for i, idiom := range idioms {
					if idiom.words.MatchString(line) {
						found[i]++
					}
				}
			}
		}
	}
	if lines < 10_000 {
		t.Fatalf("only %d lines of comments were read", lines)
	}
	for i, idiom := range idioms {
		share := 1000 * float64(found[i]) / float64(lines)
		t.Logf("%-36s %4d of %d lines, %.1f in 1,000", idiom.name, found[i], lines, share)
		if share > idiom.most {
			t.Errorf("%q: in %.1f of 1,000 comment lines; at most %.1f", idiom.name, share, idiom.most)
		}
	}
}

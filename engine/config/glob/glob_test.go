package glob

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern string
		yes, no string // paths, separated by |
	}{
		{"Templates/**", "Templates|Templates/a.md|Templates/x/y.md|templates/a.md|TEMPLATES/A.MD", "a.md|My/Templates/a.md|Templates2/a.md"},
		{"Templates", "Templates|Templates/a.md", "Templates.md|x/Templates"},
		{"Templates/", "Templates/a.md", "Templates.md"},
		{"**/Drafts", "Drafts/a.md|x/Drafts|x/y/drafts/z/a.md", "x/Drafts.md|Drafts2/a"},
		{"*.md", "a.md|.md|b.md/inside", "a.txt|x/a.md"},
		{"**/*.tmp.md", "a.tmp.md|x/y/b.tmp.md", "a.md|tmp.md"},
		{"a/*/c.md", "a/b/c.md|a//c.md", "a/c.md|a/b/b/c.md"},
		{"a/**/c.md", "a/c.md|a/b/c.md|a/b/b/c.md", "a/b/c2.md|b/a/c.md"},
		{"Log 20??-*.md", "Log 2026-01.md|log 2026-.md", "Log 202-01.md|Log 20266-01.md"},
		{"Äpfel/?.md", "äpfel/ß.md|ÄPFEL/x.md", "äpfel/xy.md"},
		{"Kelvin s.md", "\u212aELVIN \u017f.md", "Celvin s.md"},
		{"[a]{b}.md", "[a]{b}.md|[A]{B}.md", "a.md|ab.md"},
		{"*a*b*c", "abc|xaxbxc|aabbcc", "acb|ab|c"},
		{"**", "a|a/b/c.md", ""},
	} {
		for path := range strings.SplitSeq(test.yes, "|") {
			if !Match([]string{"nothing/else", test.pattern}, path) {
				t.Errorf("%q does not hold for %q", test.pattern, path)
			}
		}
		for path := range strings.SplitSeq(test.no, "|") {
			if path != "" && Match([]string{test.pattern}, path) {
				t.Errorf("%q holds for %q", test.pattern, path)
			}
		}
		if err := Check(test.pattern, strconv.Quote); err != nil {
			t.Errorf("refused: %v", err)
		}
	}
	if Match(nil, "a.md") {
		t.Error("no pattern holds for something")
	}
}

// Every note is held against every pattern, at each start and at each look.
func TestNoMatchCostsLittle(t *testing.T) {
	patterns := []string{"**/Clippings/**", "Templates", "Archive/20??/**"}
	if n := testing.AllocsPerRun(10, func() { Match(patterns, "Projects/2026/A note.md") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// model says in a regular expression what Match promises.
func model(pattern string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`^(?is)`)
	for s := range strings.SplitSeq(pattern, "/") {
		if s == "**" {
			b.WriteString(`([^/]*/)*`)
			continue
		}
		one := regexp.QuoteMeta(s)
		one = strings.ReplaceAll(strings.ReplaceAll(one, `\*`, `[^/]*`), `\?`, `[^/]`)
		b.WriteString(one + "/")
	}
	b.WriteString(`([^/]*/)*$`)
	return regexp.MustCompile(b.String())
}

func TestMatchAgainstModel(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(of string, most int) string {
		b := make([]byte, r.IntN(most+1))
		for i := range b {
			b[i] = of[r.IntN(len(of))]
		}
		return string(b)
	}
	hits := 0
	for range 20000 {
		pattern := strings.ReplaceAll(pick("aAb*?/", 8), "***", "*")
		if Check(pattern, strconv.Quote) != nil || strings.HasSuffix(pattern, "/") {
			continue
		}
		path := strings.Trim(pick("abB/", 8), "/")
		got, want := Match([]string{pattern}, path), model(pattern).MatchString(path+"/")
		if got != want {
			t.Fatalf("Match(%q, %q) = %v", pattern, path, got)
		}
		if got {
			hits++
		}
	}
	if hits < 500 {
		t.Errorf("only %d of the random paths matched; the test says little", hits)
	}
}

// A pattern made to go back and forth must not take long.
func TestMatchIsNeverSlow(t *testing.T) {
	pattern := strings.Repeat("a*", 500) + "b/" + strings.Repeat("**/x/", 200) + "y"
	path := strings.Repeat("a", 2000) + "/" + strings.Repeat("x/", 400) + "z"
	start := time.Now()
	if Match([]string{pattern}, path) {
		t.Error("matched")
	}
	if d := time.Since(start); d > time.Minute { // milliseconds; without a memory of what failed, years
		t.Errorf("took %s", d)
	}
}

func BenchmarkMatch(b *testing.B) {
	many := []string{"Templates/**", "Clippings/**"}
	for i := range 4 {
		many = append(many, fmt.Sprintf("**/Archive %d/*.md", i))
	}
	for name, patterns := range map[string][]string{"default": {"Templates/**"}, "six": many} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Match(patterns, "Projects/2026/Shop/Meeting notes.md")
			}
		})
	}
}

package lazyregexp

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// TestTable finds what one expression of all forms finds, in random texts, wherever a form may begin.
func TestTable(t *testing.T) {
	forms := []string{`a()b`, `(?i)()k[ly]`, `^()\x{e9}+x`, `\b()cd|cd{2}`, `[^a-z\n]()=`, `[\pL]()\{`, "()\x60\n", `(?:^|[ \t])vi():`, `[ab]*()!`, `.()$`}
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	letters := []string{"a", "b", "c", "d", "k", "K", "\u212a", "y", "é", "x", "=", "{", "`", "\n", " ", "v", "i", ":", "!", "\xff", "世", "\xc3"}
	for range 5000 {
		flags := []string{"", "(?m)", "(?s)"}[r.IntN(3)]
		var some []string
		for _, i := range r.Perm(len(forms))[:1+r.IntN(4)] {
			some = append(some, forms[i])
		}
		var text strings.Builder
		for range r.IntN(24) {
			text.WriteString(letters[r.IntN(len(letters))])
		}
		s := text.String()
		checkTable(t, NewTable(flags, some...), regexp.MustCompile(flags+`(?:`+strings.Join(some, "|")+`)`), s)
	}
}

func checkTable(t *testing.T, table *Table, one *regexp.Regexp, s string) {
	t.Helper()
	from := 0
	for _, want := range one.FindAllStringSubmatchIndex(s, -1) {
		begin, row, at, end := table.Find(s, from)
		wantRow, wantAt := 0, -1
		for i := 2; i < len(want); i += 2 {
			if want[i] >= 0 {
				wantRow, wantAt = i/2-1, want[i]
			}
		}
		if begin != want[0] || end != want[1] || at != wantAt || at >= 0 && row != wantRow {
			t.Fatalf("%s in %q from %d: begin %d, row %d at %d, end %d; one expression has %v", one, s, from, begin, row, at, end, want)
		}
		from = end
	}
	if begin, _, _, _ := table.Find(s, from); begin >= 0 {
		t.Fatalf("%s in %q: another one at %d", one, s, begin)
	}
}

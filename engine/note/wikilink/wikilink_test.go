package wikilink

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// form is the same as an expression; beginning and labelled are those of links that may be cut.
var (
	form      = regexp.MustCompile(`(!?)\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]`)
	beginning = regexp.MustCompile(`!*\[\[+`)
	labelled  = regexp.MustCompile(`\[\[[^\[\]|]*\|`)
)

// Links are found where the expression finds them, whatever is around them.
func TestReplace(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Take(t), 0))
	parts := []string{"[", "]", "[[", "]]", "|", "#", "!", "\n", "a", "b c", "ä", "\\", "]]\n"}
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		var got []string
		out := Replace(text, func(l Link) string {
			mark := ""
			if l.IsEmbed {
				mark = "!"
			}
			got = append(got, text[l.Start:l.End], mark, l.To, l.Label)
			return "<" + l.To + ">"
		})
		var want []string
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			want = append(want, m...)
		}
		if strings.Join(got, "\x00") != strings.Join(want, "\x00") || out != form.ReplaceAllString(text, "<$2>") {
			t.Fatalf("%q: %q, want %q\nreplaced: %q", text, got, want, out)
		}
		if got, want := Beginnings(text), beginning.FindAllStringIndex(text, -1); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
		if got, want := Shown(text), labelled.ReplaceAllString(text, ""); got != want {
			t.Fatalf("%q shows %q, want %q", text, got, want)
		}
	}
}

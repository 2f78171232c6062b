package unseen

import (
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "> a": "> a", "＞＠ａ－": ">@a-", "&gt;&#64;&commat;&#X2d;": ">@@-", `\>\_\-`: ">_-", `\@\*&x &amp`: `\@\*&x &amp`,
		"\ufeff>\u200b\x00 a\u00adb": "> ab", "\u00a0\u3000> a\u00a0b": "> a b", "a\u2028b": "a\nb", "what？，：": "what？，：", "▶︎›": "▶>", "\t\xff½…": "\t\xff½…", "é‑–": "é‑–",
	} {
		if plain, from := Plain(text); plain != want || len(from) != len(plain)+1 {
			t.Errorf("%q is %q, want %q; %d places", text, plain, want, len(from))
		}
	}
}

// Each byte of a plain text says where it was: between two of them is what they stand for.
func TestPlainSaysWhere(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "é", "＞", "&gt;", `\_`, "\u200b", "\u3000", " ", "&", `\`, "\xff", "\u2028", "&bne;", "&#0;"}
	r := rand.New(rand.NewPCG(testseed.Take(t), 2))
	for range 2000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		plain, from := Plain(text)
		if from[len(plain)] != len(text) {
			t.Fatalf("%q ends at %v", text, from)
		}
		for i := range plain {
			if i > 0 && from[i] == from[i-1] || strings.Trim(plain[:i], " ") == "" {
				continue // two of one name, and the beginning, where wide space is left out
			}
			if again, _ := Plain("." + text[from[i]:]); again != "."+plain[i:] {
				t.Fatalf("%q is %q, and from byte %d %q", text, plain, i, again)
			}
		}
	}
}

func TestMayAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "a note\n": true, "> a quote with > marks\n": true, "geNius, Gen t, agen": true, "g": true,
		"me@home": false, "＠": false, "﹫": false, "an Agent": false, "URGENT": false, "gent": false, "aggent": false,
	} {
		if MayAddress([]byte(text)) == want {
			t.Errorf("%q is plain: %t", text, !want)
		}
	}
}

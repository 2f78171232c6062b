package unseen

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"vaultdispatcher/engine/testdata/testseed"
)

// TestDrop wants no word in a text that only a machine reads, and every sign that a script needs.
func TestDrop(t *testing.T) {
	t.Parallel()
	hello := "hello"
	spell := func(from rune) string {
		return strings.Map(func(r rune) rune { return from + r - 'a' }, "orders")
	}
	for _, c := range []struct{ in, want string }{
		{hello + "\uFE00\uFE0F\uFE03\uFE0E\uFE07", hello},
		{hello + spell(0xE0100), hello},
		{hello + spell(0xE0080), hello},
		{hello + spell(0xE0061), hello},
		{hello + "\u206A\u206B\u206C\u206D\u206E\u206F", hello},
		{hello + "\uFFF9a\uFFFAb\uFFFB", hello + "ab"},
		{"so\u00ADft \u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\U0001BCA0\U0001D173\u2065", "soft "},
		{"a" + strings.Repeat("\u0300", 90) + "b\u0301", "a" + strings.Repeat("\u0300", 8) + "b\u0301"}, // drawn over other lines
		{"a\u200Cb\u200Dc\u200Ed", "abcd"},
		{"\u0646\u200C\u200D\u200C\u0627", "\u0646\u200C\u0627"},
		{"\u2764\uFE0F\uFE0F\uFE0E\uFE01", "\u2764\uFE0F"},
		{"\U0001F3F4" + spell(0xE0061) + "\U000E007F", "\U0001F3F4"},
		{"\u05D0 a\u2066b\u2067c\u2069\u2069", "\u05D0 a\u2066bc\u2069"},
		{"\u05D0 \u2067abc\u2069 \u2066\u2067\u2069\u2069 \u2068a", "\u05D0 abc  a"},
		{"\u05D0 \u2066a\n\u05D0 b\u2069", "\u05D0 a\n\u05D0 b"},
		{"a\u2067\u05D0\u2069\u202Eb\u202C", "a\u2067\u05D0\u2069b"},
		{"a\u2068b\u2069", "ab"},
		{"\u05D0\u200F\u200F! \u200Eb", "\u05D0\u200F! \u200Eb"},
		{"\u0627\u200D\u200D\u200D 1\u200D.", "\u0627\u200D 1."},
		{"1\uFE0F 2\uFE0F\u20E3", "1 2\uFE0F\u20E3"},
	} {
		if got := Drop(c.in); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
		}
	}
	for _, answer := range []string{
		"\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F \U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F \U0001F3F4\u200D\u2620\uFE0F",
		"\U0001F469\U0001F3FD\u200D\U0001F4BB \u2764\uFE0F\u200D\U0001F525 \U0001F3F3\uFE0F\u200D\U0001F308 #\uFE0F\u20E3 \u00A9\uFE0F \u2139\uFE0F \u203C\uFE0F",
		"\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u0915\u094D\u200D\u0937 \u0DC1\u0DCA\u200D\u0DBB\u0DD3",
		"\u0D05\u0D35\u0D28\u0D4D\u200D; \u0647\u200D.\u0634. \u09A4\u09CD\u200D", "\u0D28\u0D4D\u200D",
		"\u0E20\u0E32\u0E29\u0E32\u200B\u0E44\u0E17\u0E22",
		"\u05E9\u05DC\u05D5\u05DD \u2066README.md\u2069, \u2068x\u2069 \u05D5\u2067\u05D0 b\u2069! \u200E(b)",
		"\u05D0 \u2066+972-3\u2069 \u2066\u05D1 (a)\u2069 \u2067API \u05E9\u05DC \u2066C++\u2069 \u05D1\u2069",
		"\u845B\U000E0100 \u2229\uFE00 \u1820\u180B", "\u0600\u0661 \u06DD",
	} {
		if got := Drop(answer); got != answer {
			t.Errorf("%q\n got %q", answer, got)
		}
	}
}

// TestDropAtRandom: whatever is strewn between whatever, cleaning it twice is cleaning it once, and what stays
// stands beside what is seen.
func TestDropAtRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	seen := []rune("ab1#! \n\u05D0\u0627\u0646\u0E01\u0915\u094D\u2764\U0001F469\U0001F3FD\u845B\u1820\U0001F3F4\u20E3")
	unseen := []rune("\u00AD\u200B\u200C\u200D\u200E\u200F\u2066\u2067\u2068\u2069\u202E\u2060\uFE00\uFE0E\uFE0F\uFEFF\uFFF9\u180B\u180E\u3164\U000E0100\U000E0067\U000E0062\U000E0065\U000E006E\U000E007F")
	for range 50000 {
		text := make([]rune, 2+r.IntN(12))
		for i := range text {
			if text[i] = seen[r.IntN(len(seen))]; r.IntN(2) == 0 {
				text[i] = unseen[r.IntN(len(unseen))]
			}
		}
		got := Drop(string(text))
		if again := Drop(got); again != got {
			t.Fatalf("%q\nonce  %q\ntwice %q", string(text), got, again)
		}
		row, shown := 0, 0
		for _, r := range got {
			if row++; !isIgnorable(r) {
				row = 0
				shown++
			}
			if row > 2 && !unicode.Is(unicode.Cf, r) || row > 6 {
				t.Fatalf("%q leaves %q", string(text), got)
			}
		}
	}
}

package terms

import (
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// A question may have words of any scripts in any order, and of any forms of asking.
func TestParseTakesAnyQuestion(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	words := strings.Split("what is in the|how do I|where do I|who|how many|wie viele|comment|le|la|my|book|Book|rename|keep|by|of|中文字|中|多少|ひらがな|カタカナ|한국어|ไทย|don't|l'|-|?|.|Ann Lee|is|2024|é", "|")
	for range 2000 {
		var parts []string
		for range 1 + r.IntN(8) {
			parts = append(parts, words[r.IntN(len(words))])
		}
		text := strings.Join(parts, []string{" ", ""}[r.IntN(2)])
		q := Parse(text)
		q.States(text, parts)
		KindOf(text).IsSaid(text, q, 0)
	}
}

package find

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// In a text that is looked into often the same lines are found.
func TestTextFindsTheSame(t *testing.T) {
	seed := testseed.Take(t)
	random := rand.New(rand.NewPCG(seed, 1))
	parts := []string{"", "a", "b", "a ", "\n", "\r\n", "\r", "\n\n", "\ufeff"}
	some := func(n int) string {
		var b strings.Builder
		for range random.IntN(n) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String()
	}
	found := 0
	for range 3000 {
		src := []byte(some(24))
		text := NewText(src)
		for range 4 {
			block := []byte(some(6))
			want, got := FindLines(src, block), text.FindLines(block)
			if found += len(want); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %q in %q: %v, want %v", seed, block, src, got, want)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d were found", found)
	}
}

package recall

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/testdata/testseed"
)

func TestLengthOfText(t *testing.T) {
	for words := range 3000 {
		want := 1 / (1 - lengthPart + lengthPart*float64(words)/usualWords)
		if got := brevity[lengthOf(words)]; got < want*0.94 || got > want*1.06 {
			t.Errorf("%d words: an occurrence counts %.3f, want %.3f", words, got, want)
		}
	}
}

// What any order of adding gives is what a table of sums gives, and the best of
// it are the first of it when sorted.
func TestSumAndForemost(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		sums := make(map[postings.Chunk]float64)
		var lists [][]postings.Scored
		for range r.IntN(40) {
			var list []postings.Scored
			for c := range postings.Chunk(40) {
				if s := (postings.Scored{Chunk: c, Value: float64(r.IntN(8))}); r.IntN(2) == 0 {
					list = append(list, s)
					sums[c] += s.Value
				}
			}
			lists = append(lists, list)
		}
		var want []postings.Scored
		for chunk, value := range sums {
			want = append(want, postings.Scored{Chunk: chunk, Value: value})
		}
		slices.SortFunc(want, func(a, b postings.Scored) int {
			return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Chunk, b.Chunk))
		})
		n := 1 + r.IntN(12)
		if got := postings.TopScored(postings.SumScores(lists), n); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("seed %d: the best %d of %v are %v", seed, n, want, got)
		}
	}
}

// The postings hold every term under the very token that the query has, in every
// script.
func TestPostingsHoldEveryScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var body strings.Builder
	var texts []string
	alike := make(map[string]int) // how many of the texts are the same word
	for r := rune(0x80); r < 0x20000; r++ {
		if !unicode.IsLetter(r) || !terms.HasWords(string(r)) || r > 0x3500 && r%97 != 0 {
			continue
		}
		text := string(r)
		if !terms.Parse(text).Terms[0].IsPrefix {
			text = "q" + text + "zq"
		}
		texts = append(texts, text)
		alike[fmt.Sprint(terms.Parse(text).Terms)]++
		fmt.Fprintf(&body, "%s. ", text)
	}
	writeNote(t, dir, "Letters.md", body.String())
	ix := open(t, dir)
	for i, text := range texts {
		if i%fewer != 0 || testing.Short() && i%16 != 0 {
			continue
		}
		if unknown, err := unknownWords(t.Context(), ix, text); err != nil || len(unknown) > 0 {
			t.Errorf("%q (%U) is unknown, %v", text, []rune(text), err)
		}
		most := 2 * alike[fmt.Sprint(terms.Parse(text).Terms)] // each stands in one piece of the note, or where two overlap
		if found, err := (searcher{ix, terms.Parse(text)}).scoreChunks(t.Context(), 0, plenty); err != nil || len(found) < 1 || len(found) > most {
			t.Errorf("%q (%U) is found in %d pieces, %v; want at most %d", text, []rune(text), len(found), err, most)
		}
	}
}

// What says the same in fewer words comes first.
func TestShortTextBeforeLong(t *testing.T) {
	dir := t.TempDir()
	writeNote(t, dir, "Long.md", "The kiln is fired on Monday. "+strings.Repeat("Nothing else happens in this place. ", 60))
	writeNote(t, dir, "Short.md", "The kiln is fired on Monday.")
	for i := range 5 {
		writeNote(t, dir, fmt.Sprintf("Other %d.md", i), "Bread and butter.")
	}
	ix := open(t, dir)
	got, err := ix.Search(t.Context(), "when is the kiln fired?", SearchOptions{})
	if err != nil || len(got) != 2 || got[0].Note != "Short.md" {
		t.Errorf("found %v, %v; want Short.md first", got, err)
	}
}

// A word in the form that was asked for says more than one that only shares its
// stem, whichever of the two is the stem itself.
func TestFormAskedFor(t *testing.T) {
	dir := t.TempDir()
	writeNote(t, dir, "One.md", "The kiln is one.")
	writeNote(t, dir, "Many.md", "The kilns are many.")
	for i := range 5 {
		writeNote(t, dir, fmt.Sprintf("Other %d.md", i), "Bread and butter.")
	}
	ix := open(t, dir)
	for query, want := range map[string]string{"kiln": "One.md Many.md", "KILNS": "Many.md One.md"} {
		got, err := ix.Search(t.Context(), query, SearchOptions{})
		if err != nil || notesOf(got) != want {
			t.Errorf("%s: found %v, %v; want %s", query, notesOf(got), err, want)
		}
	}
}

package sanitize

import (
	"testing"

	"vaultdispatcher/engine/note/testdata/samples"
)

// Every answer of the corpus, alone and between others, in every place: no live
// marker, no block broken, nothing that loads or runs, no word of the user moved.
func TestHostileCorpus(t *testing.T) {
	t.Parallel()
	list, err := samples.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	places, next := 0, 0
	for i, answer := range list {
		for _, whole := range []string{answer, "First.\n\n" + answer + "\n\nLast.", answer + "\n" + list[(i+1)%len(list)], "- " + answer + "\n\n  " + list[(i*7+3)%len(list)]} {
			if next++; next%fewer != 0 || testing.Short() && next%7 != 0 {
				continue
			}
			checkSanitized(t, whole, 0)
			checkPlaces(t, whole)
			places++
		}
	}
	t.Logf("count: %d hostile answers, %d with their combinations", len(list), places)
	if len(list) < 200 {
		t.Errorf("only %d hostile answers", len(list))
	}
}

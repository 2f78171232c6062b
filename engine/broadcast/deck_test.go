package broadcast

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/broadcast/kinds"
)

// Anki takes a card anew only from a deck that is newer than the one it has: so is one made a moment later.
func TestDeckIsNewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		makeDeck := func(back string) []byte {
			made := kinds.Made{Deck: []kinds.Card{{Front: "Crema", Back: back, Source: "Espresso", Of: "Espresso.md"}}}
			if err := addDeck(t.Context(), "Coffee", &made); err != nil || len(made.Files) != 1 {
				t.Fatal(made.Files, err)
			}
			return made.Files[0].Text
		}
		first, again := makeDeck("foam"), makeDeck("foam")
		time.Sleep(time.Second) // of the test's own clock
		if later := makeDeck("foam"); !bytes.Equal(first, again) || bytes.Equal(first, later) {
			t.Errorf("the same deck is the same file: %t at once, %t a second later", bytes.Equal(first, again), bytes.Equal(first, later))
		}
	})
}

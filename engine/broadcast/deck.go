package broadcast

import (
	"context"
	"strings"
	"time"

	"vaultdispatcher/engine/broadcast/apkg"
	"vaultdispatcher/engine/broadcast/kinds"
)

// addDeck adds the package that Anki opens to what has cards.
func addDeck(ctx context.Context, title string, made *kinds.Made) error {
	if len(made.Deck) == 0 {
		return nil
	}
	deck := apkg.Deck{Name: strings.ReplaceAll(quoteWords(title), "::", ": "), Made: time.Now()}
	for _, c := range made.Deck {
		deck.Cards = append(deck.Cards, apkg.Card(c))
	}
	file, err := apkg.Pack(ctx, deck)
	if err != nil {
		return err
	}
	made.Files = append(made.Files, kinds.File{Ext: ".apkg", Text: file})
	return nil
}

package broadcast

import (
	"context"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/broadcast/apkg"
	"vaultdispatcher/engine/broadcast/kinds"
)

// partBegun is kept of a dispatch that makes cards: the second in which the first try began.
const partBegun = "broadcast begun"

// findBegun is when the first try of a dispatch began: a deck that is made again after a crash is the same file, and takes
// the place of what the crash left.
func (c *Controller) findBegun(ctx context.Context, id string) time.Time {
	now := time.Now()
	if c.port.Journal == nil {
		return now
	}
	if text, err := c.port.Journal.Part(ctx, id, partBegun); err == nil {
		if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
			return time.Unix(seconds, 0)
		}
	}
	_ = c.port.Journal.KeepPart(ctx, id, partBegun, strconv.FormatInt(now.Unix(), 10)) // else a crash leaves a file more
	return now
}

// addDeck adds the package that Anki opens to what has cards.
func addDeck(ctx context.Context, title string, begun time.Time, made *kinds.Made) error {
	deck := apkg.Deck{Name: strings.ReplaceAll(quoteWords(title), "::", ": "), Date: begun}
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

package engine

import (
	"context"
	"fmt"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// history returns what a fork may see: what was asked and answered in the vault
// before a time, or only the thread of the TaskID when there is one. A zero time
// is now.
func (e *Engine) history(ctx context.Context, root string, key note.Key, before time.Time) ([]agent.Exchange, error) {
	earlier, err := e.journal.History(ctx, root, journal.Thread{Key: string(key), Before: before}, e.config.History.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the project history: %w", err)
	}
	exchanges := make([]agent.Exchange, len(earlier))
	for i, x := range earlier {
		exchanges[i] = agent.Exchange{Note: x.File, Question: x.Question, Answer: x.Answer, At: x.At}
	}
	return exchanges, nil
}

// historyBefore is the history that the text of d was made with, as far as it
// still stands: what was undone since is no history.
func (e *Engine) historyBefore(ctx context.Context, d journal.Dispatch) ([]agent.Exchange, error) {
	return e.history(ctx, d.Vault, note.Key(d.Key), d.Created)
}

// previous returns the answers of the group before d in its chain: the latest
// one of the note that was still unfinished when d was accepted. Outside chain
// mode, and for the first of a chain, there is none.
func (e *Engine) previous(ctx context.Context, d journal.Dispatch) (string, error) {
	if e.config.Dispatch.Mode != "chain" {
		return "", nil
	}
	list, err := e.journal.List(ctx, journal.Filter{Vault: d.Vault, File: d.File})
	if err != nil {
		return "", fmt.Errorf("read the chain of %s: %w", d.File, err)
	}
	for _, before := range list { // newest first
		if !before.Created.Before(d.Created) || !before.Answered {
			continue
		}
		if before.Finished.Before(d.Created) {
			return "", nil
		}
		whole, err := e.journal.Get(ctx, before.ID)
		if err != nil {
			return "", fmt.Errorf("read the chain of %s: %w", d.File, err)
		}
		return answersOf(whole), nil
	}
	return "", nil
}

// answersOf joins the answers of a dispatch, one paragraph each.
func answersOf(d journal.Dispatch) string {
	text := ""
	for i, m := range d.Markers {
		if i > 0 {
			text += "\n\n"
		}
		text += m.Answer
	}
	return text
}

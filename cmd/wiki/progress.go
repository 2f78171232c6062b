package main

import (
	"context"
	"fmt"
	"time"

	"vaultdispatcher/engine"
)

// follow runs the engine and, on a terminal, shows the first indexing of a
// large vault as it goes on.
func (a *app) follow(ctx context.Context, e *engine.Engine) error {
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	if isTerminal(a.stderr) && !a.json {
		if err, ok := a.indexing(ctx, e, ended); ok {
			return err
		}
	}
	return <-ended
}

// indexing redraws one line until every vault is indexed. It returns true with
// the engine's error when the engine ended before that.
func (a *app) indexing(ctx context.Context, e *engine.Engine, ended <-chan error) (error, bool) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	shown := false
	for {
		select {
		case err := <-ended:
			return err, true
		case <-tick.C:
		}
		status, err := e.Status(ctx)
		if err != nil {
			return nil, false
		}
		if left := status.Index.Pending; left > 0 {
			fmt.Fprintf(a.stderr, "\r\x1b[Kwiki: indexing, %d notes to go", left)
			shown = true
			continue
		}
		if busy(status.Vaults) {
			continue
		}
		if shown {
			fmt.Fprintf(a.stderr, "\r\x1b[Kwiki: indexed %d notes\n", status.Index.Notes)
		}
		return nil, false
	}
}

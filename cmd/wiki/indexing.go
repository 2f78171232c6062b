package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/due"
)

// showIndexing shows the first indexing of a large vault on a terminal, in one line that
// it draws again until every vault is indexed or ctx ends.
func (a *app) showIndexing(ctx context.Context, e *engine.Engine) {
	if !isTerminal(a.stderr) || a.json {
		return
	}
	for shown := false; due.Sleep(ctx, 250*time.Millisecond) == nil; {
		status, err := e.Status(ctx)
		if err != nil {
			return
		}
		if left := status.Index.Pending; left > 0 {
			fmt.Fprintf(a.stderr, "\r\x1b[Kwiki: indexing, %d notes to go", left)
			shown = true
			continue
		}
		if slices.ContainsFunc(status.Vaults, func(v api.Vault) bool { return v.State == "indexing" }) {
			continue
		}
		if shown {
			fmt.Fprintf(a.stderr, "\r\x1b[Kwiki: indexed %d notes\n", status.Index.Notes)
		}
		return
	}
}

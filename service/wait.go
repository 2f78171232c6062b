package service

import (
	"context"
	"time"

	"vaultdispatcher/engine/due"
)

// awaitGone waits until something has ended, but not for ever.
func awaitGone(ctx context.Context, limit time.Duration, there func() bool) bool {
	for until := time.Now().Add(limit); there(); {
		if ctx.Err() != nil || time.Now().After(until) {
			return false
		}
		_ = due.Sleep(ctx, 50*time.Millisecond) // the loop asks
	}
	return true
}

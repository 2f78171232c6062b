package service

import (
	"context"
	"time"
)

// awaitGone waits until something has ended, but not for ever.
func awaitGone(ctx context.Context, limit time.Duration, there func() bool) bool {
	for until := time.Now().Add(limit); there(); {
		if ctx.Err() != nil || time.Now().After(until) {
			return false
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return true
}

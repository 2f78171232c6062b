//go:build unix

package inuse

import "time"

// worthWaiting is nothing: who reads a file is in nobody's way.
func worthWaiting(error) time.Duration { return 0 }

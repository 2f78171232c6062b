//go:build !linux

package watch

import "time"

// startStopwatch counts the time that passes until it is read.
func startStopwatch() (read func() time.Duration) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

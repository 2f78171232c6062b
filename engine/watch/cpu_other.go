//go:build !linux

package watch

import "time"

// stopwatch counts the time that passes until it is read.
func stopwatch() (read func() time.Duration) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

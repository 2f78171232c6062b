//go:build unix

package files

import "time"

// worthWaiting is nothing: a program that reads a file is in nobody's way.
func worthWaiting(error) time.Duration { return 0 }

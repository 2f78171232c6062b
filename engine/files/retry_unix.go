//go:build unix

package files

import "time"

// retryTime is 0: a program that reads a file does not block its change.
func retryTime(error) time.Duration { return 0 }

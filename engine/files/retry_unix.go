//go:build unix

package files

import "time"

// retryTime is nothing: a program that reads a file is in nobody's way.
func retryTime(error) time.Duration { return 0 }

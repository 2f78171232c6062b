//go:build unix

package growth

import (
	"syscall"
	"time"
)

// processorTime is what this process has taken of the processors so far. What it waits for is none of it.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano())
}

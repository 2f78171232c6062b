package watch

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// startStopwatch counts the CPU time that the goroutine uses until it is read, which has
// to be once. On a busy machine that is a small part of the time that passes.
func startStopwatch() (read func() time.Duration) {
	runtime.LockOSThread()
	start := time.Now()
	before, err := threadTime()
	return func() time.Duration {
		defer runtime.UnlockOSThread()
		after, err2 := threadTime()
		if err != nil || err2 != nil {
			return time.Since(start)
		}
		return after - before
	}
}

func threadTime() (time.Duration, error) {
	var t unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano()), err
}

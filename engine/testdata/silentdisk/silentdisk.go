// Package silentdisk stands in for disks that do not respond, in tests of what looks at them.
package silentdisk

import (
	"context"
	"sync"
	"testing"

	"vaultdispatcher/engine/patience"
)

// looks is how many looks package patience has at work at a time.
const looks = 64

// Hang keeps so many looks at work, as disks that hang do, until the test ends. Each look that package patience bounds is
// given up then, and each other is made: one that is given up is bounded. The looks of a whole process are counted, so no
// test beside it may look at a disk, and no clock of synctest goes on.
func Hang(t testing.TB) {
	t.Helper()
	begun, back := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for range looks {
		all.Go(func() {
			patience.AwaitUntil(context.Background(), func() error { begun <- struct{}{}; <-back; return nil })
		})
	}
	for range looks {
		<-begun
	}
	t.Cleanup(func() { close(back); all.Wait() })
}

// HangAt has each look at these paths given up until the test ends, and no other.
func HangAt(t testing.TB, paths ...string) {
	t.Helper()
	back := make(chan struct{})
	var all sync.WaitGroup
	for _, path := range paths {
		all.Add(1)
		ctx, cancel := context.WithCancel(t.Context())
		patience.AwaitAt(ctx, path, func() error { defer all.Done(); cancel(); <-back; return nil })
	}
	t.Cleanup(func() { close(back); all.Wait() })
}

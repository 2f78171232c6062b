package patience

import (
	"testing"
	"testing/synctest"
	"time"
)

// A disk that hangs is given up, and its late answer disturbs nothing.
func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if n, ok := Await(func() int { return 7 }); n != 7 || !ok {
			t.Errorf("a disk that answers: %d, %v", n, ok)
		}
		begun, back := time.Now(), make(chan int)
		if _, ok := Await(func() int { return <-back }); ok || time.Since(begun) != DiskTime {
			t.Errorf("a disk that hangs: %v after %v", ok, time.Since(begun))
		}
		back <- 1
	})
}

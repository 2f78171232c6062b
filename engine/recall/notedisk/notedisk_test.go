package notedisk

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Calls that were left behind on a hung disk are few, however many were made.
func TestCallsLeftBehindAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(".", bytes.Clone)
		release, begun := make(chan struct{}), make(chan struct{}, 100)
		for range 20 {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			_, err := onDisk(ctx, d, func() (int, error) { begun <- struct{}{}; <-release; return 1, nil })
			stop()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a call ends with %v", err)
			}
		}
		if len(begun) != diskCalls {
			t.Errorf("%d calls wait for the disk, want %d", len(begun), diskCalls)
		}
		close(release)
		if n, err := onDisk(t.Context(), d, func() (int, error) { return 2, nil }); n != 2 || err != nil {
			t.Errorf("afterwards: %d, %v", n, err)
		}
	})
}

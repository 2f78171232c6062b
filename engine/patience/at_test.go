package patience

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// One disk that hangs is asked once, however often it is looked at, and takes no place from the others. When it is back it
// is asked again.
func TestOneDiskTakesOnePlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func(all chan struct{}) { places = all }(places)
		places = make(chan struct{}, mostBehind) // of this bubble, where the clock is
		back := make(chan struct{})
		var begun atomic.Int32
		ask := func(folder string, look func()) bool {
			ctx, cancel := context.WithTimeout(t.Context(), DiskTime)
			defer cancel()
			_, ok := AwaitAt(ctx, folder, func() bool { begun.Add(1); look(); return true })
			return ok
		}
		for range 2 * mostBehind {
			if ask("silent", func() { <-back }) {
				t.Fatal("a disk that hangs has answered")
			}
		}
		if begun.Load() != 1 || len(places) != 1 {
			t.Errorf("%d looks were begun, and %d places are taken", begun.Load(), len(places))
		}
		if !ask("healthy", func() {}) {
			t.Error("a disk that responds was not asked")
		}
		close(back)
		if !ask("silent", func() {}) {
			t.Error("a disk that is back was not asked")
		}
		synctest.Wait()
		if len(places) != 0 || len(behind) != 0 {
			t.Errorf("%d places are taken, %d folders remembered", len(places), len(behind))
		}
	})
}

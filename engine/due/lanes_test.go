package due

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// TestLanes: the keys of a lane come in their order, one that waits already comes once,
// and a lane that hangs holds up no other.
func TestLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(chan struct{})
		var mu sync.Mutex
		var got []string
		lanes := NewLanes(func(key string) {
			if key == "hung" {
				<-hung
			}
			mu.Lock()
			defer mu.Unlock()
			got = append(got, key)
		})
		for _, key := range []string{"hung", "behind it", "behind it"} {
			lanes.Add("share", key)
		}
		for _, key := range []string{"one", "two", "three"} {
			lanes.Add("disk", key)
		}
		synctest.Wait()
		if want := []string{"one", "two", "three"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		close(hung)
		lanes.Wait()
		lanes.Add("disk", "four")
		lanes.Wait()
		if want := []string{"one", "two", "three", "hung", "behind it", "four"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

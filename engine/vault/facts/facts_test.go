package facts

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A look at a disk that does not come back is told after two seconds, with the time
// when it began, until it comes back.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes atomic.Int64
		f := Facts{Changed: func() { changes.Add(1) }}
		back, begun := make(chan struct{}), time.Now()
		go f.TimeLook(func() { <-back })
		time.Sleep(SilentAfter - 1)
		if got := f.Silence(); got != "" || changes.Load() != 0 {
			t.Errorf("just before two seconds: %q, %d changes", got, changes.Load())
		}
		time.Sleep(time.Hour)
		if got, want := f.Silence(), "not responding since "+begun.Local().Format("15:04"); got != want || changes.Load() != 1 {
			t.Errorf("got %q, %d changes, want %q", got, changes.Load(), want)
		}
		close(back)
		synctest.Wait()
		if got := f.Silence(); got != "" || changes.Load() != 2 {
			t.Errorf("after it came back: %q, %d changes", got, changes.Load())
		}
	})
}

// A look that began before the drive was there, and ends after one that found whose the vault is, says nothing more.
func TestOvertakenLook(t *testing.T) {
	f := Facts{Changed: func() {}}
	early, late := f.BeginLook(), f.BeginLook()
	f.SetFound(late, "another-machine", false)
	f.SetFound(early, "", true)
	if f.OwnerStated() != "another-machine" || f.IsAway() {
		t.Errorf("owner %q, away %v", f.OwnerStated(), f.IsAway())
	}
	f.SetFound(f.BeginLook(), "", true)
	if f.OwnerStated() != "" || !f.IsAway() {
		t.Errorf("later: owner %q, away %v", f.OwnerStated(), f.IsAway())
	}
}

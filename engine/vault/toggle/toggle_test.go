package toggle

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestToggle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		sw := New(true, func() { told++ })
		position := func() bool { on, _ := sw.Position(); return on }
		_, changed := sw.Position()
		sw.Set(true, 0)
		select {
		case <-changed:
			t.Error("setting what is set counts as a change")
		default:
		}
		sw.Set(false, time.Hour)
		<-changed
		if position() {
			t.Error("still on")
		}
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		if position() {
			t.Error("on again too early")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !position() {
			t.Error("not on again after an hour")
		}
		if told != 3 {
			t.Errorf("told %d times of two settings and a turn back", told)
		}
		sw.Set(false, time.Hour)
		sw.Set(false, 0) // for good: the hour does not count any more
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if position() {
			t.Error("came back although it was switched off for good")
		}
		sw.Set(true, 0)
		sw.Set(false, time.Minute)
		sw.Set(false, time.Hour) // longer
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if position() {
			t.Error("the first time counted")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if !position() {
			t.Error("a pause that was made longer never ended")
		}
		sw.Set(false, 0)
		sw.Set(false, time.Hour) // no longer for good
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if !position() {
			t.Error("a pause that was limited afterwards never ended")
		}
		sw.Set(false, time.Hour)
		sw.Set(true, 0)
		sw.Set(false, 0)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if position() {
			t.Error("an old timer switched it on")
		}
	})
}

// An hour is over when the clock on the wall says so, also where the computer has
// slept meanwhile and its timers with it; the next engine is told the same.
func TestToggleOverSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sw := New(true, func() {})
		sw.Set(false, time.Hour)
		asleep := func(d time.Duration) {
			sw.mu.Lock()
			defer sw.mu.Unlock()
			sw.expiry = sw.expiry.Round(0).Add(-d)
		}
		asleep(50 * time.Minute)
		time.Sleep(9 * time.Minute)
		synctest.Wait()
		if on, _ := sw.Position(); on {
			t.Error("on again too early")
		}
		asleep(8 * time.Hour)
		if s, ok := sw.ByHand(time.Now()); !ok || s != (Switch{Active: true}) {
			t.Errorf("the next engine is told %+v, %v", s, ok)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if on, _ := sw.Position(); !on {
			t.Error("not on again, a minute after a night")
		}
	})
}

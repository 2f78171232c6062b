// Package toggle is the switch that pauses and resumes the watching of a vault, for good or
// for a while: [New] makes one, [Toggle.Set] turns it, and [Toggle.Position] is what a
// goroutine waits on.
//
// The hour of a pause continues while the computer sleeps, and does not depend on the system clock.
package toggle

import (
	"sync"
	"time"
)

// Toggle is a switch goroutines can wait on. Its methods are safe for concurrent use.
type Toggle struct {
	mu      sync.Mutex // guards the fields below
	active  bool
	changed chan struct{} // closed at the next change
	timer   *time.Timer   // looks whether to turn it back; nil when the position is for good
	setting int           // counts the calls of Set
	expiry  time.Time     // when it is turned back; zero when it is not
	tell    func()        // is called at each change
}

// New returns a switch in a position. tell is called at each change; it must not wait, and
// not ask the switch.
func New(on bool, tell func()) *Toggle {
	return &Toggle{active: on, changed: make(chan struct{}), tell: tell}
}

// Position returns the position and a channel that is closed when it changes.
func (t *Toggle) Position() (bool, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.active, t.changed
}

// IsOn reports whether the switch is on.
func (t *Toggle) IsOn() bool {
	on, _ := t.Position()
	return on
}

// PausedUntil is when the switch turns itself on; zero when it is on, or off for good.
func (t *Toggle) PausedUntil() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.active {
		return time.Time{}
	}
	return t.expiry
}

// Set changes the position, for good or, when d is positive, for that long.
func (t *Toggle) Set(on bool, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	defer t.tell()
	t.setting, t.expiry = t.setting+1, time.Time{}
	if on != t.active {
		t.turnTo(on)
	}
	if d > 0 {
		setting := t.setting
		t.expiry = time.Now().Add(d)
		t.timer = time.AfterFunc(min(d, checkEvery), func() { t.turnBack(setting, !on) })
	}
}

// checkEvery is how often the clock is looked at while a switch is to turn itself back:
// timers sleep with the computer, and the hour of a pause does not.
const checkEvery = 30 * time.Second

// timeLeft is how long the switch still waits; of the clock of timers and that on the
// wall, which may be set, the first decides. The caller holds mu.
func (t *Toggle) timeLeft(now time.Time) time.Duration {
	return min(t.expiry.Sub(now), t.expiry.Round(0).Sub(now.Round(0)))
}

// turnBack is what the timer of the given setting does; one that was stopped too
// late finds that it is not the latest and does nothing.
func (t *Toggle) turnBack(setting int, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.setting != setting {
		return
	}
	if left := t.timeLeft(time.Now()); left > 0 {
		t.timer.Reset(min(left, checkEvery))
		return
	}
	t.expiry = time.Time{}
	if t.active != on {
		t.turnTo(on)
	}
	t.tell()
}

// turnTo changes the position; the caller holds mu.
func (t *Toggle) turnTo(on bool) {
	t.active = on
	close(t.changed)
	t.changed = make(chan struct{})
}

// ByHand returns how the switch was set, if it was.
func (t *Toggle) ByHand(now time.Time) (Switch, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.setting == 0 {
		return Switch{}, false
	}
	if t.expiry.IsZero() {
		return Switch{Active: t.active}, true
	}
	if left := t.timeLeft(now); left > 0 {
		return Switch{Active: t.active, Duration: left}, true
	}
	return Switch{Active: !t.active}, true // it is just turning back
}

// Switch is how a person has set the watching of a vault, against or with the
// configuration.
type Switch struct {
	Active   bool
	Duration time.Duration // until it turns back; 0 = for good
}

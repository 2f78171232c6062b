// Package toggle is the switch that pauses and resumes the watching of a vault, for good or
// for a while: [New] makes one, [Toggle.Set] turns it, and [Toggle.Position] is what a
// goroutine waits on.
//
// The hour of a pause goes on while the computer sleeps, and follows no clock that is set.
package toggle

import (
	"sync"
	"time"
)

// Toggle is a switch goroutines can wait on. Its methods are safe for concurrent use.
type Toggle struct {
	mu      sync.Mutex // guards the fields below
	on      bool
	changed chan struct{} // closed at the next change
	back    *time.Timer   // looks whether to turn it back; nil when the position is for good
	setting int           // counts the calls of Set
	until   time.Time     // when it is turned back; zero when it is not
	tell    func()        // is called at each change
}

// New returns a switch in a position. tell is called at each change; it must not wait, and
// not ask the switch.
func New(on bool, tell func()) *Toggle {
	return &Toggle{on: on, changed: make(chan struct{}), tell: tell}
}

// Position returns the position and a channel that is closed when it changes.
func (t *Toggle) Position() (bool, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.on, t.changed
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
	if t.on {
		return time.Time{}
	}
	return t.until
}

// Set changes the position, for good or, when d is positive, for that long.
func (t *Toggle) Set(on bool, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.back != nil {
		t.back.Stop()
		t.back = nil
	}
	defer t.tell()
	t.setting, t.until = t.setting+1, time.Time{}
	if on != t.on {
		t.turnTo(on)
	}
	if d > 0 {
		setting := t.setting
		t.until = time.Now().Add(d)
		t.back = time.AfterFunc(min(d, checkEvery), func() { t.turnBack(setting, !on) })
	}
}

// checkEvery is how often the clock is looked at while a switch is to turn itself back:
// timers sleep with the computer, and the hour of a pause does not.
const checkEvery = 30 * time.Second

// timeLeft is how long the switch still waits; of the clock of timers and that on the
// wall, which may be set, the first decides. The caller holds mu.
func (t *Toggle) timeLeft(now time.Time) time.Duration {
	return min(t.until.Sub(now), t.until.Round(0).Sub(now.Round(0)))
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
		t.back.Reset(min(left, checkEvery))
		return
	}
	t.until = time.Time{}
	if t.on != on {
		t.turnTo(on)
	}
	t.tell()
}

// turnTo changes the position; the caller holds mu.
func (t *Toggle) turnTo(on bool) {
	t.on = on
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
	if t.until.IsZero() {
		return Switch{On: t.on}, true
	}
	if left := t.timeLeft(now); left > 0 {
		return Switch{On: t.on, For: left}, true
	}
	return Switch{On: !t.on}, true // it is just turning back
}

// Switch is how a person has set the watching of a vault, against or with the
// configuration.
type Switch struct {
	On  bool
	For time.Duration // until it turns back; 0 = for good
}

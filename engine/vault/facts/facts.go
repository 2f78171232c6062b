// Package facts remembers the last findings about the folder of a vault, so that no caller waits for
// its disk.
package facts

import (
	"sync"
	"time"
)

// Facts are the last findings about the folder of a vault. The vault's goroutines, the writer's, and
// calls of bounded length touch its disk; all others read the findings here, and since when a look has
// not come back.
type Facts struct {
	Changed func() // is called when the result of Silence may have changed

	mu     sync.Mutex // guards the fields below
	start  time.Time  // of a look that has not come back; zero = no such look
	looks  int        // that have begun
	source int        // the look that the next two are from
	stated string     // the machine that the vault names as its owner
	absent bool       // the folder is missing or empty
	reason string     // why the vault cannot be opened, or shares notes with another one; empty = neither
}

// SilentAfter is how long a disk may take before it is said not to respond.
const SilentAfter = 2 * time.Second

// TimeLook calls a function that may wait for the disk; there is one look at a time.
func (f *Facts) TimeLook(touch func()) {
	f.SetBegun(time.Now())
	overdue := time.AfterFunc(SilentAfter, f.Changed)
	touch()
	f.SetBegun(time.Time{})
	if !overdue.Stop() {
		f.Changed()
	}
}

// SetBegun sets since when a look has not come back; zero = no such look.
func (f *Facts) SetBegun(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.start = at
}

// Silence says in words since when the disk has not responded, or nothing.
func (f *Facts) Silence() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.start.IsZero() || time.Since(f.start) < SilentAfter {
		return ""
	}
	return "not responding since " + f.start.Local().Format("15:04")
}

// BeginLook numbers a look at the folder.
func (f *Facts) BeginLook() (look int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks++
	return f.looks
}

// SetFound replaces the known facts by the findings of a look. It ignores a look that a later one has
// overtaken: it may have begun before a drive was there, and would take the vault from the machine
// that answers it.
func (f *Facts) SetFound(look int, stated string, away bool) {
	f.mu.Lock()
	if look < f.source {
		f.mu.Unlock()
		return
	}
	before, was := f.stated, f.absent
	f.source, f.stated, f.absent = look, stated, away
	f.mu.Unlock()
	if before != stated || was != away {
		f.Changed()
	}
}

// SetRefusal remembers why the vault is left alone; nothing = it is not.
func (f *Facts) SetRefusal(reason string) {
	f.mu.Lock()
	before := f.reason
	f.reason = reason
	f.mu.Unlock()
	if before != reason {
		f.Changed()
	}
}

// WhyRefused says why the vault is left alone, or nothing.
func (f *Facts) WhyRefused() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reason
}

// OwnerStated returns the machine that the vault names, by the last reading.
func (f *Facts) OwnerStated() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stated
}

// IsAway reports whether the folder was missing or empty when it was last looked at.
func (f *Facts) IsAway() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.absent
}

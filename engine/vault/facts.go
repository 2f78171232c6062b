package vault

import (
	"context"
	"sync"
	"time"

	"vaultdispatcher/engine/watch"
)

// facts are what was last found out about the folder of a vault. Only the vault's
// own goroutines look at its disk; everything else reads what they found, and since
// when a look has not come back.
type facts struct {
	changed func() // is called when what silence says may have changed

	mu     sync.Mutex // guards the fields below
	begun  time.Time  // of a look that has not come back; zero = there is none
	stated string     // the machine that the vault names as its owner
	away   bool       // the folder is missing or empty
	reason string     // why the vault cannot be opened; empty = it can
}

// silentAfter is how long a disk may take before it is said not to respond.
const silentAfter = 2 * time.Second

// timeLook calls a function that may wait for the disk; there is one look at a time.
func (f *facts) timeLook(touch func()) {
	f.setBegun(time.Now())
	overdue := time.AfterFunc(silentAfter, f.changed)
	touch()
	f.setBegun(time.Time{})
	if !overdue.Stop() {
		f.changed()
	}
}

func (f *facts) setBegun(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = at
}

// describeSilence says in words since when the disk has not responded, or nothing.
func (f *facts) describeSilence() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.begun.IsZero() || time.Since(f.begun) < silentAfter {
		return ""
	}
	return "not responding since " + f.begun.Local().Format("15:04")
}

// WhileResponding calls a function that may touch the vault's disk, for a caller that
// does not wait for a disk which does not respond. The call is then left behind: a
// system call that hangs cannot be ended.
func WhileResponding[T any](ctx context.Context, v *Vault, do func() (T, error)) (T, error) {
	type outcome struct {
		result T
		err    error
	}
	outcomes, none := make(chan outcome, 1), *new(T)
	go func() {
		result, err := do()
		outcomes <- outcome{result, err}
	}()
	for {
		select {
		case o := <-outcomes:
			return o.result, o.err
		case <-ctx.Done():
			return none, ctx.Err()
		case <-time.After(silentAfter / 4):
			v.AskFacts()
			if silence := v.facts.describeSilence(); silence != "" {
				return none, &Silent{Vault: v.Name, Since: silence}
			}
		}
	}
}

// Silent says that the disk of a vault does not respond.
type Silent struct {
	Vault string
	Since string // in words
}

func (s *Silent) Error() string { return "the vault " + s.Vault + " is " + s.Since }

// Silence says in words since when the disk has not responded, or nothing.
func (v *Vault) Silence() string { return v.facts.describeSilence() }

// WhyNotOpen says why the vault cannot be opened, or nothing.
func (v *Vault) WhyNotOpen() string {
	if v.IsOpen() {
		return ""
	}
	return v.facts.whyRefused()
}

// AskFacts has the facts looked for soon.
func (v *Vault) AskFacts() {
	select {
	case v.asked <- struct{}{}:
	default:
	}
}

// setFound replaces what is known.
func (f *facts) setFound(stated string, away bool) {
	f.mu.Lock()
	before, was := f.stated, f.away
	f.stated, f.away = stated, away
	f.mu.Unlock()
	if before != stated || was != away {
		f.changed()
	}
}

// setRefusal remembers why the vault cannot be opened.
func (f *facts) setRefusal(reason string) {
	f.mu.Lock()
	f.reason = reason
	f.mu.Unlock()
	f.changed()
}

// whyRefused says why the vault cannot be opened, or nothing.
func (f *facts) whyRefused() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reason
}

// ownerStated returns the machine that the vault names, as it was last read.
func (f *facts) ownerStated() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stated
}

// isAway reports whether the folder was missing or empty when it was last looked at.
func (f *facts) isAway() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.away
}

// factsEvery is how often the facts of a vault are looked for when nobody asks.
const factsEvery = 10 * time.Second

// keepFacts looks for the facts of the vault from time to time, and when somebody
// asks for its status, until ctx ends.
func (v *Vault) keepFacts(ctx context.Context) error {
	for {
		v.facts.timeLook(v.findFacts)
		select {
		case <-time.After(time.Second): // however often somebody asks
		case <-ctx.Done():
			return nil
		}
		select {
		case <-v.asked:
		case <-time.After(factsEvery):
		case <-ctx.Done():
			return nil
		}
	}
}

// findFacts reads the facts from the disk.
func (v *Vault) findFacts() { v.facts.setFound(v.readOwner(), !isReachable(v.Root)) }

// State says what a vault that is not paused is doing, and why where that is not as it
// should be.
func (v *Vault) State() (state, reason string) {
	silence, foreign := v.facts.describeSilence(), v.WhyForeign()
	switch {
	case silence != "":
		return "offline", silence
	case !v.IsOpen() && v.facts.whyRefused() != "":
		return "offline", v.facts.whyRefused()
	case !v.IsOpen():
		return "indexing", ""
	case v.watcher.Stats().State == watch.Offline:
		return "offline", ""
	case foreign != "":
		return "foreign", foreign
	case !v.Index.State().Ready && v.facts.isAway():
		return "offline", "the folder is empty or missing, and notes of it are known"
	case !v.Index.State().Ready:
		return "indexing", ""
	}
	return "watching", ""
}

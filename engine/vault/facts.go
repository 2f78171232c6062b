package vault

import (
	"context"
	"sync"
	"time"

	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/watch"
)

// facts are what was last found out about the folder of a vault. The vault's goroutines, the
// writer's, and calls of bounded length touch its disk; all others read what is found here, and
// since when a look has not come back.
type facts struct {
	changed func() // is called when what silence says may have changed

	mu     sync.Mutex // guards the fields below
	begun  time.Time  // of a look that has not come back; zero = there is none
	looks  int        // that have begun
	found  int        // the look that the next two are from
	stated string     // the machine that the vault names as its owner
	away   bool       // the folder is missing or empty
	reason string     // why the vault cannot be opened, or shares notes with another one; empty = neither
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

// Silence says in words since when the disk has not responded, or nothing.
func (v *Vault) Silence() string { return v.facts.describeSilence() }

// WhyRefused says why the vault cannot be opened, or why it is left alone although it is
// open, or nothing.
func (v *Vault) WhyRefused() string { return v.facts.whyRefused() }

// WhyForeign says in one sentence why the vault is left to another machine, as it was last
// read, or nothing.
func (v *Vault) WhyForeign() string {
	return presence.WhyForeign(presence.ThisMachine(), v.opts.Config.Owner, v.facts.ownerStated())
}

// WhyIdle says in one sentence why nothing starts in the vault, or nothing.
func (v *Vault) WhyIdle() string {
	if why := v.facts.whyRefused(); why != "" {
		return "Nothing starts in this vault: " + why + "."
	}
	if why := v.WhyForeign(); why != "" {
		return "Another machine answers this vault: " + why + "."
	}
	return ""
}

// AskFacts has the facts looked for soon.
func (v *Vault) AskFacts() {
	select {
	case v.asked <- struct{}{}:
	default:
	}
}

// beginLook numbers a look.
func (f *facts) beginLook() (look int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks++
	return f.looks
}

// setFound replaces what is known by what a look has found. One that was overtaken by a later look is of no
// use: it may have begun before a drive was there, and would take the vault from the machine that answers it.
func (f *facts) setFound(look int, stated string, away bool) {
	f.mu.Lock()
	if look < f.found {
		f.mu.Unlock()
		return
	}
	before, was := f.stated, f.away
	f.found, f.stated, f.away = look, stated, away
	f.mu.Unlock()
	if before != stated || was != away {
		f.changed()
	}
}

// setRefusal remembers why the vault is left alone; nothing = it is not.
func (f *facts) setRefusal(reason string) {
	f.mu.Lock()
	before := f.reason
	f.reason = reason
	f.mu.Unlock()
	if before != reason {
		f.changed()
	}
}

// whyRefused says why the vault is left alone, or nothing.
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
	forget := time.Now().Add(forgetAfter)
	for {
		v.facts.timeLook(v.findFacts)
		if now := time.Now(); now.After(forget) {
			forget = now.Add(forgetEvery)
			if err := v.forgetGone(ctx, now); err != nil && ctx.Err() == nil {
				v.log.Warn("forget notes that are gone", "error", err)
			}
		}
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
func (v *Vault) findFacts() {
	look := v.facts.beginLook()
	v.facts.setFound(look, presence.ReadOwner(v.Root), !swap.Reachable(v.Root))
	v.compareFolder()
	if !v.announced.Load() || v.facts.isAway() {
		return
	}
	changed, err := v.beacon.Renew(v.Root, time.Now())
	if err != nil {
		v.log.Debug("look for other engines", "error", err)
	}
	if changed {
		v.port.Changed()
	}
}

// OtherEngines returns the machines that answer in this vault too, where no owner is named.
func (v *Vault) OtherEngines() []string {
	if v.opts.Config.Owner != "" || v.facts.ownerStated() != "" {
		return nil
	}
	return v.beacon.Others()
}

// compareFolder finds out whether the vault shares notes with another one now. Which folder
// it is may have changed: a drive was mounted over it, or a link leads elsewhere.
func (v *Vault) compareFolder() {
	reason := ""
	if err := v.place.Compare(site.Survey(v.Alias)); err != nil {
		reason = syserr.Plain(err)
	}
	v.facts.setRefusal(reason)
}

// State says what a vault that is not paused is doing, and why where that is not as it
// should be.
func (v *Vault) State() (state, reason string) {
	silence, foreign := v.facts.describeSilence(), v.WhyForeign()
	switch {
	case silence != "":
		return "offline", silence
	case v.facts.whyRefused() != "":
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

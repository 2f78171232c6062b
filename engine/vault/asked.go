package vault

import (
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/vectors"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/toggle"
	"vaultdispatcher/engine/watch"
)

// SetWatching switches the watching of saves, for good or, when d is positive, for that
// long.
func (v *Vault) SetWatching(on bool, d time.Duration) { v.watching.Set(on, d) }

// WatchingByHand returns how watching was switched and for how long, if it was.
func (v *Vault) WatchingByHand(now time.Time) (toggle.Switch, bool) { return v.watching.ByHand(now) }

// PausedUntil is when the vault is watched again by itself; zero when it is watched, or
// paused for good.
func (v *Vault) PausedUntil() time.Time { return v.watching.PausedUntil() }

// Stats returns what the watcher of an open vault knows.
func (v *Vault) Stats() watch.Stats { return v.watcher.Stats() }

// IndexState says what the index of an open vault holds, Embedding how far its vectors are, if it has any.
func (v *Vault) IndexState() recall.State { return v.index.State() }

// Embedding is told with IndexState.
func (v *Vault) Embedding() (vectors.State, bool) { return v.index.Embedding() }

// Hint has a note of an open vault compared soon.
func (v *Vault) Hint(rel string) { v.watcher.Look(rel) }

// Rescan has an open vault compared with what is known of it.
func (v *Vault) Rescan() { v.watcher.Rescan() }

// IsAtomic reports whether the file system exchanges notes in one step.
func (v *Vault) IsAtomic() bool { return v.atomic.Load() }

// CountSettling returns how many markers are settling.
func (v *Vault) CountSettling() int { return v.settling.CountMarkers() }

// Unfinished counts the notes whose look could not be finished, and says why for one.
func (v *Vault) Unfinished() (n int, why error) { return v.troubles.Any() }

// MarkUnreachable has the vault announced anew when its folder is back.
func (v *Vault) MarkUnreachable() { v.announced.Store(false) }

// ResumeDispatch goes on with a dispatch that an earlier engine has left: an answer is written
// at once, a question is asked when the vault has been looked at.
func (v *Vault) ResumeDispatch(d journal.Dispatch) {
	if d.Answered || !v.IsWatched() {
		v.dispatcher.Submit(d)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pending = append(v.pending, d)
}

// State says what a vault that is not paused is doing, and why where that is not as it
// should be.
func (v *Vault) State() (state, reason string) {
	silence, foreign := v.facts.Silence(), v.WhyForeign()
	switch {
	case silence != "":
		return "offline", silence
	case v.facts.WhyRefused() != "":
		return "offline", v.facts.WhyRefused()
	case !v.IsOpen():
		return "indexing", ""
	case v.watcher.Stats().State == watch.Offline:
		return "offline", ""
	case foreign != "":
		return "foreign", foreign
	case !v.index.State().Ready && v.facts.IsAway():
		return "offline", "the folder is empty or missing, and notes of it are known"
	case !v.index.State().Ready:
		return "indexing", ""
	}
	return "watching", ""
}

// Silence says in words since when the disk has not responded, or nothing.
func (v *Vault) Silence() string { return v.facts.Silence() }

// WhyRefused says why the vault cannot be opened, or why it is left alone although it is
// open, or nothing.
func (v *Vault) WhyRefused() string { return v.facts.WhyRefused() }

// WhyForeign says in one sentence why the vault is left to another machine, as it was last
// read, or nothing.
func (v *Vault) WhyForeign() string {
	return presence.WhyForeign(presence.ThisMachine(), v.opts.Config.Owner, v.facts.OwnerStated())
}

// OtherEngines returns the machines that answer in this vault too, where no owner is named, and
// whether this machine has another engine that does.
func (v *Vault) OtherEngines() (machines []string, here bool) {
	machines, here = v.beacon.Others()
	if v.opts.Config.Owner != "" || v.facts.OwnerStated() != "" {
		machines = nil
	}
	return machines, here
}

package vault

import (
	"context"
	"log/slog"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/vault/toggle"
	"vaultdispatcher/engine/watch"
)

// Options are what a vault is made of.
type Options struct {
	Config   config.Config
	Vault    config.Vault
	Cache    string    // folder for its index, and for what can be found out again
	Engine   string    // presence.IDOf it
	Version  string    // of the program
	Port     int       // of the HTTP server, which note apps look for in the vault
	Started  time.Time // when the engine did
	Given    time.Time // when the vault was first given to an engine; zero = not known
	Journal  *journal.Journal
	Meaning  *recall.Meaning       // nil where no embedding is configured
	Private  func(rel string) bool // notes that are, by a name; nil = none
	Silent   func(rel string) bool // notes that no embedder is told of
	Register *register.Register    // which every vault of the engine has
	Log      *slog.Logger
}

// Port is what a vault asks of the engine around it. None of it touches the vault's
// disk, and all of it is safe for concurrent use.
type Port struct {
	// Start makes the groups that have settled in a note dispatches. It returns one
	// record for each group up to the one that failed; it is empty where a marker of the
	// group is another dispatch's after all.
	Start func(ctx context.Context, v *Vault, found Settled) ([]journal.Dispatch, error)
	// Refuse says why a free marker of a note is not asked: nobody answers its role, or what
	// does may not be told. No kind = it is asked. A note with a private name has that one here.
	Refuse func(rel string, m note.Marker) untaken.Row
	// KeepUntaken replaces what is known of a note's questions that are not taken up, and returns
	// when it is to be looked at once more; zero = never.
	KeepUntaken func(root, rel string, rows []untaken.Row) time.Time
	// Submit has a dispatch asked, or its answer written.
	Submit func(d journal.Dispatch)
	// Cancel ends a dispatch whose line has changed.
	Cancel func(ctx context.Context, id, reason string) error
	// Hold lets a dispatch whose agent was not started yet wait for a person.
	Hold func(ctx context.Context, id string, kind journal.HoldKind, reason string) error
	// Moved says that the question of a dispatch is in another note now.
	Moved func(id, rel string)
	// Renamed says that what was written into a note was written into another one.
	Renamed func(root, from, to string)
	// Hurry has what waits to be written into a note tried at once.
	Hurry func(root, rel string)
	// Reapply has answers written again that another program has just written over; it
	// returns the markers that are none of these. Where answers are missing it asks whyBack
	// why they are to be held instead.
	Reapply func(ctx context.Context, root, rel string, src []byte, free []note.Marker, whyBack func() string) ([]note.Marker, bool, error)
	// Restore ends the holds of claims whose answers stand in the note again, and returns
	// the others.
	Restore func(ctx context.Context, src []byte, claims []journal.Claim) ([]journal.Claim, error)
	// ShowProgress has what a note says about progress brought up to date.
	ShowProgress func(root, rel string)
	// AwaitRecovery waits until what a crash has cut short in the vault is mended.
	AwaitRecovery func(ctx context.Context, root string) error
	// Opened says that the vault is open and nothing in it was looked at yet.
	Opened func(v *Vault)
	// OldMarkers is told how many markers are held because they are older than the
	// first watch; nil = nothing is.
	OldMarkers func(vault string, markers int)
	// Tell adds a notice, Changed says that the status is another. Neither waits.
	Tell    func(code string, args ...any)
	Changed func()
}

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

// TakeUp goes on with a dispatch that an earlier engine has left: an answer is written
// at once, a question is asked when the vault has been looked at.
func (v *Vault) TakeUp(d journal.Dispatch) {
	if d.Answered || !v.IsWatched() {
		v.port.Submit(d)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pending = append(v.pending, d)
}

package vault

import (
	"context"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/folder"
)

// Disk is a vault whose disk other rooms may touch. A caller has one from [OnDisk], which leaves
// the call behind when the disk does not respond, or from [Vault.AwaitDisk], if it may wait for
// this disk as long as it hangs. All other exported methods of a [Vault] return without waiting
// for a disk.
type Disk struct {
	*folder.Folder
	v *Vault
}

// OnDisk makes a call that may wait for the disk of a vault. It ends with its context, or with a
// [behind.Silent] when the disk is known not to respond; the call is then left behind.
func OnDisk[T any](ctx context.Context, v *Vault, do func(Disk) (T, error)) (T, error) {
	return OnDiskElse(ctx, v, do, func(T, error) {})
}

// OnDiskElse is OnDisk for a call whose result must not get lost: if the caller has gone, late
// gets the result.
func OnDiskElse[T any](ctx context.Context, v *Vault, do func(Disk) (T, error), late func(T, error)) (T, error) {
	return behind.Do(ctx, &v.behind, func() (T, error) { return do(v.AwaitDisk()) }, late)
}

// AwaitDisk is for a goroutine that may wait as long as this disk hangs: the writer of one note,
// an agent at work. A caller that passes its result to another goroutine passes a time limit too.
func (v *Vault) AwaitDisk() Disk { return Disk{&v.disk, v} }

// Index is the index of the vault, whose searches read the folder of the index and notes.
func (d Disk) Index() *recall.Index { return d.v.Catalog.index }

// Look follows one save from the note's bytes to queued dispatches, and returns what it has
// found. Looking twice is harmless.
func (d Disk) Look(ctx context.Context, s Save) (Looked, error) { return d.v.look(ctx, s) }

// LookQuietly is Look for a caller that needs no result; it logs errors.
func (d Disk) LookQuietly(ctx context.Context, s Save) { d.v.lookAtAny(ctx, s) }

// IndexNote brings the index up to a note that a scan tells of, maybe before the watcher does. It waits for no batch that takes long.
func (d Disk) IndexNote(ctx context.Context, rel string) {
	if now := time.Now(); !d.v.Catalog.index.Knows(rel) {
		_ = d.v.whileLocked(func() error { d.v.arrivals.NoteBirth(rel, now); return nil })
	}
	d.v.Catalog.indexer.IndexPending(ctx, rel)
}

// IndexPending is [indexing.Indexer.IndexPending].
func (d Disk) IndexPending(ctx context.Context, rel string) {
	d.v.Catalog.indexer.IndexPending(ctx, rel)
}

// BeginUndo claims the markers before they are back: from here on every look at
// the note knows whose they are. It waits for a look at work, and so for the disk, but
// not for one that does not respond: then the error is a [behind.Silent], and nothing has begun.
func (v *Vault) BeginUndo(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	unlock, err := OnDiskElse(ctx, v, func(Disk) (func(), error) {
		v.mu.Lock()
		v.follower.IsGone(d.File) // a disk that hangs shows itself here, before anything is recorded
		return v.mu.Unlock, nil
	}, func(unlock func(), _ error) { unlock() })
	if err != nil {
		return d, err
	}
	defer unlock()
	if d, err = v.opts.Journal.BeginUndo(ctx, d.ID); err == nil {
		v.follower.Track(d.File)
	}
	return d, err
}

package vault

import (
	"context"
	"io/fs"
	"time"

	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/indexing"
	"vaultdispatcher/engine/watch"
)

// A drive that is not there when the engine starts leaves its mount point, an
// empty folder. The engine neither believes that the notes are gone nor judges
// their old markers until the folder has content.

// isAway reports whether the vault's folder cannot be what it was: it is missing or
// empty, or was emptied at one blow. It touches the disk.
func (v *Vault) isAway() bool {
	return v.watcher.Stats().State == watch.Offline || !swap.Reachable(v.Root)
}

// awaitFolder waits until the vault is there, and if it has to, until it is watched as
// well: what is found late is found by watching. It reports whether it had to,
// and false for ok when ctx ended first.
func (v *Vault) awaitFolder(ctx context.Context) (late, ok bool) {
	for {
		on, changed := v.watching.Position()
		if !v.isAway() && (on || !late) {
			return late, true
		}
		late = true
		select {
		case <-v.looked:
		case <-changed:
		case <-time.After(indexing.Again):
		case <-ctx.Done():
			return late, false
		}
	}
}

// listNotes returns the notes of the vault, and those of them that stood there before the engine
// started, or, in a vault that was never met, before it was given to one. The watcher tells of them as well, but one by one.
func (v *Vault) listNotes(met bool) (all, old []string) {
	// What cannot be read is left out; the watcher says so.
	_ = notes.Walk(v.Root, v.opts.Config.Exclude, func(rel string, info fs.FileInfo) {
		all = append(all, rel)
		if met && info.ModTime().Before(v.opts.Started) || !met && !v.isSinceGiven(info.ModTime()) {
			old = append(old, rel)
		}
	})
	return all, old
}

// announceReturned does for a vault that was away what is done for the others at start.
func (v *Vault) announceReturned(ctx context.Context) {
	if v.announced.Load() {
		return
	}
	v.findFacts() // another machine may answer what has come back
	if err := v.announceEngine(ctx); err != nil && ctx.Err() == nil {
		v.log.Warn("announce the vault", "error", err)
	}
	if err := v.probeExchange(); err != nil {
		v.log.Warn("find out about the file system", "error", err)
	}
}

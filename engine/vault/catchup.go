package vault

import (
	"context"
	"errors"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/indexing"
	"vaultdispatcher/engine/vault/rested"
)

// This file is what happens once, when a vault is first read: what came while
// nobody watched, what an earlier engine has left, and the index.

// catchUp reads every note once after the first pass: first for markers that
// came while nobody watched, then for the index. New saves are not kept waiting.
func (v *Vault) catchUp(ctx context.Context) error {
	if !v.awaitFirstPass(ctx) {
		return nil
	}
	if v.isAway() && v.index.State().Notes == 0 {
		v.fillIndex(ctx, nil, nil) // a folder that is to become a vault
	}
	late, ok := v.awaitFolder(ctx)
	if !ok {
		return nil
	}
	v.announceReturned(ctx)
	found, notes, standing := v.takeBacklog(late)
	isNew, pass := v.findNew(ctx), v.beginPass(ctx, found)
	for {
		err := v.judgeOldMarkers(ctx, notes, standing)
		if err == nil {
			break
		}
		v.log.Warn("meet the vault", "error", err) // a full disk, say
		if due.Sleep(ctx, indexing.Again) != nil {
			return nil
		}
	}
	if err := v.whileLocked(func() error {
		return errors.Join(v.past.Begin(ctx, notes, standing), v.follower.Begin(ctx, notes))
	}); err != nil && ctx.Err() == nil {
		v.log.Warn("look for notes that are gone", "error", err)
	}
	if !v.readAll(ctx, notes, pass, isNew) {
		return nil
	}
	err := v.whileLocked(func() error { v.follower.End(); return v.past.End(ctx) })
	if err == nil {
		err = pass.End(func() (map[string]uint64, error) { return v.opts.Journal.PastSums(ctx, v.Root) })
	}
	if err != nil && ctx.Err() == nil {
		v.log.Warn("remember the lines of notes", "error", err)
	}
	v.resumePending(ctx, notes)
	v.fillIndex(ctx, notes, pass.Stamps())
	for err != nil && due.Sleep(ctx, indexing.Again) == nil {
		err = v.whileLocked(func() error { return v.past.End(ctx) }) // a look would keep them too, and none may come
	}
	return nil
}

// takeBacklog returns the notes of the first pass, and of these the ones that were there before: before
// this engine, or, in a vault that was never met, before it was given to any. What is found late is listed
// instead, and was not seen by the watcher.
func (v *Vault) takeBacklog(late bool) (found []rested.Note, notes, standing []string) {
	v.mu.Lock()
	found, v.backlog = v.backlog, nil
	met := v.met
	v.mu.Unlock()
	if late {
		notes, standing = v.listNotes(met)
		return nil, notes, standing
	}
	notes = make([]string, len(found))
	for i, n := range found {
		notes[i] = n.Rel
		if met || !v.isSinceGiven(time.Unix(0, n.Stamp.MTime)) {
			standing = append(standing, n.Rel)
		}
	}
	return found, notes, standing
}

// awaitFirstPass waits until the vault was watched. Where it is not, and a note of it is looked at
// all the same, the index is filled, for whoever answers that note asks it.
func (v *Vault) awaitFirstPass(ctx context.Context) bool {
	for filled := false; ; {
		select {
		case <-v.watcher.Ready():
			return true
		case <-ctx.Done():
			return false
		case <-v.looked:
		}
		if !filled && !v.IsWatched() && !v.isAway() {
			filled = true
			notes, _ := v.listNotes(true)
			v.fillIndex(ctx, notes, nil)
		}
	}
}

// resumePending goes on with what an earlier engine has left, now that every note was
// looked at once: what a person edited or deleted meanwhile is not asked again.
func (v *Vault) resumePending(ctx context.Context, notes []string) {
	v.mu.Lock()
	lost, err := v.follower.ListLost(ctx, setOf(notes))
	if err != nil && ctx.Err() == nil {
		v.log.Warn("look for notes that were moved", "error", err)
	}
	pending := v.pending
	v.pending = nil
	v.mu.Unlock()
	for _, rel := range lost {
		v.lookQuietly(ctx, Save{Rel: rel, Seen: time.Now(), Trigger: "reconcile"})
	}
	for _, d := range pending {
		d, err := v.opts.Journal.Get(ctx, d.ID)
		if err == nil && d.Status == journal.Queued {
			v.dispatcher.Submit(d)
		}
	}
}

// findNew returns what tells whether a note came while no engine ran, or just before the last
// one ended: its index does not know it, or not for long. Of what is not indexed the journal tells,
// as far as it had quotes. Where the vault was not met yet, or nothing is known of the last engine,
// no note is new. The caller does not hold mu.
func (v *Vault) findNew(ctx context.Context) func(rel string) bool {
	if !v.isMet() || v.index.State().Notes == 0 {
		return func(string) bool { return false }
	}
	indexed, err := v.index.LongKnown(ctx, burst.Within)
	var quoting map[string]uint64
	if len(v.opts.Config.Index.Exclude) > 0 && err == nil {
		quoting, err = v.opts.Journal.PastSums(ctx, v.Root)
	}
	if err != nil {
		if ctx.Err() == nil {
			v.log.Warn("read what the last engine knew", "error", err)
		}
		return func(string) bool { return false }
	}
	known := setOf(indexed)
	for rel := range quoting {
		known[rel] = known[rel] || v.isUnindexed(rel)
	}
	return func(rel string) bool { return !known[rel] }
}

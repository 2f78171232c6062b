package vault

import (
	"context"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
)

// This file is what happens once, when a vault is first read: what came while
// nobody watched, what an earlier engine has left, and the index.

// catchUp reads every note once after the first pass: first for markers that
// came while nobody watched, then for the index. New saves are not kept waiting.
func (v *Vault) catchUp(ctx context.Context) error {
	select {
	case <-v.watcher.Ready():
	case <-ctx.Done():
		return nil
	}
	if v.IsAway() && v.Index.State().Notes == 0 {
		v.fillIndex(ctx, nil) // a folder that is to become a vault
	}
	late, ok := v.arrive(ctx)
	if !ok {
		return nil
	}
	v.announceReturned(ctx)
	v.mu.Lock()
	notes := v.backlog
	v.backlog = nil
	v.mu.Unlock()
	standing := notes
	if late {
		notes, standing = v.listNotes()
	}
	for {
		err := v.meetOnce(ctx, notes, standing)
		if err == nil {
			break
		}
		v.log.Warn("meet the vault", "error", err) // a full disk, say
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return nil
		}
	}
	for _, rel := range notes {
		if ctx.Err() != nil {
			return nil
		}
		v.LookQuietly(ctx, Save{Rel: rel, Seen: time.Now(), Trigger: "reconcile"})
	}
	v.takeUp(ctx, notes)
	v.fillIndex(ctx, notes)
	return nil
}

// fillIndex brings the index up to the vault. Where that fails, on a full disk say,
// it is tried until it works: what is saved later is all it would know otherwise.
func (v *Vault) fillIndex(ctx context.Context, notes []string) {
	for told := ""; ; {
		err := v.Index.Sync(ctx, notes, nil)
		if err == nil || ctx.Err() != nil {
			return
		}
		if err.Error() != told {
			told = err.Error()
			v.log.Error("index the vault", "error", err)
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return
		}
	}
}

// takeUp goes on with what an earlier engine has left, now that every note was
// looked at once: what a person edited or deleted meanwhile is not asked again.
func (v *Vault) takeUp(ctx context.Context, notes []string) {
	there := make(map[string]bool, len(notes))
	for _, rel := range notes {
		there[rel] = true
	}
	v.mu.Lock()
	if _, err := v.followQuestions(ctx, nil, time.Now()); err != nil && ctx.Err() == nil {
		v.log.Warn("look for notes that were moved", "error", err)
	}
	for rel := range v.suspects {
		if !there[rel] && v.isGone(rel) {
			v.missing[rel] = time.Time{} // gone for as long as we know
		}
	}
	lost := slices.Sorted(maps.Keys(v.missing))
	pending := v.pending
	v.pending = nil
	v.mu.Unlock()
	for _, rel := range lost {
		v.handleRemoved(ctx, rel)
	}
	v.submitPending(ctx, pending)
}

// submitPending submits dispatches of earlier engines that are still to be asked.
func (v *Vault) submitPending(ctx context.Context, pending []journal.Dispatch) {
	for _, d := range pending {
		d, err := v.opts.Journal.Get(ctx, d.ID)
		if err == nil && d.Status == journal.Queued {
			v.port.Submit(d)
		}
	}
}

package vault

import (
	"context"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/vault/rested"
	"vaultdispatcher/engine/watch"
	"vaultdispatcher/engine/watch/disk"
)

// This file is about the notes that need not be opened when every note is read once: those that an
// earlier engine has read, that held nothing, and that are as they were. Where that cannot be told
// for certain, a note is read.

// lately is for how long it matters whether an answer still stands in its note (engine/writer), and
// more. Where one was written since, notes that changed since are read.
const lately = time.Hour

// beginPass reads what is remembered of the notes of the first pass, or returns nil where there are
// none (they were found late) or their stamps do not tell whether they have changed. It touches the disk.
func (v *Vault) beginPass(ctx context.Context, notes []rested.Note) *rested.Pass {
	m, err := disk.FindMount(v.Root)
	if err != nil || len(notes) == 0 || !m.KeepsStamps() || v.Stats().Source == watch.ModePoll || v.indexer.IsSpare() {
		return nil
	}
	ended, err := v.opts.Journal.Ended(ctx, time.Now().Add(-lately))
	if err != nil {
		return nil // whoever reads the notes will say why
	}
	sums, err := v.opts.Journal.PastSums(ctx, v.Root)
	if err != nil {
		return nil
	}
	for i, n := range notes {
		notes[i].Standing = sums[n.Rel]
	}
	set := rested.Open(filepath.Join(v.opts.Cache, "rested"), rested.KeyOf(v.opts.Version, v.Root))
	if len(ended) > 0 {
		set.Since = time.Now().Add(-lately)
	}
	return set.Begin(v.Root, notes)
}

// mayRest reports whether a note may be left unread. One with a claim is read, and so is one whose
// lines are to be remembered because it comes from elsewhere.
func (v *Vault) mayRest(rel string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.follower.HasClaims(rel) && !glob.Match(v.opts.Config.Untrusted, rel)
}

// wasPlain reports whether the note that was looked at last is this one, and held nothing.
func (v *Vault) wasPlain(rel string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.plain == rel
}

// readAll looks at every note of a pass that is not held, and reports whether it got to the end. One
// that is new is looked at in any case: what is soon written into it may be a burst.
func (v *Vault) readAll(ctx context.Context, notes []string, pass *rested.Pass, isNew func(rel string) bool) bool {
	for i, rel := range notes {
		if ctx.Err() != nil {
			return false
		}
		isHeld, fresh := pass.Holds(i), isNew(rel)
		if isHeld && !fresh && v.mayRest(rel) {
			continue
		}
		begun := time.Now()
		v.lookQuietly(ctx, Save{Rel: rel, Seen: begun, Trigger: "reconcile", New: fresh, Crowded: true})
		if pass != nil && v.wasPlain(rel) {
			pass.Keep(i, begun)
		}
	}
	return true
}

package vault

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/rested"
	"vaultdispatcher/engine/watch"
	"vaultdispatcher/engine/watch/disk"
)

// This file is about the notes that need not be opened when every note is read once: notes that an
// earlier engine has read, that held nothing, and that have not changed. In doubt a note is read, and
// so is one into which an answer was written lately: it may be missing (engine/writer).

// beginPass reads what is remembered of the notes of the first pass, or returns nil where there are
// none (they were found late) or their stamps do not tell whether they have changed. It touches the disk.
func (p *firstPass) beginPass(ctx context.Context, notes []rested.Note, remembered map[string]uint64) *rested.Pass {
	m, err := disk.FindMount(p.v.Root)
	if err != nil || len(notes) == 0 || remembered == nil || !m.KeepsStamps() || p.v.Watcher.Stats().Source == watch.ModePoll || p.v.Catalog.indexer.IsSpare() {
		return nil
	}
	ended, err := p.v.opts.Journal.Ended(ctx, time.Now().Add(-journal.OverwriteFor))
	if err != nil {
		return nil // the reader of the notes reports the cause
	}
	for _, d := range ended {
		p.answered = append(p.answered, d.File)
	}
	slices.Sort(p.answered)
	for i, n := range notes {
		notes[i].Standing = remembered[n.Rel]
	}
	return rested.Open(filepath.Join(p.v.opts.Cache, "rested"), rested.KeyOf(p.v.opts.Version, p.v.Root)).Begin(p.v.Root, notes)
}

// mayRest reports whether a note may be left unread. A note with a claim is read, and so is one whose
// lines are to be remembered because it comes from elsewhere.
func (p *firstPass) mayRest(rel string) bool {
	p.v.mu.Lock()
	defer p.v.mu.Unlock()
	_, answered := slices.BinarySearch(p.answered, rel)
	return !answered && !p.v.follower.HasClaims(rel) && !glob.Match(p.v.opts.Config.Untrusted, rel)
}

// readAll looks at every note of a pass that is not held, and reports whether it got to the end. It
// looks at a new note in any case: text written into it soon may be a burst.
func (p *firstPass) readAll(ctx context.Context, notes []string, pass *rested.Pass, isNew func(rel string) bool) bool {
	for i, rel := range notes {
		if ctx.Err() != nil {
			return false
		}
		isHeld, fresh := pass.Holds(i), isNew(rel)
		if isHeld && !fresh && p.mayRest(rel) {
			continue
		}
		begun := time.Now()
		save := Save{Rel: rel, Time: begun, Trigger: "reconcile", New: fresh, Crowded: true, source: foreign}
		if p.v.lookQuietly(ctx, save) && pass != nil {
			pass.Keep(i, begun)
		}
	}
	return true
}

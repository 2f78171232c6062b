package vault

import (
	"context"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/indexing"
)

// This file says what of the notes is indexed, and what an embedder is told of; engine/vault/indexing keeps the index up.

// openIndex opens the index, which is made when there is none.
func (v *Vault) openIndex(ctx context.Context) (err error) {
	v.indexer, err = indexing.Open(ctx, indexing.Options{Vault: v.Name, Cache: v.opts.Cache, Prepare: v.prepareNotes, Engine: v.engine, Log: v.log,
		Open: func(folder string) (_ indexing.Index, err error) {
			v.index, err = recall.Open(ctx, filepath.Join(folder, "index.db"), v.Root, recall.Options{
				Log: v.log, Exclude: v.isUnindexed, NoGraph: !v.opts.Config.Graph.Enabled, Meaning: v.opts.Meaning, Silent: v.isSilent,
				Changed: v.engine.StatusChanged,
			})
			return v.index, err
		}})
	return err
}

// isUnindexed says which notes recall does not know. What is never looked at is
// among them, for an index may have been filled before it was excluded; so are second versions
// of notes. It does not touch the disk, for each search asks it.
func (v *Vault) isUnindexed(rel string) bool {
	return notes.WhyNot(rel, v.opts.Config.Exclude) != "" || v.opts.Config.IsUnindexed(rel) || v.doubles.Has(rel)
}

// isSilent reports whether no embedder is told of a note.
func (v *Vault) isSilent(rel string) bool {
	return v.secrets.Has(rel) || v.opts.Silent != nil && v.opts.Silent(rel)
}

// prepareNotes brings up to date which of some notes are second versions of others, and of which no embedder is told for
// another name. It touches the disk, and is called before they are indexed.
func (v *Vault) prepareNotes(rels ...string) {
	v.findSecrets(rels...)
	v.doubles.Update(rels, func(rel string) bool {
		info, err := v.disk.Stat(rel)
		return err == nil && info.Mode().IsRegular()
	}, v.disk.Read)
}

// findSecrets brings up to date which of some notes no embedder is told of for another name: one that has a private name
// too, a hard link, is private under each. It touches the disk.
func (v *Vault) findSecrets(notes ...string) {
	if v.opts.Private != nil && v.opts.Silent != nil {
		v.secrets.Update(copies.FindNames(v.Root, v.opts.Private), v.opts.Silent, notes)
	}
}

// reviewCopies has the notes indexed again that may be second versions of one that has changed, and those looked at whose
// name says so: whether others are copies may depend on what the one that went is called now.
func (v *Vault) reviewCopies(original string, isCrowded bool) {
	for _, rel := range v.doubles.Of(original) {
		v.indexer.Add(rel, isCrowded)
		if copies.IsNamed(rel, original) {
			v.mu.Lock()
			v.lookAgain(rel, time.Now())
			v.mu.Unlock()
		}
	}
}

// fillIndex brings the index up to the vault. stamps are those of the notes where they are known; nil = they are not.
func (v *Vault) fillIndex(ctx context.Context, notes []string, stamps []recall.Stamp) {
	v.findSecrets(notes...)
	there := setOf(notes)
	v.doubles.Update(notes, func(rel string) bool { return there[rel] }, v.disk.Read)
	v.indexer.Fill(ctx, func() error {
		err := v.index.SyncSeen(ctx, notes, stamps, nil)
		stamps = nil
		return err
	})
}

// Close closes the index. Nothing of the vault may run any more.
func (v *Vault) Close() error {
	if v.index == nil {
		return nil
	}
	return v.indexer.Close()
}

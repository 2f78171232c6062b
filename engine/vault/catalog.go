package vault

import (
	"context"
	"path/filepath"
	"sync"

	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/recall/vectors"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/folder"
	"vaultdispatcher/engine/vault/indexing"
	"vaultdispatcher/engine/vault/noteindex"
)

// This file says what of the notes is indexed, and what an embedder is told of; engine/vault/indexing keeps the index up.

// Catalog is the index of a vault: the notes it knows, and those that no embedder is told of.
type Catalog struct {
	opts    Options
	engine  Engine
	disk    *folder.Folder
	index   *recall.Index
	indexer *indexing.Indexer
	secrets copies.Secrets
	doubles copies.Doubles
}

// State says what the index of an open vault holds, Embedding how far its vectors are, if it has any.
func (c *Catalog) State() recall.State { return c.index.State() }

// Embedding is told with State.
func (c *Catalog) Embedding() (vectors.State, bool) { return c.index.Embedding() }

// open opens the index, and makes it if it is missing.
func (c *Catalog) open(ctx context.Context) (err error) {
	c.indexer, err = indexing.Open(ctx, indexing.Options{Vault: c.opts.Vault.Name, Cache: c.opts.Cache, Prepare: c.prepareNotes, Engine: c.engine, Log: c.opts.Log,
		Opener: func(folder string) (_ indexing.Index, err error) {
			c.index, err = recall.Open(ctx, filepath.Join(folder, "index.db"), c.disk.Root, recall.Options{
				Log: c.opts.Log, Exclude: c.isUnindexed, NoGraph: !c.opts.Config.Graph.Enabled, Meaning: c.opts.Meaning, Silent: c.isSilent,
				Changed: c.engine.StatusChanged,
			})
			return c.index, err
		}})
	return err
}

// isUnindexed reports whether recall does not know a note. Excluded notes are among them, since an
// index may have been filled before they were excluded; so are second versions of notes. It does not
// touch the disk, since each search calls it.
func (c *Catalog) isUnindexed(rel string) bool {
	return notes.WhyNot(rel, c.opts.Config.Exclude) != "" || c.opts.Config.IsUnindexed(rel) || c.doubles.Has(rel)
}

// isSilent reports whether no embedder is told of a note.
func (c *Catalog) isSilent(rel string) bool {
	return c.secrets.Has(rel) || c.opts.Silent != nil && c.opts.Silent(rel)
}

// prepareNotes updates, for some notes, which are second versions of others and which are kept from
// embedders because of another name. It touches the disk and runs before the notes are indexed.
func (c *Catalog) prepareNotes(rels ...string) {
	c.findSecrets(rels...)
	c.doubles.Update(rels, func(rel string) bool {
		info, err := c.disk.Stat(rel)
		return err == nil && info.Mode().IsRegular()
	}, c.disk.Read)
}

// findSecrets brings up to date which of some notes no embedder is told of for another name: one that has a private name
// too, a hard link, is private under each. It touches the disk.
func (c *Catalog) findSecrets(notes ...string) {
	if c.opts.Private != nil && c.opts.Silent != nil {
		c.secrets.Update(copies.FindNames(c.disk.Root, c.opts.Private), c.opts.Silent, notes)
	}
}

// fill brings the index up to the vault. stamps are those of the notes, and known is what the index knew of them, where that is
// known; nil = it is not.
func (c *Catalog) fill(ctx context.Context, notes []string, stamps []recall.Stamp, known *indexed.Notes) {
	c.findSecrets(notes...)
	there := sync.OnceValue(func() map[string]bool { return noteindex.SetOf(notes) })
	c.doubles.Update(notes, func(rel string) bool { return there()[rel] }, c.disk.Read)
	c.indexer.Fill(ctx, func() error {
		err := c.index.SyncSeen(ctx, notes, stamps, known, nil)
		stamps, known = nil, nil
		return err
	})
}

// Close closes the index. Nothing of the vault may run any more.
func (c *Catalog) Close() error {
	if c.index == nil {
		return nil
	}
	return c.indexer.Close()
}

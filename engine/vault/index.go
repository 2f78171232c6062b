package vault

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/recall"
)

// openIndex opens the index in its folder, or, since an index can be made again
// but a question wants its answer, in one that lasts as long as the engine.
func (v *Vault) openIndex(ctx context.Context, folder string) error {
	open := func(folder string) (err error) {
		v.Index, err = recall.Open(ctx, filepath.Join(folder, "index.db"), v.Root, recall.Options{
			Log: v.log, Exclude: v.isUnindexed, NoGraph: !v.opts.Config.Graph.Enabled, Meaning: v.opts.Meaning, Silent: v.isSilent,
			Changed: v.engine.StatusChanged,
		})
		return err
	}
	err := open(folder)
	if err == nil || ctx.Err() != nil {
		return err
	}
	spare, failed := os.MkdirTemp("", "vault-dispatcher-")
	if failed != nil {
		return err
	}
	if open(spare) != nil {
		return errors.Join(err, os.RemoveAll(spare))
	}
	v.spare = spare
	v.log.Warn("the index is kept elsewhere until the engine ends, because its folder cannot be used", "folder", spare, "error", err)
	v.engine.AddNotice(api.NoticeIndex, "vault", v.Name, "folder", spare, "error", err)
	return nil
}

// findDoubles brings up to date which of some notes are second versions of others. It touches the disk, and is called
// before they are indexed.
func (v *Vault) findDoubles(rels ...string) {
	v.doubles.Update(rels, func(rel string) bool {
		info, err := v.Stat(rel)
		return err == nil && info.Mode().IsRegular()
	}, v.Read)
}

// IndexNote brings the index up to a note that a scan tells of, maybe before the watcher does. It touches the disk.
func (v *Vault) IndexNote(ctx context.Context, rel string) error {
	if now := time.Now(); !v.Index.Knows(rel) {
		_ = v.whileLocked(func() error { v.copied.Came(rel, now); return nil })
	}
	v.findSecrets(rel)
	v.findDoubles(rel)
	return v.Index.Update(ctx, rel)
}

// indexNotes brings the index up to some notes. It touches the disk.
func (v *Vault) indexNotes(ctx context.Context, rels []string) {
	v.findSecrets(rels...)
	v.findDoubles(rels...)
	failed := v.Index.Update(ctx, rels...)
	for i := 0; failed != nil && i < len(rels); i++ { // one that cannot be read keeps out no other
		if err := v.Index.Update(ctx, rels[i]); err != nil && ctx.Err() == nil {
			v.log.Warn("index a note", "note", rels[i], "error", err)
		}
	}
}

// IndexPending brings the index up to a note and to what was saved before. It touches the disk.
func (v *Vault) IndexPending(ctx context.Context, rel string) {
	v.unindexed.HandleSome(func(notes []string) { v.indexNotes(ctx, notes) }, rel)
}

// Close closes the index, and removes a spare one.
func (v *Vault) Close() error {
	if v.Index == nil {
		return nil
	}
	err := v.Index.Close()
	if v.spare != "" {
		err = errors.Join(err, os.RemoveAll(v.spare))
	}
	return err
}

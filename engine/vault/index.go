package vault

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/recall"
)

// openIndex opens the index in its folder, or, since an index can be made again
// but a question wants its answer, in one that lasts as long as the engine.
func (v *Vault) openIndex(ctx context.Context, folder string) error {
	open := func(folder string) (err error) {
		v.Index, err = recall.Open(ctx, filepath.Join(folder, "index.db"), v.Root, recall.Options{
			Log: v.log, Exclude: v.isUnindexed, NoGraph: !v.opts.Config.Graph.Enabled, Meaning: v.opts.Meaning,
			Changed: v.port.Changed,
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
	v.port.Tell(api.NoticeIndex, "vault", v.Name, "folder", spare, "error", err)
	return nil
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

// Package indexing keeps the index of one vault up to its notes.
//
//	x, err := indexing.Open(ctx, opts)
//	x.Add("a.md", false)          // it was saved
//	go x.Run(ctx)
//	x.Fill(ctx, sync)             // once, with all there are
//
// # Promises
//
// A note that cannot be indexed keeps no other out; the whole vault is tried until it is indexed. If
// the folder of an index cannot be used, the index is elsewhere until the engine ends: it can be made
// again, but a question waits for its answer. Its methods are safe for concurrent use, and those that
// index touch the disk of the vault.
package indexing

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/patience"
)

// Again is how long after a failure (of the index, the watcher, the journal) a vault tries once more.
const Again = 5 * time.Second

// Engine is what an indexer tells.
type Engine interface {
	AddNotice(code string, args ...any)
}

// Index is the index of a vault, as what keeps it up sees it.
type Index interface {
	// Update brings the index up to some notes. It touches the disk of the vault.
	Update(ctx context.Context, rels ...string) error

	Close() error
}

// Options are what an indexer works with.
type Options struct {
	Vault   string                             // its name
	Cache   string                             // folder for the index
	Opener  func(folder string) (Index, error) // opens the index there, and makes a missing one
	Prepare func(rels ...string)               // is called before notes are indexed
	Engine  Engine
	Log     *slog.Logger
}

// Indexer keeps the index of a vault up to what is saved.
type Indexer struct {
	index   Index
	opts    Options
	spare   string            // folder of the index where its own cannot be used; "" = it can
	pending *due.Pile[string] // notes to index
}

// Open opens the index in its folder, or in one that lasts as long as the engine.
func Open(ctx context.Context, opts Options) (*Indexer, error) {
	x := &Indexer{opts: opts, pending: due.NewPile[string](64)}
	var err error
	if x.index, err = opts.Opener(opts.Cache); err == nil || ctx.Err() != nil {
		return x, err
	}
	spare, failed := os.MkdirTemp("", "vault-dispatcher-")
	if failed != nil {
		return nil, err
	}
	if x.index, failed = opts.Opener(spare); failed != nil {
		return nil, errors.Join(err, os.RemoveAll(spare))
	}
	x.spare = spare
	opts.Log.Warn("the index is kept elsewhere until the engine ends, because its folder cannot be used", "folder", spare, "error", err)
	opts.Engine.AddNotice(api.NoticeIndex, "vault", opts.Vault, "folder", spare, "error", err)
	return x, nil
}

// IsSpare reports whether the index lasts no longer than the engine.
func (x *Indexer) IsSpare() bool { return x.spare != "" }

// Add has a note indexed soon, behind others if it is one of many that came together. It touches no disk.
func (x *Indexer) Add(rel string, isBehind bool) { x.pending.Add(rel, isBehind) }

// Run indexes what was added until ctx ends.
func (x *Indexer) Run(ctx context.Context) {
	x.pending.Run(ctx, func(notes []string) { x.update(ctx, notes) })
}

// IndexPending brings the index up to a note and to what was saved before; of many that came together as far as it costs little.
// It waits for no batch that takes long: its note is in the next then.
func (x *Indexer) IndexPending(ctx context.Context, rel string) {
	soon, stop := context.WithTimeout(ctx, patience.IndexTime)
	defer stop()
	x.pending.HandleSome(soon, func(notes []string) { x.update(context.WithoutCancel(ctx), notes) }, rel)
}

// update brings the index up to some notes.
func (x *Indexer) update(ctx context.Context, rels []string) {
	x.opts.Prepare(rels...)
	failed := x.index.Update(ctx, rels...)
	for i := 0; failed != nil && i < len(rels); i++ { // one that cannot be read keeps out no other
		if err := x.index.Update(ctx, rels[i]); err != nil && ctx.Err() == nil {
			x.opts.Log.Warn("index a note", "note", rels[i], "error", err)
		}
	}
}

// Fill brings the index up to the vault: sync is tried until it works, on a full disk for example; otherwise the index would
// know nothing but later saves.
func (x *Indexer) Fill(ctx context.Context, sync func() error) {
	for told := ""; ; {
		err := sync()
		if err == nil || ctx.Err() != nil {
			return
		}
		if err.Error() != told {
			told = err.Error()
			x.opts.Log.Error("index the vault", "error", err)
		}
		if due.Sleep(ctx, Again) != nil {
			return
		}
	}
}

// Close closes the index, and removes a spare one.
func (x *Indexer) Close() error {
	err := x.index.Close()
	if x.spare != "" {
		err = errors.Join(err, os.RemoveAll(x.spare))
	}
	return err
}

package recall

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/syserr"
)

// Sync brings the whole index up to date. rels are the paths of all notes of
// the vault. Only those that changed are read, and notes that are gone leave the index.
// Notes that exist but must not be found belong into [Options.Exclude]; rels has
// them all the same.
//
// A note that cannot be read is logged, named in [State] and passed over.
// progress, which may be nil, is called after every batch.
func (ix *Index) Sync(ctx context.Context, rels []string, progress func(done, total int)) error {
	return ix.SyncSeen(ctx, rels, nil, nil, progress)
}

// Wait returns when the first Sync has ended, or has not after the time most, or with ctx's error.
func (ix *Index) Wait(ctx context.Context, most time.Duration) error {
	select {
	case <-ix.firstSync:
	case <-time.After(most):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Stamp is what the file system says of the state of a note.
type Stamp = notedisk.Stamp

// SyncSeen is Sync for a caller that has just listed the files of the notes and calls Update for each later change.
// stamps has the stamp of each of rels, so that the disk is not asked again, and known what [Index.Known] has said; it is used
// up. Nil ones are asked for.
func (ix *Index) SyncSeen(ctx context.Context, rels []string, stamps []Stamp, known *indexed.Notes, progress func(done, total int)) error {
	defer ix.readyOnce.Do(func() { close(ix.firstSync) })
	defer ix.setState(func(s *State) { s.Pending, s.Complete = 0, true })
	ix.mu.Lock()
	ix.names = make(map[string]bool, len(rels))
	for _, rel := range rels {
		ix.names[rel] = true
	}
	ix.state.Pending = len(rels)
	ix.state.LastError = ""
	ix.mu.Unlock()
	if err := ix.withHealing(ctx, func() error {
		once := known
		known = nil
		return ix.syncAll(ctx, rels, stamps, once, progress)
	}); err != nil {
		ix.setState(func(s *State) { s.LastError = "the index is incomplete: " + syserr.Plain(err) })
		return fmt.Errorf("index the vault: %w", err)
	}
	return nil
}

func (ix *Index) syncAll(ctx context.Context, rels []string, stamps []Stamp, known *indexed.Notes, progress func(done, total int)) error {
	todo, done, came, err := ix.findChanged(ctx, rels, stamps, known)
	if err != nil {
		return err
	}
	total := max(len(rels), done+len(todo))
	report := func(n int) {
		done += n
		ix.setState(func(s *State) { s.Pending = total - done })
		if progress != nil {
			progress(done, total)
		}
	}
	report(0)
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := ix.writeNotes(ctx, todo, true, came)
		if err != nil {
			return err
		}
		todo = todo[n:]
		report(n)
	}
	return ix.mergeParts(ctx, 0)
}

// row is that of a note.
type row struct {
	id      int64
	arrival int64 // when the note came with a question, in milliseconds; 0 = without one, or long ago

	hash, linkHash []byte // of its bytes, and of its names and links
}

// findChanged compares the vault's notes with the index and returns those that have to be looked at,
// the newest first, because people ask about them, and large ones last, because
// one of them costs as much as a thousand others. It also returns how many notes
// have not changed, and when those came that the index does not know: now, unless it knows none.
func (ix *Index) findChanged(ctx context.Context, rels []string, stamps []Stamp, known *indexed.Notes) (todo []string, clean int, came time.Time, err error) {
	if stamps == nil {
		if stamps, err = ix.disk.StatNotes(ctx, rels); err != nil {
			return nil, 0, came, err
		}
	}
	if known == nil {
		if known, err = ix.Known(ctx); err != nil {
			return nil, 0, came, err
		}
	}
	old := known.Marks
	if len(old) > 0 {
		came = time.Now()
	}
	mtimes, large := make(map[string]int64), make(map[string]bool)
	for i, rel := range rels {
		had, was := old[rel]
		delete(old, rel)
		if !ix.isWanted(rel) {
			if was {
				todo = append(todo, rel)
			} else {
				clean++
			}
			continue
		}
		now := stamps[i]
		if was && notedisk.IsAs(now, had) {
			clean++
			continue
		}
		mtimes[rel], large[rel] = now.MTime, now.Size > notedisk.LargeNote // read after all others
		todo = append(todo, rel)
	}
	for rel := range old { // indexed, but not listed: gone, or made since the list was
		todo = append(todo, rel)
	}
	slices.SortStableFunc(todo, func(a, b string) int {
		switch x, y := mtimes[a], mtimes[b]; {
		case large[a] != large[b]:
			if large[a] {
				return 1
			}
			return -1
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return todo, clean, came, nil
}

// smallParts is how many bytes of the postings are merged after a batch or a save.
const smallParts = 2 << 20

// mergeParts merges the many small parts that batches leave, up to most bytes, in steps
// that let an Update in between.
func (ix *Index) mergeParts(ctx context.Context, most int64) error {
	if !ix.merging.TryLock() {
		return nil // the merge at work continues until few are left
	}
	defer ix.merging.Unlock()
	var file *sql.DB
	err := postings.Merge(context.WithoutCancel(ctx), most, func(do func(tx *sql.Tx) error) error {
		ix.writing.Lock()
		defer ix.writing.Unlock()
		ix.opened.RLock()
		defer ix.opened.RUnlock()
		if file == nil {
			file = ix.writer
		} else if file != ix.writer {
			return errReplaced
		}
		return inTx(ctx, file, func(_ context.Context, tx *sql.Tx) error { return do(tx) })
	})
	if errors.Is(err, errReplaced) {
		return nil
	}
	return err
}

// errReplaced says that the file was made again while its parts were merged.
var errReplaced = errors.New("the index was made again")

func (ix *Index) setState(change func(*State)) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	change(&ix.state)
	ix.changes.Add(1)
	ix.reportChange()
}

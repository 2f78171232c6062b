package recall

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/note/apps"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/vectors"
)

// Update brings notes up to date: notes that were saved, made, deleted, or renamed to or from one of rels. It does
// not read a note that is unchanged by its stamp, and does not index a note again whose bytes are the same. One call
// for many notes costs less than a call for each. On an error, some of the notes may be indexed.
func (ix *Index) Update(ctx context.Context, rels ...string) error {
	ix.rememberNotes(rels)
	for len(rels) > 0 {
		err := ix.withHealing(ctx, func() error {
			n, err := ix.writeNotes(ctx, rels, false, time.Now())
			if err == nil {
				rels = rels[n:]
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("index %s: %w", rels[0], err)
		}
	}
	return nil
}

func (ix *Index) rememberNotes(rels []string) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, rel := range rels {
		ix.names[rel] = true
	}
}

// withHealing runs do. If do finds the file damaged, withHealing makes the index
// again from all notes it knows of, and runs do once more.
func (ix *Index) withHealing(ctx context.Context, do func() error) error {
	err := do()
	if !cachefile.IsDamaged(err) {
		return err
	}
	if ix.peek {
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	ix.log.Warn("index is damaged and is made again", "file", ix.path, "error", err)
	ix.writing.Lock()
	err = ix.recreateFile(ctx)
	ix.writing.Unlock()
	if err != nil {
		return err
	}
	ix.mu.Lock()
	known := slices.Sorted(maps.Keys(ix.names))
	ix.mu.Unlock()
	if err := ix.syncAll(ctx, known, nil, nil, nil); err != nil {
		return err
	}
	return do()
}

// A batch of notes is read before the transaction that writes it begins, so that
// nothing but the next batch waits for the disk of the vault. It is small enough that
// an Update waits less than a tenth of a second for the batch of a Sync.
const (
	loadNotes = 128       // at most
	loadBytes = 512 << 10 // and no more notes after that many bytes
)

// isWanted reports whether rel is a note that belongs into the index.
func (ix *Index) isWanted(rel string) bool {
	return filename.IsNote(rel) && !apps.IsInBin(rel) && fs.ValidPath(rel) && !ix.exclude(rel)
}

// loadBatch reads the first of rels, as many as one batch takes.
func (ix *Index) loadBatch(ctx context.Context, rels []string) ([]notedisk.Note, error) {
	dir, err := ix.disk.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var list []notedisk.Note
	for size := 0; len(list) < min(loadNotes, len(rels)) && size < loadBytes; {
		n := notedisk.Note{Rel: rels[len(list)]}
		if ix.isWanted(n.Rel) {
			if n, err = dir.LoadNote(ctx, n.Rel); err != nil {
				return nil, err
			}
		}
		size += len(n.Source)
		list = append(list, n)
	}
	return list, nil
}

// writeNotes indexes the first of rels, as many as one batch takes, and returns how
// many these were. came is when those came that are not known yet, zero where it is not known.
func (ix *Index) writeNotes(ctx context.Context, rels []string, isSync bool, came time.Time) (n int, err error) {
	select {
	case ix.turn <- struct{}{}:
		defer func() { <-ix.turn }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if !isSync {
		if current, err := ix.isCurrent(ctx, rels[0]); err != nil || current {
			return 1, err
		}
	}
	list, err := ix.loadBatch(ctx, rels)
	if err != nil {
		return 0, err
	}
	if err = ix.storeBatch(ctx, list, isSync, came); err == nil {
		err = ix.mergeParts(ctx, smallParts)
	}
	return len(list), err
}

// isCurrent reports whether a note is in the index as it is on the disk.
func (ix *Index) isCurrent(ctx context.Context, rel string) (bool, error) {
	mark, err := ix.findMark(ctx, rel)
	if err != nil || mark == 0 || !ix.isWanted(rel) {
		return false, err
	}
	now, err := ix.disk.StatNotes(ctx, []string{rel})
	return err == nil && notedisk.IsAs(now[0], mark), err
}

// findMark returns the mark of the state that a note was indexed in, or 0 for a note without a row. It asks the
// writing connection, which still has the pages that it wrote last and is idle while the caller has the turn. All
// other connections read the file anew.
func (ix *Index) findMark(ctx context.Context, rel string) (mark int64, err error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	err = ix.writer.QueryRowContext(ctx, "SELECT mark FROM notes WHERE rel=?", rel).Scan(&mark)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return mark, err
}

// inTx runs do in one transaction, which ends with ctx. The statements have a context that does not: the driver would
// start a goroutine for each.
func inTx(ctx context.Context, db *sql.DB, do func(ctx context.Context, tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err = do(context.WithoutCancel(ctx), tx); err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	return tx.Commit()
}

// storeBatch writes notes in one transaction.
func (ix *Index) storeBatch(ctx context.Context, list []notedisk.Note, isSync bool, came time.Time) error {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	w := batch{ix: ix, arrival: came, isSync: isSync}
	if ix.vectors != nil {
		w.added = make(map[string][]vectors.Key)
	}
	if err := inTx(ctx, ix.writer, func(ctx context.Context, tx *sql.Tx) error { return w.storeNotes(ctx, tx, list) }); err != nil {
		return err
	}
	if w.isRelinked {
		ix.links.Forget()
	}
	ix.links.ForgetNames(w.relinked)
	if ix.vectors != nil {
		ix.vectors.Follow(w.added, w.removed)
	}
	ix.setState(func(s *State) { s.Notes += w.notes; s.Chunks += w.chunks })
	return nil
}

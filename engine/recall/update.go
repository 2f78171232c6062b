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
	ix.hurry.Add(1)
	defer ix.hurry.Add(-1)
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
// nothing but the next batch waits for the disk of the vault. Where an Update waits, the batch of a Sync is cut
// short, so that it waits less than a tenth of a second. Else the next one is larger: the more notes, the fewer lists for each word.
const (
	loadNotes = 128     // at most, but for a Sync that nothing waits for
	mostNotes = 512     // of such a one
	noteBytes = 4 << 10 // no more notes are loaded after as many bytes for each that may be
)

// isWanted reports whether rel is a note that belongs into the index.
func (ix *Index) isWanted(rel string) bool {
	return filename.IsNote(rel) && !apps.IsInBin(rel) && fs.ValidPath(rel) && !ix.exclude(rel)
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
	most := max(ix.most, loadNotes)
	if !isSync {
		most = loadNotes
		if current, err := ix.isCurrent(ctx, rels[0]); err != nil || current {
			return 1, err
		}
	}
	list, err := ix.disk.LoadNotes(ctx, rels[:min(most, len(rels))], most*noteBytes, ix.isWanted)
	if err != nil {
		return 0, err
	}
	if n, err = ix.storeBatch(ctx, list, isSync, came); err == nil {
		err = ix.mergeParts(ctx, smallParts)
	}
	if isSync && n < len(list) {
		ix.most = loadNotes
	} else if isSync {
		ix.most = min(2*most, mostNotes)
	}
	return n, err
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

// storeBatch writes notes in one transaction, and returns how many.
func (ix *Index) storeBatch(ctx context.Context, list []notedisk.Note, isSync bool, came time.Time) (int, error) {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	w := batch{ix: ix, arrival: came, isSync: isSync}
	if ix.vectors != nil {
		w.added = make(map[string][]vectors.Key)
	}
	if err := inTx(ctx, ix.writer, func(ctx context.Context, tx *sql.Tx) error { return w.storeNotes(ctx, tx, list) }); err != nil {
		return 0, err
	}
	if w.isRelinked {
		ix.links.Forget()
	}
	ix.links.ForgetNames(w.relinked)
	if ix.vectors != nil {
		ix.vectors.Follow(w.added, w.removed)
	}
	ix.setState(func(s *State) { s.Notes += w.notes; s.Chunks += w.chunks })
	return w.handled, nil
}

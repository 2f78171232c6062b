package recall

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/vectors"
)

// A batch of notes is read before the transaction that writes it begins, so that
// nothing but the next batch waits for the disk of the vault. It is small enough that
// an Update waits less than a tenth of a second for the batch of a Sync.
const (
	loadNotes = 64        // at most
	loadBytes = 256 << 10 // and no more notes after that many bytes
)

// isWanted reports whether rel is a note that belongs into the index.
func (ix *Index) isWanted(rel string) bool {
	return note.IsNote(rel) && fs.ValidPath(rel) && !ix.exclude(rel)
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
// many these were.
func (ix *Index) writeNotes(ctx context.Context, rels []string, isSync bool) (n int, err error) {
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
	return len(list), ix.storeBatch(ctx, list, isSync)
}

// isCurrent reports whether a note is in the index with the size and time that it
// has on the disk.
func (ix *Index) isCurrent(ctx context.Context, rel string) (bool, error) {
	had, err := ix.findStamp(ctx, rel)
	if err != nil || had.id == 0 || !ix.isWanted(rel) {
		return false, err
	}
	dir, err := ix.disk.Open(ctx)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	info, err := dir.StatNote(ctx, rel)
	if err != nil || !info.Mode().IsRegular() {
		return false, nil // loading it says why
	}
	now := notedisk.StampOf(info)
	return now.Size == had.Size && now.MTime == had.MTime, nil
}

// storeBatch writes notes in one transaction. A Sync passes over notes that cannot be
// read.
func (ix *Index) storeBatch(ctx context.Context, list []notedisk.Note, isSync bool) error {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	tx, err := ix.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	w := batch{ix: ix, tx: tx, stmts: make(map[string]*sql.Stmt)}
	if ix.vectors != nil {
		w.added = make(map[string][]vectors.Key)
	}
	for i := range list {
		err := w.storeNote(ctx, list[i])
		list[i].Source = nil // it may be large
		bad, isUnreadable := errors.AsType[*unreadable](err)
		switch {
		case isUnreadable && isSync:
			ix.log.Warn("note cannot be indexed", "note", bad.rel, "error", bad.err)
			ix.setState(func(s *State) { s.LastError = bad.Error() })
		case err != nil:
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if ix.vectors != nil {
		ix.vectors.Follow(w.added, w.removed)
	}
	ix.setState(func(s *State) { s.Notes += w.notes; s.Chunks += w.chunks })
	return nil
}

// findStamp returns the stamp of one note, with id 0 where it is not in the index.
func (ix *Index) findStamp(ctx context.Context, rel string) (s stamp, err error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	err = ix.reads.QueryRowContext(ctx, "SELECT id, size, mtime FROM notes WHERE rel=?", rel).Scan(&s.id, &s.Size, &s.MTime)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return s, err
}

package recall

import (
	"context"
	"fmt"
	"slices"
	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/recall/notedisk"
)

// Update brings one note up to date: one that was saved, made, renamed to or
// from rel, or deleted. A note whose size and time have not changed is not
// read, one whose bytes have not changed is not indexed again.
func (ix *Index) Update(ctx context.Context, rel string) error {
	ix.rememberNote(rel)
	err := ix.withHealing(ctx, func() error {
		_, err := ix.writeNotes(ctx, []string{rel}, false)
		return err
	})
	if err != nil {
		return fmt.Errorf("index %s: %w", rel, err)
	}
	return nil
}

// Sync brings the whole index up to date. rels are the paths of all notes of
// the vault. Only those that changed are read, and notes that are gone leave the index.
// Notes that exist but must not be found belong into [Options.Exclude]; rels has
// them all the same.
//
// A note that cannot be read is logged, named in [State] and passed over.
// progress, which may be nil, is called after every batch.
func (ix *Index) Sync(ctx context.Context, rels []string, progress func(done, total int)) error {
	defer ix.readyOnce.Do(func() { close(ix.ready) })
	defer ix.setState(func(s *State) { s.Pending, s.Ready = 0, true })
	ix.mu.Lock()
	ix.known = slices.Clone(rels)
	ix.state.Pending = len(rels)
	ix.state.LastError = ""
	ix.mu.Unlock()
	if err := ix.withHealing(ctx, func() error { return ix.syncAll(ctx, rels, progress) }); err != nil {
		ix.setState(func(s *State) { s.LastError = "the index is incomplete: " + err.Error() })
		return fmt.Errorf("index the vault: %w", err)
	}
	return nil
}

func (ix *Index) syncAll(ctx context.Context, rels []string, progress func(done, total int)) error {
	todo, done, err := ix.findChanged(ctx, rels)
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
		n, err := ix.writeNotes(ctx, todo, true)
		if err != nil {
			return err
		}
		todo = todo[n:]
		report(n)
	}
	return ix.mergeParts(ctx)
}

// largeNote is the size of a note from which it is read after all others.
const largeNote = 256 << 10

// stamp tells a changed note from one that is as it was indexed.
type stamp struct {
	id int64 // its row
	notedisk.Stamp
}

// findChanged walks the vault's notes and returns those that have to be looked at,
// the newest first, because people ask about them, and large ones last, because
// one of them costs as much as a thousand others. It also returns how many notes
// have not changed.
func (ix *Index) findChanged(ctx context.Context, rels []string) (todo []string, clean int, err error) {
	dir, err := ix.disk.Open(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer dir.Close()
	stamps, err := dir.StatNotes(ctx, rels)
	if err != nil {
		return nil, 0, err
	}
	old, err := ix.allStamps(ctx)
	if err != nil {
		return nil, 0, err
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
		if was && now.Size == had.Size && now.MTime == had.MTime {
			clean++
			continue
		}
		mtimes[rel], large[rel] = now.MTime, now.Size > largeNote
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
	return todo, clean, nil
}

func (ix *Index) allStamps(ctx context.Context) (map[string]stamp, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, "SELECT id, rel, size, mtime FROM notes")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := make(map[string]stamp)
	for rows.Next() {
		var rel string
		var s stamp
		if err := rows.Scan(&s.id, &rel, &s.Size, &s.MTime); err != nil {
			return nil, err
		}
		out[rel] = s
	}
	return out, rows.Err()
}

// mergeParts merges the many small parts that batches leave, in steps that let an
// Update in between. Queries read half as much afterwards.
func (ix *Index) mergeParts(ctx context.Context) error {
	for pages := -64; ctx.Err() == nil; pages = 64 {
		more, err := ix.mergeStep(ctx, pages)
		if err != nil || !more {
			return err
		}
	}
	return ctx.Err()
}

func (ix *Index) mergeStep(ctx context.Context, pages int) (more bool, err error) {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	conn, err := ix.writer.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	var before, after int64
	if err := conn.QueryRowContext(ctx, "SELECT total_changes()").Scan(&before); err != nil {
		return false, err
	}
	if _, err := conn.ExecContext(ctx, "INSERT INTO fts(fts, rank) VALUES('merge', ?)", pages); err != nil {
		return false, err
	}
	if err := conn.QueryRowContext(ctx, "SELECT total_changes()").Scan(&after); err != nil {
		return false, err
	}
	return after-before >= 2, nil // one change is the command itself: https://www.sqlite.org/fts5.html, the merge command
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
	known := slices.Clone(ix.known)
	ix.mu.Unlock()
	if err := ix.syncAll(ctx, known, nil); err != nil {
		return err
	}
	return do()
}

func (ix *Index) rememberNote(rel string) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if !slices.Contains(ix.known, rel) {
		ix.known = append(ix.known, rel)
	}
}

func (ix *Index) setState(change func(*State)) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	change(&ix.state)
	ix.reportChange()
}

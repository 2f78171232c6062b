package dbfile

import (
	"context"
	"database/sql"
	"fmt"
)

// When a file is made anew without its free pages. That takes as long as copying what is
// left, and a writer waits for it: half a second for the largest.
const (
	leastFree = 256      // pages: a megabyte
	mostLeft  = 16 << 10 // pages: 64 MB
)

// Shrink gives the free pages of a file back to the disk where a quarter of it is free.
func Shrink(ctx context.Context, db *sql.DB) error {
	var pages, free int
	for query, n := range map[string]*int{"PRAGMA page_count": &pages, "PRAGMA freelist_count": &free} {
		if err := db.QueryRowContext(ctx, query).Scan(n); err != nil {
			return fmt.Errorf("count pages: %w", err)
		}
	}
	if free < leastFree || free < pages/4 || pages-free > mostLeft {
		return nil
	}
	if _, err := db.ExecContext(ctx, "VACUUM"); err != nil {
		return err
	}
	var busy, logged, moved int // only a checkpoint cuts the file off; the next one does where readers are in its way
	return db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &logged, &moved)
}

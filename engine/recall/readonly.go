package recall

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"vaultdispatcher/engine/recall/cachefile"
)

// ErrUnusable says that the file of an index is missing, damaged, of another
// layout or of another vault. The engine makes it again.
var ErrUnusable = errors.New("not a usable index")

// openReadOnly opens the file for reading alone. Another process may be writing to it.
func (ix *Index) openReadOnly(ctx context.Context) (err error) {
	if ix.reads, err = cachefile.Open(ix.path, "&mode=ro&_pragma=query_only(1)", 2); err != nil {
		return err
	}
	err = ix.checkWholeFile(ctx)
	if err == nil {
		err = ix.countRows(ctx)
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return err
}

// checkWholeFile reports what is wrong with the file. Unlike checkLayout it reads
// the whole file, because a file that is only read is not healed later.
func (ix *Index) checkWholeFile(ctx context.Context) error {
	tx, err := ix.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := ix.checkLayout(ctx, tx); err != nil {
		return err
	}
	var verdict string
	if err := tx.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return errors.New(verdict)
	}
	return nil
}

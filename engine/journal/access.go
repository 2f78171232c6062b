package journal

import (
	"context"
	"database/sql"
	"errors"
	"os"
)

// queryer is a database or a transaction of one.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// write runs fn in one transaction of the writer. The context counts while the
// writer is waited for; once begun, a write comes to its own end, so that a
// caller whose context ends knows that its error means nothing was stored.
func (j *Journal) write(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	conn, err := j.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	whole := context.WithoutCancel(ctx)
	tx, err := conn.BeginTx(whole, nil)
	if err != nil {
		return j.markSuspect(err)
	}
	defer tx.Rollback() // does nothing after Commit
	if err := fn(whole, tx); err != nil {
		return j.markSuspect(err)
	}
	if err := tx.Commit(); err != nil {
		return j.markSuspect(err)
	}
	j.wrote()
	return nil
}

// read runs fn on one unchanging view of the journal.
func (j *Journal) read(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := j.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return j.markSuspect(err)
	}
	defer tx.Rollback() // a read has nothing to commit
	return j.markSuspect(fn(tx))
}

// markSuspect passes err on and sees to it that damage met while the journal is in
// use is looked for at the next Open, however large the file.
func (j *Journal) markSuspect(err error) error {
	if isDamage(err) {
		err = errors.Join(err, os.WriteFile(j.path+suspectMark, nil, 0o600))
	}
	return err
}

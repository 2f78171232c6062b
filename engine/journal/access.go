package journal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"vaultdispatcher/engine/journal/dbfile"
)

// queryer is a database or a transaction of one.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// write runs fn in a transaction of the writer, alone or after others that were waiting for it
// too: what they do is then brought to the disk by one commit. The context counts while the
// writer is waited for; once begun, a write comes to its own end, so that a
// caller whose context ends knows that its error means nothing was stored.
func (j *Journal) write(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := &pending{ctx: context.WithoutCancel(ctx), fn: fn, done: make(chan error, 1)}
	j.waiting.add(p)
	select {
	case err := <-p.done:
		return err
	case j.turn <- struct{}{}:
		j.writeWaiting()
		<-j.turn
	case <-ctx.Done():
		if j.waiting.remove(p) {
			return ctx.Err()
		}
	}
	return <-p.done
}

// pending is a write that waits for the writer, or is under way.
type pending struct {
	ctx  context.Context
	fn   func(ctx context.Context, tx *sql.Tx) error
	done chan error // gets what became of it
}

// queue is the writes that wait, in their order.
type queue struct {
	mu   sync.Mutex // guards the field below
	list []*pending
}

func (q *queue) add(p *pending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, p)
}

func (q *queue) remove(p *pending) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.list, p)
	if i >= 0 {
		q.list = slices.Delete(q.list, i, i+1)
	}
	return i >= 0
}

func (q *queue) takeAll() []*pending {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.list
	q.list = nil
	return all
}

// writeWaiting writes what waits, and tells each what became of it. The caller has the turn.
func (j *Journal) writeWaiting() {
	all := j.waiting.takeAll()
	if len(all) == 0 {
		return // another caller's turn has brought it to the disk
	}
	results := make([]error, len(all))
	err := j.transact(func(tx *sql.Tx) error {
		if len(all) == 1 {
			return all[0].fn(all[0].ctx, tx)
		}
		for i, p := range all {
			var broken error
			if results[i], broken = runWithin(p, tx); broken != nil {
				return broken // nothing of any of them is stored
			}
		}
		return nil
	})
	for i, p := range all {
		p.done <- j.markSuspect(cmp.Or(results[i], err))
	}
}

// transact runs do in one transaction.
func (j *Journal) transact(do func(tx *sql.Tx) error) error {
	tx, err := j.writer.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := do(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	j.wrote()
	return nil
}

// runWithin runs one of several writes of a transaction. What it has done is undone where it fails;
// where that is not possible the transaction is broken: SQLite ends it by itself where a disk is
// full (https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
func runWithin(p *pending, tx *sql.Tx) (failed, broken error) {
	if _, err := tx.Exec("SAVEPOINT one"); err != nil {
		return nil, err
	}
	if failed = p.fn(p.ctx, tx); failed != nil {
		if _, err := tx.Exec("ROLLBACK TO one"); err != nil {
			return failed, errors.Join(failed, err)
		}
	}
	_, err := tx.Exec("RELEASE one")
	return failed, err
}

// read runs fn on one unchanging view of the journal. Where ctx has ended, its error is what is
// returned: database/sql may say only that the transaction, which that has rolled back, is done.
func (j *Journal) read(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := j.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return j.markSuspect(err)
	}
	defer tx.Rollback() // a read has nothing to commit
	err = j.markSuspect(fn(tx))
	if err != nil && ctx.Err() != nil && !dbfile.IsDamage(err) {
		return ctx.Err()
	}
	return err
}

// exec runs one statement in a transaction of its own.
func (j *Journal) exec(ctx context.Context, query string, args ...any) error {
	return j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// list returns the rows of a query, whose columns are read into fields.
func list[T any](ctx context.Context, j *Journal, doing string, fields func(*T) []any, query string, args ...any) ([]T, error) {
	var all []T
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, query, args...)
		all, err = collect(rows, err, fields)
		return err
	})
	return all, during(doing, err)
}

// readRow reads the one row of a query into fields.
func (j *Journal) readRow(ctx context.Context, fields []any, query string, args ...any) error {
	return j.read(ctx, func(tx *sql.Tx) error { return tx.QueryRowContext(ctx, query, args...).Scan(fields...) })
}

// listDispatches returns the dispatches that rest selects, with these columns, and with the long
// texts of their markers or without.
func (j *Journal) listDispatches(ctx context.Context, doing, columns string, texts bool, rest string, args ...any) ([]Dispatch, error) {
	var all []Dispatch
	err := j.read(ctx, func(tx *sql.Tx) error {
		found, err := readRecords(ctx, tx, columns, rest, args...)
		if err == nil {
			all, err = withMarkers(ctx, tx, found, texts)
		}
		return err
	})
	return all, during(doing, err)
}

// during says of an error what was being done; none stays none.
func during(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// markSuspect passes err on and sees to it that damage met while the journal is in
// use is looked for at the next Open, however large the file. A full disk is named,
// and a lock.
func (j *Journal) markSuspect(err error) error {
	if dbfile.IsDamage(err) {
		err = errors.Join(err, os.WriteFile(j.path+suspectMark, nil, 0o600))
	}
	return dbfile.Name(err, j.path)
}

// NameFull passes an error of reaching the journal at path on, as [ErrFull] where its cause is
// a disk without room.
func NameFull(err error, path string) error { return dbfile.Name(err, path) }

package dbfile

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// DB is an open database. Writes go through one connection, one after the other, and those that wait for it together;
// reads run beside them. It is safe for concurrent use.
//
//	err = db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error { ... }) // one transaction
//	rows, err := dbfile.List(ctx, db, "list the limits", fields, "SELECT ...")
type DB struct {
	Writer *sql.DB // the one connection that writes, for what no transaction can do
	Reader *sql.DB

	Damage []Damage // files of it that could not be read any more, and whose bytes are still beside this one; oldest first

	path    string
	waiting queue         // of writes
	turn    chan struct{} // holds one token during a write
	wrote   func()        // is told of every write; never nil
}

// Damage is what became of a file that could not be read any more.
type Damage struct {
	Time     time.Time
	Path     string // where its bytes are now
	Problem  string // the error of SQLite
	Salvaged int    // dispatches taken over into the new journal
	Missing  int    // dispatches that were seen and could not be taken over
}

// NewDB returns the database at path, of connections to it.
func NewDB(path string, writer, reader *sql.DB) *DB {
	return &DB{Writer: writer, Reader: reader, path: path, turn: make(chan struct{}, 1), wrote: func() {}}
}

// OnWrite has f called after every write. f must not wait for anything, and OnWrite
// is called before the database is used by several goroutines.
func (d *DB) OnWrite(f func()) { d.wrote = f }

// Close waits for running calls and closes the file. It closes the writer last: the last connection to leave folds
// the write-ahead log into the file.
func (d *DB) Close() error { return errors.Join(d.Reader.Close(), d.Writer.Close()) }

// Write runs fn in a transaction of the writer, alone or after others that were waiting for it
// too: what they do is then brought to the disk by one commit. The context counts while the
// writer is waited for; once begun, a write comes to its own end, so that a
// caller whose context ends knows that its error means nothing was stored.
func (d *DB) Write(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	return d.WriteThen(ctx, fn, func() {})
}

// WriteThen is Write, and calls then once what fn did is on the disk, before anyone is told of it. then must not wait for anything.
func (d *DB) WriteThen(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error, then func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := &pending{ctx: context.WithoutCancel(ctx), fn: fn, then: then, result: make(chan error, 1)}
	d.waiting.add(p)
	select {
	case err := <-p.result:
		return err
	case d.turn <- struct{}{}:
		d.writeWaiting()
		<-d.turn
	case <-ctx.Done():
		if d.waiting.remove(p) {
			return ctx.Err()
		}
	}
	return <-p.result
}

// pending is a write that waits for the writer, or is under way.
type pending struct {
	ctx    context.Context
	fn     func(ctx context.Context, tx *sql.Tx) error
	then   func()
	result chan error // gets what became of it
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
func (d *DB) writeWaiting() {
	all := d.waiting.takeAll()
	if len(all) == 0 {
		return // another caller's turn has brought it to the disk
	}
	results := make([]error, len(all))
	err := d.transact(func(tx *sql.Tx) error {
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
	}, func() {
		for i, p := range all {
			if results[i] == nil {
				p.then()
			}
		}
	})
	for i, p := range all {
		p.result <- d.markSuspect(cmp.Or(results[i], err))
	}
}

// transact runs do in one transaction, and then behind it.
func (d *DB) transact(do func(tx *sql.Tx) error, then func()) error {
	tx, err := d.Writer.BeginTx(context.Background(), nil)
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
	then()
	d.wrote()
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

// Read runs fn on one unchanging view of the database. Where ctx has ended, its error is what is
// returned: database/sql may say only that the transaction, which that has rolled back, is done.
func (d *DB) Read(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := d.Reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return d.markSuspect(err)
	}
	defer tx.Rollback() // a read has nothing to commit
	return d.readError(ctx, fn(tx))
}

// readError passes the error of a read on, after its damage was marked.
func (d *DB) readError(ctx context.Context, err error) error {
	err = d.markSuspect(err)
	if err != nil && ctx.Err() != nil && !IsDamage(err) {
		return ctx.Err()
	}
	return err
}

// Exec runs one statement in a transaction of its own.
func (d *DB) Exec(ctx context.Context, query string, args ...any) error {
	return d.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// List returns the rows of a query, whose columns are read into fields. An error says what was being done.
func List[T any](ctx context.Context, d *DB, doing string, fields func(*T) []any, query string, args ...any) ([]T, error) {
	var all []T
	err := d.Read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, query, args...)
		all, err = Collect(rows, err, fields)
		return err
	})
	return all, During(doing, err)
}

// ReadRow reads the one row of a query into fields. A query is a view of its own, so it needs no transaction around it.
func (d *DB) ReadRow(ctx context.Context, fields []any, query string, args ...any) error {
	return d.readError(ctx, d.Reader.QueryRowContext(ctx, query, args...).Scan(fields...))
}

// OneText reads a query of one column.
func OneText(text *string) []any { return []any{text} }

// Collect reads all rows of a query into fields; err is the query's own.
func Collect[T any](rows *sql.Rows, err error, fields func(*T) []any) ([]T, error) {
	var all []T
	err = EachRow(rows, err, func() error {
		var v T
		err := rows.Scan(fields(&v)...)
		if err == nil {
			all = append(all, v)
		}
		return err
	})
	return all, err
}

// EachRow calls fn on every row of a query and closes it; err is the query's own.
func EachRow(rows *sql.Rows, err error, fn func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// During wraps an error with the operation that failed; nil remains nil.
func During(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// SuspectMark is appended to a path for a file that asks for a check.
const SuspectMark = ".suspect"

// markSuspect passes err on and sees to it that damage met while the file is in
// use is looked for at the next Open, however large the file. A full disk is named,
// and a lock.
func (d *DB) markSuspect(err error) error {
	if IsDamage(err) {
		err = errors.Join(err, os.WriteFile(d.path+SuspectMark, nil, 0o600))
	}
	return Name(err, d.path)
}

// Shrink gives the room that became free back to the disk.
func (d *DB) Shrink(ctx context.Context) error { return d.markSuspect(Shrink(ctx, d.Writer)) }

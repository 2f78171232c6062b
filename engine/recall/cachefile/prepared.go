package cachefile

// The driver prepares a statement anew for every call, which takes a third of the time of
// a short one. So connections keep the statements they have used last. One means what it would mean if it
// were prepared now: SQLite does so itself where the tables have changed
// (https://www.sqlite.org/c3ref/prepare.html). One that has failed is not kept. Kept ones hold no lock
// and no values, and end with their connection.
//
// Write LIMIT +?, not LIMIT ?: SQLite plans by the value of a bound limit and prepares such a
// statement anew for each call (sqlite3ExprIsInteger in https://sqlite.org/src/file/src/expr.c).

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"modernc.org/libc"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// most is how many statements a connection keeps.
const most = 48

// OpenPrepared returns a database by the name that the driver wants, whose statements stay
// prepared. No file is touched. Its Close returns when no connection has the file open any more, so nothing of the
// database may be in use in the goroutine that calls it.
func OpenPrepared(name string) (*sql.DB, error) { return sql.OpenDB(newConnector(name)), nil }

// connector makes connections to a database by its name. database/sql itself waits for no connection that is in use when
// the database is closed, such as one of a call whose context has just ended, nor for one that is being made.
type connector struct {
	name string

	mu    sync.Mutex // guards what follows
	end   *sync.Cond // a connection is no more
	count int        // connections, also those being made
	shut  bool
}

func newConnector(name string) *connector {
	c := &connector{name: name}
	c.end = sync.NewCond(&c.mu)
	return c
}

func (c *connector) Driver() driver.Driver { return new(sqlite.Driver) }

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	c.mu.Lock()
	if c.shut {
		c.mu.Unlock()
		return nil, sql.ErrConnDone
	}
	c.count++
	c.mu.Unlock()
	ShareMemory()
	opened, err := c.Driver().Open(c.name)
	if err != nil {
		c.noteEnded()
		return nil, err
	}
	return &conn{plain: opened.(plain), onEnd: sync.OnceFunc(c.noteEnded)}, nil
}

// noteEnded says that a connection has the file open no more.
func (c *connector) noteEnded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count--
	c.end.Broadcast()
}

// Close is the end of [sql.DB.Close].
func (c *connector) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut = true
	for c.count > 0 {
		c.end.Wait()
	}
	return nil
}

// ShareMemory gives all databases of the process their memory, once. It counts before SQLite's first connection alone, so
// the opener of the first database calls it. It takes a piece of each size of the driver's memory and keeps it. A page of pieces is given back to the system
// with the last of them (https://pkg.go.dev/modernc.org/memory), so calls one after the other had the system map and
// unmap the same pages again and again: a fifth of the processor that it takes to open a journal.
var ShareMemory = sync.OnceFunc(func() {
	const smallest, largest = 16, 16 << 10 // a larger piece has its own page
	tls := libc.NewTLS()
	defer tls.Close()
	for size := libc.Tsize_t(smallest); size <= largest; size *= 2 {
		libc.Xmalloc(tls, size)
	}
	giveSlab(tls)
})

// slabPages is how many pages of files fit into the slab. When it is full, the page least recently used makes room,
// whichever connection has it.
const slabPages = 1000

// giveSlab gives SQLite one piece of memory for the pages that its connections keep. A write makes all other connections of
// the file drop theirs; one by one these went back to the system and were taken again. The driver is built so that no
// connection has pages of its own besides (SQLITE_ENABLE_MEMORY_MANAGEMENT, https://www.sqlite.org/malloc.html#pagecache).
// Where SQLite runs already this is refused, and all is as it was.
func giveSlab(tls *libc.TLS) {
	size := libc.Xmalloc(tls, 4)
	defer libc.Xfree(tls, size)
	configure := func(option int32, args ...any) int32 {
		list := libc.NewVaList(args...)
		defer libc.Xfree(tls, list)
		return lib.Xsqlite3_config(tls, option, list)
	}
	if configure(lib.SQLITE_CONFIG_PCACHE_HDRSZ, size) != lib.SQLITE_OK {
		return
	}
	slot := (4096 + int(binary.NativeEndian.Uint32(libc.GoBytes(size, 4))) + 7) &^ 7
	slab := libc.Xmalloc(tls, libc.Tsize_t(slabPages*slot))
	if slab != 0 && configure(lib.SQLITE_CONFIG_PAGECACHE, slab, int32(slot), int32(slabPages)) != lib.SQLITE_OK {
		libc.Xfree(tls, slab)
	}
}

// plain is a connection of the driver.
type plain interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// conn is a connection with the statements that are not in use. database/sql calls one of its
// methods at a time, those of its rows included.
type conn struct {
	plain
	statements []statement // the one used last at the end
	onEnd      func()      // called when the file is closed
}

type statement struct {
	query string
	driver.Stmt
}

// isWorth reports whether a query may be kept: scripts and what changes tables are not.
func isWorth(query string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(query, "\n\t "), " ")
	return slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"}, strings.TrimRight(word, "\n\t")) && !strings.Contains(query, ";")
}

// take removes the statement of a query from the kept ones and returns it, or prepares a new one.
func (c *conn) take(ctx context.Context, query string) (statement, error) {
	if i := slices.IndexFunc(c.statements, func(s statement) bool { return s.query == query }); i >= 0 {
		s := c.statements[i]
		c.statements = slices.Delete(c.statements, i, i+1)
		return s, nil
	}
	s, err := c.PrepareContext(ctx, query)
	return statement{query, s}, err
}

// putBack keeps a statement that was used, unless that has failed.
func (c *conn) putBack(s statement, err error) error {
	if err != nil {
		return errors.Join(err, s.Close())
	}
	if c.statements = append(c.statements, s); len(c.statements) > most {
		err = c.statements[0].Close()
		c.statements = slices.Delete(c.statements, 0, 1)
	}
	return err
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if !isWorth(query) {
		return c.plain.ExecContext(ctx, query, args)
	}
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	return result, c.putBack(s, err)
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !isWorth(query) {
		return c.plain.QueryContext(ctx, query, args)
	}
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	found, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, c.putBack(s, err)
	}
	return &rows{Rows: found, conn: c, statement: s}, nil
}

// RowsRead counts the rows that queries of this process have returned, those of the journal too. Tests hold how it grows.
var RowsRead atomic.Int64

// rows give their statement back.
type rows struct {
	driver.Rows
	conn      *conn
	statement statement
}

func (r *rows) Next(into []driver.Value) error {
	RowsRead.Add(1)
	return r.Rows.Next(into)
}

func (r *rows) Close() error { return r.conn.putBack(r.statement, r.Rows.Close()) }

func (c *conn) Close() error {
	defer c.onEnd()
	var errs []error
	for _, s := range c.statements {
		errs = append(errs, s.Close())
	}
	c.statements = nil
	return errors.Join(append(errs, c.plain.Close())...)
}

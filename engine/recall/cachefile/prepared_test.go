package cachefile

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

func open(t *testing.T) *sql.DB {
	db, err := OpenPrepared("file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "x.db")))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	exec(t, db, "CREATE TABLE t (a UNIQUE, b)")
	for i := range 3 {
		exec(t, db, "INSERT INTO t VALUES (?, ?)", i, fmt.Sprint("b", i))
	}
	return db
}

func exec(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, db *sql.DB, query string, args ...any) (text string) {
	t.Helper()
	if err := db.QueryRow(query, args...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

// kept is how many statements the one connection keeps.
func kept(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Raw(func(inner any) error { n = len(inner.(*conn).statements); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKept: a statement is prepared once, has no values of the last time, and follows its table.
func TestKept(t *testing.T) {
	db := open(t)
	const query = "SELECT b FROM t WHERE a = ?"
	for i := range 3 {
		if got, want := read(t, db, query, i), fmt.Sprint("b", i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := kept(t, db); n != 2 {
		t.Errorf("%d statements are kept, want 2", n)
	}
	exec(t, db, "DROP TABLE t")
	exec(t, db, "CREATE TABLE t (b, a)")
	exec(t, db, "INSERT INTO t VALUES (?, ?)", "new", 1)
	if got := read(t, db, query, 1); got != "new" {
		t.Errorf("%q", got)
	}
}

// TestInUse: the same query within its own rows is another statement; rows that are left in
// their middle hold no lock.
func TestInUse(t *testing.T) {
	db := open(t)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	const query = "SELECT a FROM t ORDER BY a"
	outer, err := tx.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	var a, b int
	for outer.Next() {
		inner, err := tx.Query(query)
		if err != nil || !inner.Next() || outer.Scan(&a) != nil || inner.Scan(&b) != nil || b != 0 {
			t.Fatal(err, a, b)
		}
		if err := inner.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := outer.Close(); err != nil || a != 2 {
		t.Fatal(err, a)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	exec(t, db, "DROP TABLE t") // is refused while a statement reads it
}

// TestFailed: what has failed is not kept and works again.
func TestFailed(t *testing.T) {
	db := open(t)
	const query = "INSERT INTO t VALUES (?, 'x')"
	exec(t, db, query, 10)
	n := kept(t, db)
	if _, err := db.Exec(query, 10); err == nil {
		t.Fatal("no error")
	}
	if kept(t, db) != n-1 {
		t.Errorf("%d are kept, want %d", kept(t, db), n-1)
	}
	exec(t, db, query, 11)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.ExecContext(ctx, query, 12); err == nil {
		t.Fatal("no error")
	}
	exec(t, db, query, 12)
}

// TestMost: the ones used last are kept, and scripts are none of them.
func TestMost(t *testing.T) {
	db := open(t)
	for i := range 3 * most {
		read(t, db, fmt.Sprintf("SELECT %d", i))
		read(t, db, "SELECT 'often'")
	}
	exec(t, db, "INSERT INTO t VALUES (20, 1); INSERT INTO t VALUES (21, 1)")
	if n := kept(t, db); n != most {
		t.Errorf("%d are kept, want %d", n, most)
	}
	if got := read(t, db, "SELECT count(*) FROM t WHERE a >= 20"); got != "2" {
		t.Errorf("%s rows of the script", got)
	}
}

// A database is closed when nothing has its file open any more: Windows deletes no file before, and a connection made
// after would make the file again.
func TestCloseWaitsForWhatIsInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := OpenPrepared("file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "x.db")))
		if err != nil {
			t.Fatal(err)
		}
		used, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		closed := make(chan error, 1)
		go func() { closed <- db.Close() }()
		synctest.Wait()
		if len(closed) != 0 {
			t.Error("it is closed while a connection has the file open")
		}
		if err := used.Close(); err != nil {
			t.Error(err)
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
	})
}

func TestNoConnectionAfterClose(t *testing.T) {
	c := newConnector("file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "x.db")))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if late, err := c.Connect(t.Context()); err == nil {
		late.Close()
		t.Error("a closed database was opened again")
	}
}

// The driver takes the slab that it is given, and what is read lies in it.
func TestPagesAreInTheSlab(t *testing.T) {
	db := open(t)
	exec(t, db, "INSERT INTO t (b) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT zeroblob(1000) FROM n")
	read(t, db, "SELECT count(*) FROM t WHERE length(b) = 1000")
	tls := libc.NewTLS()
	defer tls.Close()
	numbers := libc.Xcalloc(tls, 2, 4)
	defer libc.Xfree(tls, numbers)
	if code := lib.Xsqlite3_status(tls, lib.SQLITE_STATUS_PAGECACHE_USED, numbers, numbers+4, 0); code != lib.SQLITE_OK {
		t.Fatal(code)
	}
	if n := binary.NativeEndian.Uint32(libc.GoBytes(numbers, 4)); n < 100 {
		t.Errorf("%d pages are in the slab", n)
	}
}

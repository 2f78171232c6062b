package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	busyWait    = 5 * time.Second // for another process's lock
	smallFile   = 8 << 20         // checked whole at every start: some 20 ms
	suspectMark = ".suspect"      // after the path: a file that asks for a check
)

// damaged says that a journal's bytes make no sense any more.
type damaged struct{ problem string }

func (d *damaged) Error() string { return "the journal is damaged: " + d.problem }

// Open opens the journal at path. A missing file is created (0600, a missing
// folder 0700), an older schema is brought up to date, a newer one refused with
// [ErrNewer]. A damaged file is moved aside to "<path>.corrupt-<time>", what can
// be read of it is taken over, and [Journal.Damage] says so.
func Open(ctx context.Context, path string) (*Journal, error) {
	j, err := openFile(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	return j, nil
}

func openFile(ctx context.Context, path string) (*Journal, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	var found *damaged
	if err := inspectFile(ctx, path); errors.As(err, &found) {
		if err := moveAside(path, time.Now()); err != nil {
			return nil, fmt.Errorf("move the damaged journal aside: %w", err)
		}
	} else if err != nil {
		return nil, err
	}
	if err := createFile(path); err != nil {
		return nil, err
	}
	writer, err := connectWriter(path)
	if err != nil {
		return nil, err
	}
	reader, err := connect(path, "rw", 2, "cache_size(-512)", "query_only(1)", "temp_store(MEMORY)")
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	j := &Journal{path: path, writer: writer, reader: reader, wrote: func() {}}
	if err := j.prepareFile(ctx, path, found); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	if err := os.Remove(path + suspectMark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// prepareFile brings the file up to date and takes over what a damaged one left.
func (j *Journal) prepareFile(ctx context.Context, path string, found *damaged) error {
	if err := useWAL(ctx, j.writer); err != nil {
		return err
	}
	if err := migrate(ctx, j.writer); err != nil {
		return err
	}
	return j.takeOver(ctx, path, found)
}

// OnWrite has f called after every write. f must not wait for anything, and OnWrite
// is called before the journal is used by several goroutines.
func (j *Journal) OnWrite(f func()) { j.wrote = f }

// Close waits for what is running and closes the file. The writer goes last: the
// last connection to leave folds the write-ahead log into the file.
func (j *Journal) Close() error {
	return errors.Join(j.reader.Close(), j.writer.Close())
}

// Damage tells of damaged journals whose bytes still lie beside this one, oldest
// first. Removing such a file ends its mention.
func (j *Journal) Damage() []Damage { return j.damage }

// inspectFile looks at the file before anything may change it: a newer schema and
// damage must be found while every byte is still as it was. So it reads through
// a read-only connection, except where an interrupted first start left a
// rollback journal that only a writer can apply.
func inspectFile(ctx context.Context, path string) error {
	if fileSize(path) == 0 {
		if fileSize(path+"-wal") > 0 {
			return &damaged{"the file is gone, its write-ahead log is not"}
		}
		return nil
	}
	mode := "ro"
	if fileSize(path+"-journal") > 0 {
		mode = "rw"
	}
	db, err := connect(path, mode, 1, "cache_size(-1024)")
	if err != nil {
		return err
	}
	err = checkStructure(ctx, db, mustCheck(path))
	if isDamage(err) {
		err = &damaged{err.Error()}
	}
	return errors.Join(err, db.Close())
}

// mustCheck says whether the file's whole structure is to be checked. That reads
// every page, so a large file is only checked when there is reason for doubt: its
// log was left by an end that was not clean, or damage was met while it was used.
func mustCheck(path string) bool {
	if _, err := os.Lstat(path + suspectMark); err == nil {
		return true
	}
	return fileSize(path) <= smallFile || fileSize(path+"-wal") > 0 || fileSize(path+"-journal") > 0
}

// checkStructure reads the schema version and, if asked, runs SQLite's own check.
func checkStructure(ctx context.Context, db *sql.DB, whole bool) error {
	if _, err := schemaVersion(ctx, db); err != nil || !whole {
		return err
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if verdict != "ok" {
		return &damaged{verdict}
	}
	return nil
}

// createFile makes the file before SQLite does, for its mode: the log and the shared
// memory beside it inherit it. An existing file loses the bits of others.
func createFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// useWAL switches to write-ahead logging, which lets reads run beside a write.
// SQLite does not always wait for another process that is just doing the same.
// Where a file system cannot do it SQLite stays as it was, slower and as safe.
func useWAL(ctx context.Context, db *sql.DB) error {
	deadline := time.Now().Add(busyWait)
	for {
		var mode string
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if err == nil {
			return nil
		}
		if resultCode(err) != sqlite3.SQLITE_BUSY || time.Now().After(deadline) {
			return fmt.Errorf("switch to write-ahead logging: %w", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// connectWriter returns the one connection that may write.
func connectWriter(path string) (*sql.DB, error) {
	return connect(path, "rw", 1, "cache_size(-1024)", "synchronous(FULL)", "foreign_keys(1)",
		"temp_store(MEMORY)", "wal_autocheckpoint(256)", "journal_size_limit(1048576)")
}

// connect returns at most n connections to path, each with these pragmas. The
// file is not touched before the first use.
func connect(path, mode string, n int, pragmas ...string) (*sql.DB, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/...
		slashed = "/" + slashed
	}
	query := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": pragmas}
	query.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyWait.Milliseconds()))
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// fileSize is the size of a file, 0 when there is none.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// resultCode is SQLite's primary result code of an error, 0 for any other error.
func resultCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// isDamage says whether err is about the file's bytes and not about reaching them.
func isDamage(err error) bool {
	c := resultCode(err)
	return c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB
}

// Package dbfile opens the file of an SQLite database that is precious, reads and writes it ([DB]), and says what an error
// from it means.
//
//	db, err := dbfile.Connect(path, "rw", 1)
//	if dbfile.IsDamage(err) { ... } // the bytes make no sense
//	err = dbfile.Name(err, path) // "the disk that holds ... is full" where it is, or who holds a lock
//
// # Promises
//
// A file and what SQLite keeps beside it can be read by their owner alone. [Check] changes
// no byte.
package dbfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const busyWait = 5 * time.Second // for another process's lock

// Tails are what SQLite appends to a path for the files that hold data of a database.
var Tails = []string{"", "-wal", "-journal"}

// Connect returns at most n connections to path, each with these pragmas. The
// file is not touched before the first use.
func Connect(path, mode string, n int, pragmas ...string) (*sql.DB, error) {
	return ConnectBy(func(name string) (*sql.DB, error) { return sql.Open("sqlite", name) }, path, mode, n, pragmas...)
}

// ConnectBy is Connect with what opens a database by its name.
func ConnectBy(open func(name string) (*sql.DB, error), path, mode string, n int, pragmas ...string) (*sql.DB, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/...
		slashed = "/" + slashed
	}
	query := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": pragmas}
	query.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyWait.Milliseconds()))
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	db, err := open(name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// CheckKind returns an error where a folder, a pipe or the like has the place of a database's file
// or of what SQLite keeps beside it. SQLite would speak of a lack of memory, or wait.
func CheckKind(path string) error {
	for _, tail := range Tails {
		info, err := os.Stat(path + tail)
		if err != nil || info.Mode().IsRegular() {
			continue
		}
		kind := "no file"
		if info.IsDir() {
			kind = "a folder"
		} else if info.Mode()&fs.ModeNamedPipe != 0 {
			kind = "a pipe"
		}
		return fmt.Errorf("%s is %s, where a file belongs; move it away and start again", filepath.Base(path+tail), kind)
	}
	return nil
}

// Create makes the file before SQLite does, for its mode: the log and the shared
// memory beside it inherit it. An existing file loses the bits of others.
func Create(path string) error {
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
	if runtime.GOOS == "windows" { // has no such bits (https://pkg.go.dev/os#Chmod); its folder keeps others out
		return nil
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// UseWAL switches to write-ahead logging, which lets reads run beside a write (https://www.sqlite.org/wal.html).
// SQLite does not always wait for another process that is just doing the same. On a file system that cannot do it,
// SQLite does not switch, and is slower and as safe.
func UseWAL(ctx context.Context, db *sql.DB) error {
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

// TryWrite writes and takes it back. A file whose header has a format of a later version can
// be read and fails here; see https://www.sqlite.org/fileformat.html, 1.3.3. To begin is not
// enough: then SQLite makes a transaction that only reads.
func TryWrite(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "PRAGMA user_version = 0")
	_, back := conn.ExecContext(ctx, "ROLLBACK")
	return errors.Join(err, back)
}

// Check runs SQLite's own check of the whole file at path, the indices and the rows' types
// included, and returns its verdict; nothing when all is well.
func Check(ctx context.Context, db *sql.DB, path string) (string, error) {
	var verdict string
	var page int64
	if err := db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&page); err != nil {
		return "", fmt.Errorf("read the size of a page: %w", err)
	}
	if page > 0 && Size(path)%page != 0 { // SQLite reads zeros for what is missing, and refuses that later
		return "its last page is cut off", nil
	}
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return "", fmt.Errorf("check: %w", err)
	}
	if verdict == "ok" {
		return "", nil
	}
	return verdict, nil
}

// Size returns the size of a file, 0 without one.
func Size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// Copy copies a database that no connection has open. It replaces any file at the new place.
func Copy(to, from string) error {
	Remove(to)
	for _, tail := range Tails {
		if err := copyFile(to+tail, from+tail); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file; a missing one makes no copy.
func copyFile(to, from string) error {
	src, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// Remove removes a database that only this process has used, as far as it can be.
func Remove(path string) {
	os.Remove(path + "-shm")
	for _, tail := range Tails {
		os.Remove(path + tail)
	}
}

// resultCode is SQLite's primary result code of an error, 0 for any other error.
func resultCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// IsDamage says whether err is about the file's bytes and not about reaching them.
func IsDamage(err error) bool {
	switch resultCode(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ // the file ends in the middle
}

// IsOfContents says whether an error of opening a file that this process may read and
// write, or of storing a row in it, comes from what the file or the row holds: besides
// damage a schema that cannot be parsed, a version of the format that may only be read,
// a row that breaks a rule.
func IsOfContents(err error) bool {
	switch resultCode(err) {
	case sqlite3.SQLITE_READONLY:
		var e *sqlite.Error
		return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_READONLY // others are about the folder and its files
	case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT,
		sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE:
		return true
	}
	return IsDamage(err)
}

// ErrFull says that there is no room left on the disk of a database.
var ErrFull = errors.New("the disk is full")

// ErrBusy says that another program holds a database locked.
var ErrBusy = errors.New("another program holds the file locked")

// named is an error of one kind that names its place. SQLite's error is its cause.
type named struct {
	kind  error
	text  string
	cause error
}

func (n *named) Error() string        { return n.text }
func (n *named) Unwrap() error        { return n.cause }
func (n *named) Is(target error) bool { return target == n.kind }

// IsLocked is for those who may not know this room: they ask an error for it.
func (n *named) IsLocked() bool { return n.kind == ErrBusy }

// Name passes err on, as [ErrBusy] where its cause is another program's lock on the database at path,
// as [ErrFull] where it is a disk without room. SQLite says that only of some writes; to others a
// full disk is a file that cannot be opened or a failing disk, so the disk is asked.
func Name(err error, path string) error {
	if err == nil || errors.Is(err, ErrFull) || errors.Is(err, ErrBusy) {
		return err
	}
	switch resultCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &named{ErrBusy, "another program holds " + path + " locked", err}
	case sqlite3.SQLITE_FULL:
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		if !isOutOfRoom(tryWrite(filepath.Dir(path))) {
			return err
		}
	default:
		if !isOutOfRoom(err) {
			return err
		}
	}
	return &named{ErrFull, "the disk that holds " + filepath.Dir(path) + " is full", err}
}

// probeSize is more than what is left over on a disk that refused a page.
const probeSize = 64 << 10

// tryWrite writes a file to a folder and removes it again.
func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".room-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeSize))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

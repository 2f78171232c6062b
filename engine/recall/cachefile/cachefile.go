// Package cachefile opens the SQLite files that hold what can be made again: the
// index of a vault and its vectors. [Open] opens one, and [IsDamaged] says whether
// an error means that the file has to be removed with [Remove] and filled anew.
package cachefile

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite" // the driver, and its errors
)

// ErrForeign says that a file has another layout, or belongs to another vault or
// model.
var ErrForeign = errors.New("another version or another vault")

// Open opens one handle with at most conns connections. extra is appended to the
// options of the connection. Small caches are enough: the operating system caches
// the file as well, and an index at rest should cost next to nothing.
func Open(path, extra string, conns int) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	abs = filepath.ToSlash(abs)
	if !strings.HasPrefix(abs, "/") { // a drive letter
		abs = "/" + abs
	}
	u := url.URL{Scheme: "file", Path: abs}
	db, err := sql.Open("sqlite", u.String()+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(NORMAL)&_pragma=cache_size(-1500)&_pragma=journal_size_limit(4194304)"+extra)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// Remove deletes a file with what SQLite keeps beside it.
func Remove(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.RemoveAll(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// IsDamaged reports whether err means that the file cannot be used any more. The
// codes are SQLite's: https://www.sqlite.org/rescode.html
func IsDamaged(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() & 0xff {
	case 11, 26: // SQLITE_CORRUPT, SQLITE_NOTADB
		return true
	case 1: // SQLITE_ERROR: one of our tables is gone
		return strings.Contains(e.Error(), "no such table") || strings.Contains(e.Error(), "no such column")
	}
	return false
}

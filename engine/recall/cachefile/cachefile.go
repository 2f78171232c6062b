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

	"modernc.org/sqlite" // its errors
)

// ErrForeign says that a file has another layout, or belongs to another vault or
// model.
var ErrForeign = errors.New("another version or another vault")

// ErrDamaged says that a file holds what was not written into it.
var ErrDamaged = errors.New("not what was written")

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
	if err := hideFromOthers(path, !strings.Contains(extra, "mode=ro")); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	u := url.URL{Scheme: "file", Path: abs}
	db, err := OpenPrepared(u.String() + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)" +
		"&_pragma=synchronous(NORMAL)&_pragma=cache_size(-1500)&_pragma=journal_size_limit(4194304)" + extra)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// hideFromOthers makes the file before SQLite does, for its owner alone: it holds the words of
// notes, and what SQLite keeps beside it inherits its mode. Existing files lose the bits
// of others where that can be done.
func hideFromOthers(path string, isMade bool) error {
	if isMade {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			err = f.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrPermission) { // such a one may still be read
			return err
		}
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err == nil && info.Mode().Perm()&0o077 != 0 {
			_ = os.Chmod(path+suffix, 0o600) // fails for the file of another user
		}
	}
	return nil
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
		return errors.Is(err, ErrDamaged)
	}
	switch e.Code() & 0xff {
	case 11, 26: // SQLITE_CORRUPT, SQLITE_NOTADB
		return true
	case 1: // SQLITE_ERROR: one of our tables is gone
		return strings.Contains(e.Error(), "no such table") || strings.Contains(e.Error(), "no such column")
	}
	return false
}

// Package days compares the days that a journal knows of vaults with what a vault was told last by the same engine: by that is
// found out that the journal was emptied or damaged, or is an earlier one.
//
//	known, err := days.Read(tx)
//	if known.IsBehind(path, day, mark) { ... }
package days

import (
	"database/sql"
	"time"
)

// Known is what a journal knows of vaults, each named by its configured path. The zero value is of no journal.
type Known struct {
	mark time.Time            // when the first vault was given to it: another journal has another, and so has one made of a damaged one
	last time.Time            // that was said in any vault
	said map[string]time.Time // the last in each
}

// Read reads what a journal knows. db is its database, or a transaction of it.
func Read(db interface {
	Query(query string, args ...any) (*sql.Rows, error)
}) (k Known, err error) {
	rows, err := db.Query("SELECT path, said, at FROM given ORDER BY rowid DESC")
	if err != nil {
		return k, err
	}
	defer rows.Close()
	k.said = make(map[string]time.Time)
	for rows.Next() {
		var path string
		var said, at int64
		if err := rows.Scan(&path, &said, &at); err != nil {
			return k, err
		}
		k.mark = time.UnixMilli(at)
		if day := time.UnixMilli(said); said != 0 {
			if k.said[path] = day; k.last.Before(day) {
				k.last = day
			}
		}
	}
	return k, rows.Err()
}

// IsBehind reports whether a vault was told a later day, or the mark of another journal. A path in which no day was said yet may be
// that of a clone, or of a vault that was moved. What is known of a later day than the vault needs no mark: the vault is a copy of an
// earlier day, or cannot be written.
func (k Known) IsBehind(path string, day, mark time.Time) bool {
	said, ok := k.said[path]
	switch {
	case said.After(day):
		return false
	case !mark.IsZero() && !mark.Equal(k.mark): // an earlier version has told none
		return true
	case !ok:
		said = k.last
	}
	return said.Before(day)
}

// Package schema is what a journal's file consists of: its tables and indices.
//
// [Migrate] brings a file up to date, [ReadVersion] says which version a file has, [Read] returns what is in it, and
// [Check] says whether that is what should be in it.
//
// # Promises
//
// Migrate makes one transaction. A file from the future, or older than can be brought up to date, is refused before
// anything in it changes.
package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

var (
	// ErrNewer says that a file was written by a newer version.
	ErrNewer = errors.New("the journal was written by a newer version")

	// ErrOlder says that a file was written by a version that was never released.
	ErrOlder = errors.New("the journal was written by an early version from before the first release")
)

// Damaged says that a journal's bytes make no sense any more.
type Damaged struct{ Problem string }

func (d *Damaged) Error() string { return "the journal is damaged: " + d.Problem }

// Migrate makes the tables of a new file, and reports whether it did; a file of the last version it brings up to date.
func Migrate(ctx context.Context, db *sql.DB) (isNew bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("begin migration: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	// The version is read inside the transaction: another process may have been faster.
	version, err := ReadVersion(ctx, tx)
	switch {
	case err != nil:
		return false, err
	case version == Version:
		return false, signFile(ctx, tx)
	case version > 0:
		err = upgrade(ctx, tx, version)
	default:
		_, err = tx.ExecContext(ctx, script)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", Version, Mark+Version))
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return false, fmt.Errorf("migrate to schema %d: %w", Version, err)
	}
	return version == 0, nil
}

// Mark is what the application_id of a journal begins with; its version ends it. So a
// version that damage put into the header is told from one of the future.
const Mark = 0x56440000 // "VD"

// signFile writes the file's mark where it is not there yet.
func signFile(ctx context.Context, tx *sql.Tx) error {
	var id int
	err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id)
	if err != nil || id == Mark+Version {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", Mark+Version)); err != nil {
		return fmt.Errorf("sign the journal: %w", err)
	}
	return tx.Commit()
}

// queryer is a database or a transaction of one.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// ReadVersion reads the version of the file, 0 for a new one, and refuses one from the future or from long ago.
func ReadVersion(ctx context.Context, db queryer) (int, error) {
	var version, id int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if version == 0 || last <= version && version <= Version {
		return version, nil
	}
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, fmt.Errorf("read the file's mark: %w", err)
	}
	switch {
	case version > Version && id == Mark+version: // a newer version has signed with its own
		return 0, fmt.Errorf("schema %d, this version knows %d: %w", version, Version, ErrNewer)
	case 0 < version && version < last && (id == Mark+version || id == 0):
		return 0, fmt.Errorf("schema %d, this version knows %d: %w", version, Version, ErrOlder)
	}
	return 0, &Damaged{fmt.Sprintf("schema %d cannot be", version)}
}

// Read returns what a journal consists of: the texts of its tables and indices, by kind and name.
func Read(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT type || ' ' || name, tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := make(map[string]string)
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		texts[name] = text
	}
	return texts, rows.Err()
}

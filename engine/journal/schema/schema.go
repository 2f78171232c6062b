// Package schema is what a journal's file consists of: the tables and indices of each version,
// and the way from one version to the next.
//
// [Migrate] brings a file up to date, [ReadVersion] says which version a file has, [Read] returns what is in it, and
// [Check] says whether that is what should be in it.
//
// # Promises
//
// Each step is one transaction; for a new file all steps together are one. A file from the future is refused before
// anything in it changes.
package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// ErrNewer says that a file was written by a newer version.
var ErrNewer = errors.New("the journal was written by a newer version")

// Damaged says that a journal's bytes make no sense any more.
type Damaged struct{ Problem string }

func (d *Damaged) Error() string { return "the journal is damaged: " + d.Problem }

// Migrate runs the scripts db has not been through, and reports whether it was through none: what stands in it is what
// they made. A new file, in which nothing can be lost, is made in one transaction, and so waits for the disk once.
func Migrate(ctx context.Context, db *sql.DB) (isNew bool, err error) {
	for {
		from, err := migrateOnce(ctx, db)
		if err != nil || from == len(Scripts) {
			return isNew, err
		}
		isNew = isNew || from == 0
	}
}

// migrateOnce takes one step from a version, which it returns; from that of a new file all of them. The version is read
// inside the transaction: another process may have been faster.
func migrateOnce(ctx context.Context, db *sql.DB) (from int, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("begin migration: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	from, err = ReadVersion(ctx, tx)
	if err != nil {
		return 0, err
	}
	if from == len(Scripts) {
		return from, signFile(ctx, tx)
	}
	to := from + 1
	if from == 0 {
		to = len(Scripts)
	}
	next := fmt.Sprintf("%s; PRAGMA user_version = %d", strings.Join(Scripts[from:to], ";"), to)
	if _, err := tx.ExecContext(ctx, next); err != nil {
		return from, fmt.Errorf("migrate to schema %d: %w", to, err)
	}
	if err := tx.Commit(); err != nil {
		return from, fmt.Errorf("migrate to schema %d: %w", to, err)
	}
	return from, nil
}

// Mark is what the application_id of a journal begins with; its version ends it. So a
// version that damage put into the header is told from one of the future.
const Mark = 0x56440000 // "VD"

// signFile writes the file's mark where it is not there yet.
func signFile(ctx context.Context, tx *sql.Tx) error {
	var id int
	err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id)
	if err != nil || id == Mark+len(Scripts) {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", Mark+len(Scripts))); err != nil {
		return fmt.Errorf("sign the journal: %w", err)
	}
	return tx.Commit()
}

// queryer is a database or a transaction of one.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// ReadVersion reads the version of the file and refuses one from the future.
func ReadVersion(ctx context.Context, db queryer) (int, error) {
	var version, id int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if version >= 0 && version <= len(Scripts) {
		return version, nil
	}
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, fmt.Errorf("read the file's mark: %w", err)
	}
	if version < 0 || id != Mark+version { // a newer version has signed with its own
		return 0, &Damaged{fmt.Sprintf("schema %d cannot be", version)}
	}
	return 0, fmt.Errorf("schema %d, this version knows %d: %w", version, len(Scripts), ErrNewer)
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

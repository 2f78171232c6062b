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

// Scripts holds one script per schema version, oldest first; the file's
// user_version counts those it has been through. A script that was released is
// never changed again.
//
// Claims have no table: they are the unwritten markers of unfinished dispatches,
// so that no claim can outlive its reason.
var Scripts = []string{`
CREATE TABLE dispatches (
	seq          INTEGER PRIMARY KEY,
	id           TEXT NOT NULL UNIQUE,
	vault        TEXT NOT NULL,
	file         TEXT NOT NULL,
	key          TEXT NOT NULL,
	role         TEXT NOT NULL,
	task_id      TEXT NOT NULL,
	agent        TEXT NOT NULL,
	runner       TEXT NOT NULL,
	trigger      TEXT NOT NULL,
	status       TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'done', 'failed', 'held', 'parked', 'cancelled')),
	answered     INTEGER NOT NULL,
	withheld     INTEGER NOT NULL,
	attempts     INTEGER NOT NULL,
	starts       INTEGER NOT NULL,
	next_attempt INTEGER NOT NULL,
	error        TEXT NOT NULL,
	created      INTEGER NOT NULL,
	started      INTEGER NOT NULL,
	finished     INTEGER NOT NULL,
	hash         BLOB NOT NULL,
	task         TEXT NOT NULL
) STRICT;
CREATE INDEX dispatches_claiming ON dispatches (vault, file) WHERE status IN ('queued', 'processing', 'failed', 'held') OR withheld;
CREATE INDEX dispatches_status ON dispatches (status, finished);
CREATE INDEX dispatches_thread ON dispatches (vault, task_id);

CREATE TABLE markers (
	dispatch    INTEGER NOT NULL REFERENCES dispatches (seq) ON DELETE CASCADE,
	position    INTEGER NOT NULL,
	line        INTEGER NOT NULL,
	text        BLOB NOT NULL,
	ordinal     INTEGER NOT NULL,
	before      BLOB NOT NULL,
	after       BLOB NOT NULL,
	instruction TEXT NOT NULL,
	see         INTEGER NOT NULL,
	written     INTEGER NOT NULL,
	answer      TEXT NOT NULL,
	context     TEXT NOT NULL,
	PRIMARY KEY (dispatch, position)
) STRICT;

CREATE TABLE steps (
	dispatch INTEGER NOT NULL REFERENCES dispatches (seq) ON DELETE CASCADE,
	at       INTEGER NOT NULL,
	name     TEXT NOT NULL,
	detail   TEXT NOT NULL
) STRICT;
CREATE INDEX steps_dispatch ON steps (dispatch);

CREATE TABLE swaps (
	temp     TEXT PRIMARY KEY,
	dispatch INTEGER NOT NULL REFERENCES dispatches (seq),
	path     TEXT NOT NULL,
	base     BLOB NOT NULL,
	new      BLOB NOT NULL
) STRICT;
CREATE INDEX swaps_dispatch ON swaps (dispatch);

CREATE TABLE damages (
	path     TEXT PRIMARY KEY,
	at       INTEGER NOT NULL,
	problem  TEXT NOT NULL,
	salvaged INTEGER NOT NULL,
	lost     INTEGER NOT NULL
) STRICT;
`, `
ALTER TABLE dispatches ADD COLUMN undo TEXT NOT NULL DEFAULT '' CHECK (undo IN ('', 'undoing', 'undone'));
ALTER TABLE dispatches ADD COLUMN reapplied INTEGER NOT NULL DEFAULT 0;
ALTER TABLE swaps ADD COLUMN text BLOB NOT NULL DEFAULT x'';

CREATE TABLE blocks (
	dispatch INTEGER NOT NULL REFERENCES dispatches (seq) ON DELETE CASCADE,
	position INTEGER NOT NULL,
	text     BLOB NOT NULL,
	before   BLOB NOT NULL,
	after    BLOB NOT NULL,
	PRIMARY KEY (dispatch, position)
) STRICT;
`, `
CREATE TABLE vaults (
	path TEXT PRIMARY KEY,
	met  INTEGER NOT NULL
) STRICT;
INSERT INTO vaults (path, met) SELECT vault, min(created) FROM dispatches GROUP BY vault;

CREATE TABLE arrivals (
	vault  TEXT NOT NULL,
	file   TEXT NOT NULL,
	seen   INTEGER NOT NULL,
	reason TEXT NOT NULL,
	lines  BLOB NOT NULL,
	came   BLOB NOT NULL,
	PRIMARY KEY (vault, file)
) STRICT;
`, `
ALTER TABLE dispatches ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE dispatches ADD COLUMN input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dispatches ADD COLUMN output INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dispatches ADD COLUMN cost REAL NOT NULL DEFAULT 0;

CREATE TABLE limits (
	role   TEXT PRIMARY KEY,
	since  INTEGER NOT NULL,
	until  INTEGER NOT NULL,
	reason TEXT NOT NULL
) STRICT;
`, `
ALTER TABLE dispatches ADD COLUMN hold TEXT NOT NULL DEFAULT '';
UPDATE dispatches SET hold = CASE
	WHEN error LIKE 'brought by%' THEN 'untrusted'
	WHEN error LIKE 'written before%' THEN 'old'
	ELSE 'limit' END WHERE status = 'held';
ALTER TABLE arrivals ADD COLUMN kind TEXT NOT NULL DEFAULT '';
UPDATE arrivals SET kind = CASE WHEN reason LIKE 'brought by%' THEN 'untrusted' ELSE 'old' END;
`, `
ALTER TABLE dispatches ADD COLUMN local INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dispatches ADD COLUMN sources TEXT NOT NULL DEFAULT '';
UPDATE dispatches SET local = 1 WHERE runner IN ('builtin', 'openai');
UPDATE dispatches SET sources = '?' WHERE runner = 'builtin';

DROP INDEX dispatches_thread;
CREATE INDEX dispatches_told ON dispatches (vault, task_id) WHERE status IN ('done', 'parked') AND answered;
CREATE INDEX dispatches_told_note ON dispatches (vault, task_id, file) WHERE status IN ('done', 'parked') AND answered;
CREATE INDEX dispatches_told_key ON dispatches (vault, key) WHERE status IN ('done', 'parked') AND answered;
`, `
CREATE TABLE standing (
	vault TEXT NOT NULL,
	file  TEXT NOT NULL,
	lines BLOB NOT NULL,
	PRIMARY KEY (vault, file)
) STRICT;
`, `
ALTER TABLE dispatches ADD COLUMN place TEXT NOT NULL DEFAULT '';
`, `
CREATE INDEX dispatches_written ON dispatches (vault, file) WHERE status = 'done';
`, `
CREATE INDEX dispatches_parked ON dispatches (vault, file) WHERE status = 'parked';
`, `
ALTER TABLE dispatches ADD COLUMN asked TEXT NOT NULL DEFAULT '';
`, `
CREATE TABLE comments (
	temp TEXT PRIMARY KEY,
	path TEXT NOT NULL,
	base BLOB NOT NULL,
	new  BLOB NOT NULL,
	text BLOB NOT NULL
) STRICT;
`, `
CREATE TABLE parts (
	dispatch INTEGER NOT NULL REFERENCES dispatches (seq) ON DELETE CASCADE,
	key      TEXT NOT NULL,
	text     TEXT NOT NULL,
	PRIMARY KEY (dispatch, key)
) STRICT;
`, `
ALTER TABLE dispatches ADD COLUMN sent BLOB NOT NULL DEFAULT x'';
ALTER TABLE markers ADD COLUMN packed BLOB NOT NULL DEFAULT x'';
`, `
CREATE TABLE given (
	path TEXT PRIMARY KEY,
	at   INTEGER NOT NULL
) STRICT;
`, `
CREATE INDEX arrivals_lines ON arrivals (vault, substr(lines, 1, 64));
`}

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

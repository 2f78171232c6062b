package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// migrations holds one script per schema version, oldest first; the file's
// user_version counts those it has been through. A script that was released is
// never changed again.
//
// Claims have no table: they are the unwritten markers of unfinished dispatches,
// so that no claim can outlive its reason.
var migrations = []string{`
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
`}

// live are the states whose unwritten markers are claims. A query must spell
// them exactly so for SQLite to use the index dispatches_claiming, which claiming
// insists on: which of several it takes by itself depends on the file's age.
const (
	live     = "(status IN ('queued', 'processing', 'failed', 'held') OR withheld)"
	claiming = "dispatches AS d INDEXED BY dispatches_claiming"
)

// migrate runs the scripts db has not been through. The version is read inside
// each transaction: another process may have been faster.
func migrate(ctx context.Context, db *sql.DB) error {
	for {
		done, err := migrateOnce(ctx, db)
		if done || err != nil {
			return err
		}
	}
}

func migrateOnce(ctx context.Context, db *sql.DB) (done bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("begin migration: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	version, err := schemaVersion(ctx, tx)
	if err != nil || version == len(migrations) {
		return true, err
	}
	next := fmt.Sprintf("%s; PRAGMA user_version = %d", migrations[version], version+1)
	if _, err := tx.ExecContext(ctx, next); err != nil {
		return false, fmt.Errorf("migrate to schema %d: %w", version+1, err)
	}
	if err := tx.Commit(); err != nil {
		return false, fmt.Errorf("migrate to schema %d: %w", version+1, err)
	}
	return false, nil
}

// schemaVersion reads the version of the file and refuses one from the future.
func schemaVersion(ctx context.Context, db queryer) (int, error) {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if version < 0 || version > len(migrations) {
		return 0, fmt.Errorf("schema %d, this version knows %d: %w", version, len(migrations), ErrNewer)
	}
	return version, nil
}

package schema

// Version is that of the tables in [script]; the file's user_version.
const Version = 23

// script makes the tables of a new file. Its columns are in the order in which they were added.
//
// Claims have no table: they are the unwritten markers of unfinished dispatches,
// so that no claim can outlive its reason.
const script = `
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
	task         TEXT NOT NULL,
	undo         TEXT NOT NULL DEFAULT '' CHECK (undo IN ('', 'undoing', 'undone')),
	reapplied    INTEGER NOT NULL DEFAULT 0,
	model        TEXT NOT NULL DEFAULT '',
	input        INTEGER NOT NULL DEFAULT 0,
	output       INTEGER NOT NULL DEFAULT 0,
	cost         REAL NOT NULL DEFAULT 0,
	hold         TEXT NOT NULL DEFAULT '',
	local        INTEGER NOT NULL DEFAULT 0,
	sources      TEXT NOT NULL DEFAULT '',
	place        TEXT NOT NULL DEFAULT '',
	asked        TEXT NOT NULL DEFAULT '',
	sent         BLOB NOT NULL DEFAULT x'',
	none         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX dispatches_claiming ON dispatches (vault, file) WHERE status IN ('queued', 'processing', 'failed', 'held') OR withheld;
CREATE INDEX dispatches_status ON dispatches (status, finished);
CREATE INDEX dispatches_told ON dispatches (vault, task_id) WHERE status IN ('done', 'parked') AND answered;
CREATE INDEX dispatches_told_note ON dispatches (vault, task_id, file) WHERE status IN ('done', 'parked') AND answered;
CREATE INDEX dispatches_told_key ON dispatches (vault, key) WHERE status IN ('done', 'parked') AND answered;
CREATE INDEX dispatches_written ON dispatches (vault, file) WHERE status = 'done';
CREATE INDEX dispatches_parked ON dispatches (vault, file) WHERE status = 'parked';

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
	packed      BLOB NOT NULL DEFAULT x'',
	PRIMARY KEY (dispatch, position)
) STRICT;

CREATE TABLE steps (
	dispatch INTEGER NOT NULL REFERENCES dispatches (seq) ON DELETE CASCADE,
	at       INTEGER NOT NULL,
	name     TEXT NOT NULL,
	detail   TEXT NOT NULL
) STRICT;
CREATE INDEX steps_dispatch ON steps (dispatch);

CREATE TABLE damages (
	path     TEXT PRIMARY KEY,
	at       INTEGER NOT NULL,
	problem  TEXT NOT NULL,
	salvaged INTEGER NOT NULL,
	lost     INTEGER NOT NULL
) STRICT;

CREATE TABLE blocks (
	dispatch INTEGER NOT NULL REFERENCES dispatches (seq) ON DELETE CASCADE,
	position INTEGER NOT NULL,
	text     BLOB NOT NULL,
	before   BLOB NOT NULL,
	after    BLOB NOT NULL,
	removed  INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (dispatch, position)
) STRICT;

CREATE TABLE vaults (
	path TEXT PRIMARY KEY,
	met  INTEGER NOT NULL
) STRICT;

CREATE TABLE limits (
	role   TEXT PRIMARY KEY,
	since  INTEGER NOT NULL,
	until  INTEGER NOT NULL,
	reason TEXT NOT NULL
) STRICT;

CREATE TABLE parts (
	dispatch INTEGER NOT NULL REFERENCES dispatches (seq) ON DELETE CASCADE,
	key      TEXT NOT NULL,
	text     TEXT NOT NULL,
	PRIMARY KEY (dispatch, key)
) STRICT;

CREATE TABLE given (
	path TEXT PRIMARY KEY,
	at   INTEGER NOT NULL,
	said INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE copies (
	vault    TEXT NOT NULL,
	file     TEXT NOT NULL,
	seen     INTEGER NOT NULL,
	original TEXT NOT NULL,
	hash     BLOB NOT NULL,
	markers  BLOB NOT NULL,
	gone     INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (vault, file)
) STRICT;
` + pasts + schedules + swaps

// pasts makes the table of what is remembered of notes.
const pasts = `
CREATE TABLE pasts (
	vault TEXT NOT NULL,
	file  TEXT NOT NULL,
	seen  INTEGER NOT NULL,
	kind  TEXT NOT NULL,
	lines BLOB NOT NULL,
	alike BLOB NOT NULL,
	gone  INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (vault, file)
) STRICT;
CREATE INDEX pasts_alike ON pasts (vault, alike);
`

// schedules makes the table of the questions that come again.
const schedules = `
CREATE TABLE schedules (
	id       TEXT PRIMARY KEY,
	last     INTEGER NOT NULL,
	paused   INTEGER NOT NULL,
	dispatch TEXT NOT NULL
) STRICT;
`

// swaps makes the table of the open swaps, each of a dispatch or of none.
const swaps = `
CREATE TABLE swaps (
	temp     TEXT PRIMARY KEY,
	dispatch INTEGER REFERENCES dispatches (seq),
	path     TEXT NOT NULL,
	base     BLOB NOT NULL,
	new      BLOB NOT NULL,
	text     BLOB NOT NULL DEFAULT x''
) STRICT;
CREATE INDEX swaps_dispatch ON swaps (dispatch);
`

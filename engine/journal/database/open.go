// Package database opens the file of the journal, and mends what can be mended.
//
//	j, err := journal.On(database.Open(ctx, path))
//
// # Promises
//
// A file of a newer version, or of one from before the first release, is refused and left as it is. A damaged one is
// never deleted and never replaced in silence: its bytes are moved aside, what can be read of them is taken over, and
// its Damage tells of it for as long as they are there.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/journal/salvage"
	"vaultdispatcher/engine/journal/schema"
	"vaultdispatcher/engine/recall/cachefile" // keeps statements prepared, and gives SQLite its memory
)

const smallFile = 8 << 20 // checked whole at every start, some 100 ms, unless these bytes were

// Open opens the journal at path. A missing file is created (0600, a missing
// folder 0700), one of another schema refused with [schema.ErrNewer] or [schema.ErrOlder]. A damaged file is moved aside to "<path>.corrupt-<time>", what can
// be read of it is taken over, and its Damage says so.
func Open(ctx context.Context, path string) (*dbfile.DB, error) {
	cachefile.ShareMemory()
	d, err := openFile(ctx, path)
	switch err = dbfile.Name(err, path); {
	case errors.Is(err, dbfile.ErrBusy):
		return nil, err // it names the file
	case err != nil:
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	return d, nil
}

func openFile(ctx context.Context, path string) (*dbfile.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	whole, sum := mustCheck(path), sumFile(path)
	found := new(schema.Damaged)
	current := isSound(path, sum)
	if !current {
		if current, err = inspectFile(ctx, path, whole); err == nil && current && whole {
			rememberSound(path, sum)
		}
	}
	if !errors.As(err, &found) {
		if err != nil {
			return nil, err
		}
		d, err := openSound(ctx, path, nil, whole && !current)
		if !errors.As(err, &found) {
			return d, err
		}
	}
	// The file is not at fault for damage that only the first try found.
	if err := dbfile.MoveAside(path, time.Now()); err != nil {
		return nil, fmt.Errorf("move the damaged journal aside: %w", err)
	}
	return openSound(ctx, path, found, false)
}

// openSound opens a file that no damage was found in, or a new one; found is what the last
// one was moved aside for.
func openSound(ctx context.Context, path string, found *schema.Damaged, whole bool) (*dbfile.DB, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // after a timeout the caller may have removed the folder: do not make it again
	}
	if err := dbfile.Create(path); err != nil {
		return nil, err
	}
	writer, err := connectWriter(path)
	if err != nil {
		return nil, err
	}
	reader, err := dbfile.ConnectBy(cachefile.OpenPrepared, path, "rw", 2, "cache_size(-512)", "query_only(1)", "temp_store(MEMORY)")
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	d := dbfile.NewDB(path, writer, reader)
	if err := prepareFile(ctx, d, path, found, whole); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if err := os.Remove(path + dbfile.SuspectMark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// prepareFile brings the file up to date, looks at its rows, and takes over what a damaged
// one left.
func prepareFile(ctx context.Context, d *dbfile.DB, path string, found *schema.Damaged, whole bool) error {
	err := dbfile.UseWAL(ctx, d.Writer)
	if err == nil {
		err = dbfile.TryWrite(ctx, d.Writer)
	}
	isNew := false
	if err == nil {
		isNew, err = schema.Migrate(ctx, d.Writer)
	}
	if err == nil && !isNew {
		err = schema.Check(ctx, d.Writer)
	}
	if err == nil && whole {
		err = checkRows(ctx, d.Writer)
	}
	if dbfile.IsOfContents(err) {
		return &schema.Damaged{Problem: err.Error()}
	}
	if err != nil {
		return err
	}
	return takeOver(ctx, d, path, found)
}

// checkRows looks for rows that this program would stumble over.
func checkRows(ctx context.Context, db *sql.DB) error {
	problem, err := salvage.Check(ctx, db)
	if err == nil && problem != "" {
		return &schema.Damaged{Problem: problem}
	}
	if err != nil {
		return err
	}
	return checkIndices(ctx, db)
}

// checkIndices uses every table and every index, and follows each entry of a partial one to its row. SQLite's
// own check takes an empty page of a table for one of an index, and does not look for entries of a partial index
// whose row is gone (https://www.sqlite.org/pragma.html#pragma_integrity_check); to use them fails.
func checkIndices(ctx context.Context, db *sql.DB) error {
	const one = "'SELECT count(1) FROM (SELECT 1 FROM ' || tbl_name || '"
	rows, err := db.QueryContext(ctx, `SELECT CASE WHEN type = 'table' THEN `+one+` NOT INDEXED LIMIT 1)'
		WHEN instr(sql, ' WHERE ') > 0 THEN 'SELECT sum(octet_length(agent)) FROM '  || tbl_name || ' INDEXED BY ' || name || substr(sql, instr(sql, ' WHERE '))
		ELSE `+one+` INDEXED BY ' || name || ' LIMIT 1)' END FROM sqlite_schema WHERE type IN ('table', 'index')`) // agent is a column of no index
	uses, err := dbfile.Collect(rows, err, func(use *string) []any { return []any{use} })
	for _, use := range uses {
		var read sql.NullInt64
		if err == nil {
			err = db.QueryRowContext(ctx, use).Scan(&read)
		}
	}
	return err
}

// Inspect looks at the whole journal at path, changes nothing, and says what is damaged in
// it; nothing where [Open] would use it as it is. An engine may have it open.
func Inspect(ctx context.Context, path string) (problem string, err error) {
	found := new(schema.Damaged)
	if _, err = inspectFile(ctx, path, true); errors.As(err, &found) {
		return found.Problem, nil
	}
	return "", dbfile.Name(err, path)
}

// inspectFile looks at the file before anything may change it: a newer schema and
// damage must be found while every byte is still as it was. So it reads through
// a read-only connection, except where an interrupted first start left a
// rollback journal that only a writer can apply.
//
// It says whether the file is of this version: only then its rows have been looked at.
func inspectFile(ctx context.Context, path string, whole bool) (current bool, err error) {
	if err := dbfile.CheckKind(path); err != nil {
		return false, err
	}
	if dbfile.Size(path) == 0 {
		if dbfile.Size(path+"-wal") > 0 {
			return false, &schema.Damaged{Problem: "the file is gone, its write-ahead log is not"}
		}
		return false, nil
	}
	mode := "ro"
	if dbfile.Size(path+"-journal") > 0 {
		mode = "rw"
	}
	db, err := dbfile.Connect(path, mode, 1, "cache_size(-1024)")
	if err != nil {
		return false, err
	}
	current, err = checkStructure(ctx, db, path, whole)
	if dbfile.IsOfContents(err) {
		err = &schema.Damaged{Problem: err.Error()}
	}
	return current, errors.Join(err, db.Close())
}

// mustCheck says whether the file's whole structure is to be checked. That reads
// every page, so a large file is only checked when there is reason for doubt: its
// log was left by an end that was not clean, or damage was met while it was used.
func mustCheck(path string) bool { return dbfile.Size(path) <= smallFile || isDoubtful(path) }

// isDoubtful reports whether an end was not clean, or damage was met in use.
func isDoubtful(path string) bool {
	_, err := os.Lstat(path + dbfile.SuspectMark)
	return err == nil || dbfile.Size(path+"-wal") > 0 || dbfile.Size(path+"-journal") > 0
}

// checkStructure reads the schema version and, if asked, checks the whole file.
func checkStructure(ctx context.Context, db *sql.DB, path string, whole bool) (current bool, err error) {
	version, err := schema.ReadVersion(ctx, db)
	if err != nil {
		return false, err
	}
	current = version == schema.Version
	if whole {
		verdict, err := dbfile.Check(ctx, db, path)
		if err == nil && verdict != "" {
			err = &schema.Damaged{Problem: verdict}
		}
		if err != nil {
			return current, err
		}
	}
	if !current {
		return false, nil
	}
	err = schema.Check(ctx, db)
	if err == nil && whole {
		err = checkRows(ctx, db)
	}
	return true, err
}

// connectWriter returns the one connection that may write.
func connectWriter(path string) (*sql.DB, error) {
	return dbfile.ConnectBy(cachefile.OpenPrepared, path, "rw", 1, "cache_size(-1024)", "synchronous(FULL)", "foreign_keys(1)",
		"temp_store(MEMORY)", "wal_autocheckpoint(256)", "journal_size_limit(1048576)")
}

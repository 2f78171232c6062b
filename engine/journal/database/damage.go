package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/journal/salvage"
	"vaultdispatcher/engine/journal/schema"
)

// takeOver brings what can be read of the newest damaged journal into this one,
// records the damage in the same transaction, and lists what is to be told.
// A journal moved aside by a start that did not come this far is found by having
// no record yet.
func takeOver(ctx context.Context, db *dbfile.DB, path string, found *schema.Damaged) error {
	asides, err := dbfile.ListAsides(path)
	if err != nil || len(asides) == 0 {
		return err
	}
	known, err := readDamages(ctx, db)
	if err != nil {
		return err
	}
	newest := asides[len(asides)-1]
	if !slices.ContainsFunc(known, func(d dbfile.Damage) bool { return d.Path == newest }) {
		damage := dbfile.Damage{Time: time.Now(), Path: newest, Problem: "it was found damaged at an earlier start"}
		if found != nil {
			damage.Problem = found.Problem
		}
		if err := salvageFile(ctx, db, path+".salvage", damage); err != nil {
			return fmt.Errorf("take over what %s holds: %w", newest, err)
		}
		if known, err = readDamages(ctx, db); err != nil {
			return err
		}
	}
	db.Damage = slices.DeleteFunc(known, func(d dbfile.Damage) bool { return !slices.Contains(asides, d.Path) })
	return nil
}

// salvageFile copies the damaged journal to temp, so that its own bytes stay as they
// are, takes what can be read of the copy over into this one, and records the damage, all
// in one transaction. The copy keeps its own connection: what its bytes do to SQLite
// must not reach the new journal. Where nothing can be taken over the journal begins
// empty, and its damage says so.
func salvageFile(ctx context.Context, db *dbfile.DB, temp string, found dbfile.Damage) error {
	defer dbfile.Remove(temp)
	old, unreadable := openCopy(ctx, temp, found.Path)
	if unreadable != nil {
		if err := dbfile.Name(unreadable, temp); errors.Is(err, dbfile.ErrFull) {
			return err
		}
		found.Problem += "; nothing of it can be read: " + unreadable.Error()
	} else {
		defer old.Close()
	}
	return db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if unreadable == nil {
			count, err := salvage.Take(ctx, tx, old, dbfile.IsOfContents)
			if err != nil {
				return err
			}
			found.Salvaged, found.Missing = count.Saved, count.Missing
			if _, err := tx.ExecContext(ctx, doubtMade); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO damages (path, at, problem, salvaged, lost) VALUES (?, ?, ?, ?, ?)",
			found.Path, columns.ToMillis(found.Time), found.Problem, found.Salvaged, found.Missing)
		return err
	})
}

// doubtMade marks as private each task whose readers or source notes a damaged journal may no longer name.
const doubtMade = `UPDATE dispatches SET local = 1 WHERE runner IN ('builtin', 'openai');
	UPDATE dispatches SET sources = '?' WHERE sources = '' AND answered`

// openCopy opens a copy of a damaged journal, in this version's schema where its bytes
// allow that.
func openCopy(ctx context.Context, temp, from string) (*sql.DB, error) {
	if err := dbfile.Copy(temp, from); err != nil {
		return nil, err
	}
	if err := mendFormat(temp); err != nil {
		return nil, err
	}
	old, err := connectCopy(temp)
	if err != nil {
		return nil, err
	}
	schema.Migrate(ctx, old) // an older one is read as well
	if err := old.Close(); err != nil {
		return nil, err
	}
	if err := mendDefinitions(ctx, temp); err != nil {
		return nil, err
	}
	return connectCopy(temp)
}

// mendFormat writes into the header of a copy that versions with a write-ahead log may write and
// read it, as they may read every journal; see https://www.sqlite.org/fileformat.html, 1.3.3.
func mendFormat(temp string) error {
	if dbfile.Size(temp) == 0 {
		return nil
	}
	f, err := os.OpenFile(temp, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte{2, 2}, 18)
	return errors.Join(err, f.Close())
}

// connectCopy opens a copy so that one damaged definition costs only its own table; see
// https://www.sqlite.org/pragma.html#pragma_writable_schema. Not even a crash matters
// here: the next start makes another copy.
func connectCopy(temp string) (*sql.DB, error) {
	old, err := dbfile.Connect(temp, "rw", 1, "writable_schema(1)") // alone: the driver puts others first, which read the definitions
	if err == nil {
		old.Exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -8192") // only for speed
	}
	return old, err
}

// mendDefinitions gives the tables of a copy the definitions they ought to have, as far as
// that can be: a row that is shorter than its table has defaults at its end.
func mendDefinitions(ctx context.Context, temp string) error {
	want, err := schema.Wanted()
	if err != nil {
		return err
	}
	old, err := connectCopy(temp)
	if err != nil {
		return err
	}
	for name, text := range want {
		if table, ok := strings.CutPrefix(name, "table "); ok {
			old.ExecContext(ctx, "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ? AND sql <> ?", // as far as it can be
				strings.TrimPrefix(text, table+" "), table, strings.TrimPrefix(text, table+" "))
		}
	}
	return old.Close()
}

// readDamages returns all recorded damage, oldest first.
func readDamages(ctx context.Context, db *dbfile.DB) ([]dbfile.Damage, error) {
	rows, err := db.Writer.QueryContext(ctx, "SELECT at, path, problem, salvaged, lost FROM damages ORDER BY path")
	return dbfile.Collect(rows, err, func(d *dbfile.Damage) []any {
		return []any{(*columns.Millis)(&d.Time), &d.Path, &d.Problem, &d.Salvaged, &d.Missing}
	})
}

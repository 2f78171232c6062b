package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/days"
	"vaultdispatcher/engine/journal/dbfile"
)

// Pasts are the tables pasts, copies, vaults and given of a journal. They are safe for concurrent use.
type Pasts struct {
	days.Known // when the journal was opened

	db *dbfile.DB
}

// NotePast is what is remembered of a note. What the lines mean is the caller's affair.
type NotePast struct {
	File    string
	Arrival time.Time // when what came with the note was seen first; zero = nothing came
	Kind    HoldKind  // why that is held; "" = nothing came
	Lines   []byte
	Alike   []byte // finds it under another name; nil = cannot be found so
	IsGone  bool   // it was not there when that was last looked for
}

// columns returns where the columns of a past are read to, in the order of pastColumns.
func (n *NotePast) columns() []any {
	return []any{&n.File, (*columns.Millis)(&n.Arrival), &n.Kind, &n.Lines, &n.Alike, &n.IsGone}
}

const pastColumns = "file, seen, kind, lines, alike, gone <> 0"

// NotePast returns what is remembered of a note, and whether anything is.
func (p *Pasts) NotePast(ctx context.Context, vault, file string) (past NotePast, known bool, err error) {
	err = p.db.ReadRow(ctx, past.columns(), "SELECT "+pastColumns+" FROM pasts WHERE vault = ? AND file = ?", vault, file)
	if errors.Is(err, sql.ErrNoRows) {
		return NotePast{}, false, nil
	}
	return past, err == nil, dbfile.During("read the past of "+file, err)
}

// PastsAlike returns the pasts of the notes of a vault that are found by alike.
func (p *Pasts) PastsAlike(ctx context.Context, vault string, alike []byte) ([]NotePast, error) {
	return dbfile.List(ctx, p.db, "look for notes with the same lines", (*NotePast).columns,
		"SELECT "+pastColumns+" FROM pasts WHERE vault = ? AND alike = ? ORDER BY file", vault, columns.Blob(alike))
}

// KeepPasts remembers notes, each in the place of what was remembered of it; none of them is gone.
func (p *Pasts) KeepPasts(ctx context.Context, vault string, pasts []NotePast) error {
	return dbfile.During("remember the lines of notes", p.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return insertPasts(ctx, tx, vault, pasts)
	}))
}

func insertPasts(ctx context.Context, tx *sql.Tx, vault string, pasts []NotePast) error {
	for _, n := range pasts {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO pasts (vault, file, seen, kind, lines, alike) VALUES (?, ?, ?, ?, ?, ?)",
			vault, n.File, columns.ToMillis(n.Arrival), n.Kind, columns.Blob(n.Lines), columns.Blob(n.Alike)); err != nil {
			return err
		}
	}
	return nil
}

// PastSums returns the notes of a vault, or only some of them, that have a past and were there when that was last looked for,
// each with a sum of its lines, which is never 0.
func (p *Pasts) PastSums(ctx context.Context, vault string, only ...string) (map[string]uint64, error) {
	sums, query, args := make(map[string]uint64), "SELECT file, lines FROM pasts WHERE vault = ? AND gone = 0", []any{vault}
	if len(only) > 0 {
		names, _ := json.Marshal(only) // a name that is no UTF-8 is not found
		query, args = query+" AND file IN (SELECT value FROM json_each(?))", append(args, string(names))
	}
	err := p.db.Read(ctx, func(tx *sql.Tx) error {
		var file, lines sql.RawBytes
		rows, err := tx.QueryContext(ctx, query, args...)
		return dbfile.EachRow(rows, err, func() error {
			err := rows.Scan(&file, &lines)
			sum := sha256.Sum256(lines)
			sums[string(file)] = binary.LittleEndian.Uint64(sum[:]) | 1
			return err
		})
	})
	return sums, dbfile.During("read the lines of notes", err)
}

// ForgetPasts forgets notes that have been gone for as long as keep, as [Pasts.ForgetCopies] does copies.
func (p *Pasts) ForgetPasts(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error {
	return p.forgetGone(ctx, "pasts", vault, now, keep, isGone)
}

// IsMet reports whether a vault was ever met.
func (p *Pasts) IsMet(ctx context.Context, vault string) (is bool, err error) {
	err = p.db.ReadRow(ctx, []any{&is}, "SELECT count(*) > 0 FROM vaults WHERE path = ?", vault)
	return is, dbfile.During("ask whether a vault is known", err)
}

// RecordMet records that a vault was met, together with what waits in its notes.
func (p *Pasts) RecordMet(ctx context.Context, vault string, now time.Time, pasts []NotePast) error {
	return dbfile.During("record that a vault was met", p.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO vaults (path, met) VALUES (?, ?)", vault, columns.ToMillis(now)); err != nil {
			return err
		}
		return insertPasts(ctx, tx, vault, pasts)
	}))
}

// RecordGiven records that a vault, named by its configured path, is given to an engine, and returns when it was given to
// one first, in whole milliseconds. What is saved in it since is not old, whatever becomes of that engine.
func (p *Pasts) RecordGiven(ctx context.Context, path string, now time.Time) (first time.Time, err error) {
	err = p.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// Rounded up: a line saved just before counts as there already.
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO given (path, at) VALUES (?, ?)", path, columns.ToMillis(now.Add(time.Millisecond-1))); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT at FROM given WHERE path = ?", path).Scan((*columns.Millis)(&first))
	})
	return first, dbfile.During("record that a vault is given", err)
}

// RecordDay records the day that is about to be said in a vault, named by its configured path, and returns the mark of the
// journal, which is said with it: see [days.Known.IsBehind].
func (p *Pasts) RecordDay(ctx context.Context, path string, day time.Time) (mark time.Time, err error) {
	err = p.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO given (path, at, said) VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET said = max(said, excluded.said)",
			path, columns.ToMillis(time.Now()), columns.ToMillis(day)); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT at FROM given ORDER BY rowid LIMIT 1").Scan((*columns.Millis)(&mark))
	})
	return mark, dbfile.During("record the day of a vault", err)
}

// ReadDays reads what the journal at path knows of vaults, and changes nothing; nothing where there is no journal.
func ReadDays(path string) (known days.Known, err error) {
	if dbfile.Size(path) == 0 {
		return known, nil
	}
	db, err := dbfile.Connect(path, "ro", 1, "cache_size(-1024)")
	if err != nil {
		return known, dbfile.Name(err, path)
	}
	known, err = days.Read(db)
	return known, dbfile.Name(errors.Join(err, db.Close()), path)
}

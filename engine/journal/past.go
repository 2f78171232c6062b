package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"time"

	"vaultdispatcher/engine/journal/columns"
)

// NotePast is what is remembered of a note. What the lines mean is the caller's affair.
type NotePast struct {
	File   string
	Seen   time.Time // when what came with the note was seen first; zero = nothing came
	Kind   HoldKind  // what that is held for; "" = nothing came
	Lines  []byte
	Alike  []byte // what it is found by under another name; nil = nothing
	IsGone bool   // it was not there when that was last looked for
}

// columns returns where the columns of a past are read to, in the order of pastColumns.
func (p *NotePast) columns() []any {
	return []any{&p.File, (*columns.Millis)(&p.Seen), &p.Kind, &p.Lines, &p.Alike, &p.IsGone}
}

const pastColumns = "file, seen, kind, lines, alike, gone <> 0"

// NotePast returns what is remembered of a note, and whether anything is.
func (j *Journal) NotePast(ctx context.Context, vault, file string) (past NotePast, known bool, err error) {
	err = j.readRow(ctx, past.columns(), "SELECT "+pastColumns+" FROM pasts WHERE vault = ? AND file = ?", vault, file)
	if errors.Is(err, sql.ErrNoRows) {
		return NotePast{}, false, nil
	}
	return past, err == nil, during("read the past of "+file, err)
}

// PastsAlike returns the pasts of the notes of a vault that are found by alike.
func (j *Journal) PastsAlike(ctx context.Context, vault string, alike []byte) ([]NotePast, error) {
	return list(ctx, j, "look for notes with the same lines", (*NotePast).columns,
		"SELECT "+pastColumns+" FROM pasts WHERE vault = ? AND alike = ? ORDER BY file", vault, columns.Blob(alike))
}

// KeepPasts remembers notes, each in the place of what was remembered of it; none of them is gone.
func (j *Journal) KeepPasts(ctx context.Context, vault string, pasts []NotePast) error {
	return during("remember the lines of notes", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return insertPasts(ctx, tx, vault, pasts)
	}))
}

func insertPasts(ctx context.Context, tx *sql.Tx, vault string, pasts []NotePast) error {
	for _, p := range pasts {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO pasts (vault, file, seen, kind, lines, alike) VALUES (?, ?, ?, ?, ?, ?)",
			vault, p.File, columns.ToMillis(p.Seen), p.Kind, columns.Blob(p.Lines), columns.Blob(p.Alike)); err != nil {
			return err
		}
	}
	return nil
}

// PastSums returns the notes of a vault that have a past and were there when that was last looked for, each with a sum of
// its lines, which is never 0.
func (j *Journal) PastSums(ctx context.Context, vault string) (map[string]uint64, error) {
	sums := make(map[string]uint64)
	err := j.read(ctx, func(tx *sql.Tx) error {
		var file string
		var lines sql.RawBytes
		rows, err := tx.QueryContext(ctx, "SELECT file, lines FROM pasts WHERE vault = ? AND gone = 0", vault)
		return eachRow(rows, err, func() error {
			if err := rows.Scan(&file, &lines); err != nil {
				return err
			}
			sum := sha256.Sum256(lines)
			sums[file] = binary.LittleEndian.Uint64(sum[:]) | 1
			return nil
		})
	})
	return sums, during("read the lines of notes", err)
}

// ForgetPasts forgets notes that have been gone for as long as keep, as [Journal.ForgetCopies] does copies.
func (j *Journal) ForgetPasts(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error {
	return j.forgetGone(ctx, "pasts", vault, now, keep, isGone)
}

// IsMet reports whether a vault was ever met.
func (j *Journal) IsMet(ctx context.Context, vault string) (bool, error) {
	n := 0
	err := j.readRow(ctx, []any{&n}, "SELECT count(*) FROM vaults WHERE path = ?", vault)
	return n > 0, during("ask whether a vault is known", err)
}

// RecordMet records that a vault was met, together with what waits in its notes.
func (j *Journal) RecordMet(ctx context.Context, vault string, now time.Time, pasts []NotePast) error {
	return during("record that a vault was met", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO vaults (path, met) VALUES (?, ?)", vault, columns.ToMillis(now)); err != nil {
			return err
		}
		return insertPasts(ctx, tx, vault, pasts)
	}))
}

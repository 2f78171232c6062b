package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// Copy is what is remembered of a note that is a copy of another one.
type Copy struct {
	File     string
	Time     time.Time
	Original string   // the note that it is a copy of
	Hash     [32]byte // SHA-256 of the note while it equals its original; zero where it only has markers of that
	Markers  []byte   // SHA-256 of the lines of each marker that was asked in the original, one behind the other
}

// SetCopy stores what is remembered of a copy, in the place of what was.
func (p *Pasts) SetCopy(ctx context.Context, vault string, c Copy) error {
	return dbfile.During("remember the copy "+c.File, p.db.Exec(ctx,
		"INSERT OR REPLACE INTO copies (vault, file, seen, original, hash, markers) VALUES (?, ?, ?, ?, ?, ?)",
		vault, c.File, columns.ToMillis(c.Time), c.Original, columns.HashBytes(c.Hash), columns.Blob(c.Markers)))
}

// Copy returns what is remembered of a note that is a copy; of any other note nothing, and no error.
func (p *Pasts) Copy(ctx context.Context, vault, file string) (Copy, error) {
	c := Copy{File: file}
	err := p.db.ReadRow(ctx, []any{(*columns.Millis)(&c.Time), &c.Original, (*columns.Digest)(&c.Hash), &c.Markers},
		"SELECT seen, original, hash, markers FROM copies WHERE vault = ? AND file = ?", vault, file)
	if errors.Is(err, sql.ErrNoRows) {
		return Copy{}, nil
	}
	return c, dbfile.During("read the copy "+file, err)
}

// ForgetCopies forgets the copies that have been gone for as long as keep, counted from when isGone first said so
// here. For a copy that came back, the count starts anew. isGone is not called for a copy seen within that time.
func (p *Pasts) ForgetCopies(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error {
	return p.forgetGone(ctx, "copies", vault, now, keep, isGone)
}

// remembered is a note that a table has a row of, and since when it was found to be gone: 0 says that it was not.
type remembered struct {
	file      string
	departure int64
}

// forgetGone forgets the rows of a table that has one for a note, where the note has been gone for as long as keep.
func (p *Pasts) forgetGone(ctx context.Context, table, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error {
	notes, err := dbfile.List(ctx, p.db, "list the "+table, func(n *remembered) []any { return []any{&n.file, &n.departure} },
		"SELECT file, gone FROM "+table+" WHERE vault = ? AND seen < ?", vault, columns.ToMillis(now.Add(-keep)))
	if err != nil {
		return err
	}
	const forgotten = -1
	var changed []remembered
	for _, n := range notes {
		switch is := isGone(n.file); {
		case !is && n.departure != 0:
			n.departure = 0
		case is && n.departure == 0:
			n.departure = columns.ToMillis(now)
		case is && n.departure < columns.ToMillis(now.Add(-keep)):
			n.departure = forgotten
		default:
			continue
		}
		changed = append(changed, n)
	}
	if len(changed) == 0 {
		return nil
	}
	return dbfile.During("forget notes that are gone", p.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, n := range changed {
			if _, err := tx.ExecContext(ctx, "UPDATE "+table+" SET gone = ? WHERE vault = ? AND file = ?", n.departure, vault, n.file); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE vault = ? AND gone = ?", vault, forgotten)
		return err
	}))
}

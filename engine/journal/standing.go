package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
)

// StandingLines returns what is remembered of the lines of a note, and whether anything is.
// What it means is the caller's affair.
func (j *Journal) StandingLines(ctx context.Context, vault, file string) (lines []byte, known bool, err error) {
	err = j.readRow(ctx, []any{&lines}, "SELECT lines FROM standing WHERE vault = ? AND file = ?", vault, file)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return lines, err == nil, during("read the lines of "+file, err)
}

// KeepStanding remembers the lines of notes, by file, in the place of what was; nil forgets
// a note.
func (j *Journal) KeepStanding(ctx context.Context, vault string, notes map[string][]byte) error {
	if len(notes) == 0 {
		return nil
	}
	return during("remember the lines of notes", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for file, lines := range notes {
			query, args := "INSERT OR REPLACE INTO standing (vault, file, lines) VALUES (?, ?, ?)", []any{vault, file, lines}
			if lines == nil {
				query, args = "DELETE FROM standing WHERE vault = ? AND file = ?", args[:2]
			}
			if _, err := tx.ExecContext(ctx, query, args...); err != nil {
				return err
			}
		}
		return nil
	}))
}

// StandingSums returns the notes of a vault of which lines are remembered, each with a sum of these
// lines, which is never 0.
func (j *Journal) StandingSums(ctx context.Context, vault string) (map[string]uint64, error) {
	sums := make(map[string]uint64)
	err := j.read(ctx, func(tx *sql.Tx) error {
		var file string
		var lines sql.RawBytes
		rows, err := tx.QueryContext(ctx, "SELECT file, lines FROM standing WHERE vault = ?", vault)
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

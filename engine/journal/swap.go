package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// maxText is the largest note whose old text is kept with a swap.
const maxText = 1 << 20

// Swapping records the intention to exchange a note's contents, before it is
// done. A dispatch may have several open ones, one per try: until it is closed,
// recovery has to look at each temp file, for it can hold a person's words. The
// blocks are kept as those of the markers until the next Swapping that has some.
func (j *Journal) Swapping(ctx context.Context, s Swap) error {
	_, err := j.takeStep(ctx, swapping, s.Dispatch, s.Path, func(ctx context.Context, tx *sql.Tx, d *record) error {
		err := addSwap(ctx, tx, d.seq, s)
		for i, b := range s.Blocks {
			if err == nil && len(b.Text) > 0 {
				_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO blocks (dispatch, position, text, before, after) VALUES (?, ?, ?, ?, ?)",
					d.seq, i, b.Text, blob(b.Before), blob(b.After))
			}
		}
		return err
	})
	return err
}

// Merging records the intention of a swap that brings a person's words back into
// the note of a dispatch, in whatever state that is.
func (j *Journal) Merging(ctx context.Context, s Swap) error { return j.recordSwap(ctx, "merging", s) }

// Showing records the intention of a swap that changes what is said about the
// progress of a dispatch in its note, in whatever state that is.
func (j *Journal) Showing(ctx context.Context, s Swap) error { return j.recordSwap(ctx, "showing", s) }

// recordSwap records a swap that is no step of its dispatch's way.
func (j *Journal) recordSwap(ctx context.Context, name string, s Swap) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		d, err := byID(ctx, tx, s.Dispatch)
		if err != nil {
			return err
		}
		if err := addStep(ctx, tx, d.seq, name, s.Path); err != nil {
			return err
		}
		return addSwap(ctx, tx, d.seq, s)
	})
	if err != nil {
		return fmt.Errorf("record %s of %s: %w", name, s.Path, err)
	}
	return nil
}

func addSwap(ctx context.Context, tx *sql.Tx, seq int64, s Swap) error {
	if len(s.Text) > maxText {
		s.Text = nil
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO swaps (temp, dispatch, path, base, new, text) VALUES (?, ?, ?, ?, ?, ?)",
		s.Temp, seq, s.Path, s.Base[:], s.New[:], blob(s.Text))
	return err
}

// Swaps returns the open swaps, oldest first, without their blocks.
func (j *Journal) Swaps(ctx context.Context) ([]Swap, error) {
	var open []Swap
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT d.id, s.path, s.temp, s.base, s.new, nullif(s.text, x'')
			FROM swaps AS s JOIN dispatches AS d ON d.seq = s.dispatch ORDER BY s.rowid`)
		open, err = collect(rows, err, func(s *Swap) error {
			return rows.Scan(&s.Dispatch, &s.Path, &s.Temp, (*digest)(&s.Base), (*digest)(&s.New), &s.Text)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read open swaps: %w", err)
	}
	return open, nil
}

// SwapDone closes the swap with this temp file, in whatever state its dispatch
// is. One that is closed already is no error: recovery may repeat itself.
func (j *Journal) SwapDone(ctx context.Context, temp string) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM swaps WHERE temp = ?", temp)
		return err
	})
	if err != nil {
		return fmt.Errorf("close swap of %s: %w", temp, err)
	}
	return nil
}

package journal

import (
	"context"
	"database/sql"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// maxText is the largest note whose old text is kept with a swap.
const maxText = 1 << 20

// RecordSwap records the intention to exchange a note's contents, before it is done. A dispatch may have several open
// ones, one per try: until it is closed, recovery has to look at each temp file, for it can hold a person's words.
// The blocks are kept as those of the markers until the next RecordSwap that has some. A question whose white space
// has changed since is kept as it is in the note now, for an undo.
func (j *Journal) RecordSwap(ctx context.Context, s Swap) error {
	_, err := j.takeStep(ctx, swapping, s.Dispatch, s.Path, func(ctx context.Context, tx *sql.Tx, d *record) error {
		if err := addSwap(ctx, tx, d.seq, s); err != nil {
			return err
		}
		for i, text := range s.Replaced {
			if i >= len(d.Markers) || text == "" || text == d.Markers[i].Text {
				continue
			}
			if _, err := tx.ExecContext(ctx, "UPDATE markers SET text = ? WHERE dispatch = ? AND position = ?", []byte(text), d.seq, i); err != nil {
				return err
			}
		}
		if err := keepBlocks(ctx, tx, d.seq, s.Blocks); err != nil || s.Edits == "" {
			return err
		}
		return keepPart(ctx, tx, d, PartEdit, s.Edits)
	})
	return err
}

// RecordMergeSwap records the intention of a swap that brings a person's words back into the note of a dispatch in any state.
func (r *Records) RecordMergeSwap(ctx context.Context, s Swap) error {
	return dbfile.During("record merging of "+s.Path, r.db.Write(ctx, s.addBeside("merging")))
}

// RecordProgressSwap records the intention of a swap that changes what a note says about the progress of a dispatch in any
// state, or, without a dispatch, about what is not taken up.
func (r *Records) RecordProgressSwap(ctx context.Context, s Swap) error {
	return dbfile.During("record showing of "+s.Path, r.db.Write(ctx, s.addBeside("showing")))
}

// addBeside adds a swap that is no step of its dispatch's way.
func (s Swap) addBeside(name string) func(ctx context.Context, tx *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		if s.Dispatch == "" {
			return addSwap(ctx, tx, nil, s)
		}
		seq, err := findSeq(ctx, tx, s.Dispatch)
		if err != nil {
			return err
		}
		if err := addStep(ctx, tx, seq, name, s.Path); err != nil {
			return err
		}
		return addSwap(ctx, tx, seq, s)
	}
}

// addSwap adds a swap of the dispatch with a seq, or of none.
func addSwap(ctx context.Context, tx *sql.Tx, seq any, s Swap) error {
	if len(s.Text) > maxText {
		s.Text = nil
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO swaps (temp, dispatch, path, base, new, text) VALUES (?, ?, ?, ?, ?, ?)",
		s.Temp, seq, s.Path, s.Base[:], s.New[:], columns.Blob(s.Text))
	return err
}

// Swaps returns the open swaps, oldest first, without their blocks.
func (r *Reader) Swaps(ctx context.Context) ([]Swap, error) {
	return dbfile.List(ctx, r.db, "read open swaps", func(s *Swap) []any {
		return []any{&s.Dispatch, &s.Path, &s.Temp, (*columns.Digest)(&s.Base), (*columns.Digest)(&s.New), &s.Text}
	}, `SELECT coalesce(d.id, ''), s.path, s.temp, s.base, s.new, nullif(s.text, x'')
			FROM swaps AS s LEFT JOIN dispatches AS d ON d.seq = s.dispatch ORDER BY s.rowid`)
}

// CloseSwap closes the swap with this temp file, in whatever state its dispatch
// is. One that is closed already is no error: recovery may repeat itself.
func (r *Records) CloseSwap(ctx context.Context, temp string) error {
	return dbfile.During("close swap of "+temp, r.db.Exec(ctx, "DELETE FROM swaps WHERE temp = ?", temp))
}

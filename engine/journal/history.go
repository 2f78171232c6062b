package journal

import (
	"context"
	"database/sql"
	"slices"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

const mostTold, longestTold = 2 << 20, 16 << 10 // bytes of exchanges that are kept in memory, and of one at most

// Exchanges returns the questions of done and parked dispatches with their answers, the newest first. An exchange that
// is too long is left out, not cut. However long the journal is, no more than the asked number of dispatches are looked
// at, and of those only what is not in memory is read.
func (r *Reader) Exchanges(ctx context.Context, p Past) (list []Exchange, err error) {
	index, where, args := "dispatches_told", "vault = ? AND task_id = ?", []any{p.Vault, p.TaskID}
	switch {
	case p.Key != "" && p.File == "":
		index, where, args = "dispatches_told_key", "vault = ? AND key = ?", []any{p.Vault, p.Key}
	case p.File != "":
		index, where, args = "dispatches_told_note", where+" AND file = ?", append(args, p.File)
		if p.Key != "" {
			where, args = where+" AND key = ?", append(args, p.Key)
		}
	}
	if !p.End.IsZero() {
		where, args = where+" AND finished < ?", append(args, columns.ToMillis(p.End))
	}
	told, longest := r.told, longestTold
	if p.Bytes > longest {
		told, longest = new(dbfile.Memory[Exchange]), p.Bytes
	}
	told.Begin()
	defer told.End()
	err = r.db.Read(ctx, func(tx *sql.Tx) error {
		seqs, err := dbfile.ReadNumbers(ctx, tx, "SELECT seq FROM dispatches INDEXED BY "+index+" WHERE "+where+
			" AND status IN ('done', 'parked') AND answered ORDER BY seq DESC LIMIT +?", append(args, p.Limit)...)
		known, missing := told.Pick(seqs)
		if err == nil && len(missing) > 0 {
			err = readExchanges(ctx, tx, missing, longest, known)
		}
		if err != nil {
			return err
		}
		told.Keep(missing, known, mostTold)
		for _, seq := range seqs {
			list = append(list, known[seq]...)
		}
		return nil
	})
	return slices.DeleteFunc(list, func(x Exchange) bool { return x.Size() > p.Bytes }), dbfile.During("read project history", err)
}

// readExchanges adds those of some dispatches that are not too long, the last one of each dispatch first.
func readExchanges(ctx context.Context, tx *sql.Tx, seqs []int64, longest int, known map[int64][]Exchange) error {
	rows, err := tx.QueryContext(ctx, `SELECT d.id, d.seq, m.position, d.file, d.role, d.key, d.runner, m.instruction, m.answer, d.finished, d.local, d.sources
			FROM json_each(?) AS e CROSS JOIN dispatches AS d ON d.seq = e.value CROSS JOIN markers AS m ON m.dispatch = d.seq
			WHERE octet_length(d.file) + octet_length(m.instruction) + octet_length(m.answer) <= ?
			ORDER BY d.seq DESC, m.position DESC`, dbfile.ListNumbers(seqs), longest)
	list, err := dbfile.Collect(rows, err, func(e *Exchange) []any {
		return []any{&e.Dispatch, &e.Order, &e.Position, &e.File, &e.Role, &e.Key, &e.Runner, &e.Question, &e.Answer, (*columns.Millis)(&e.Time),
			&e.Recipe.Local, (*columns.Lines)(&e.Recipe.Sources)}
	})
	for _, x := range list {
		known[x.Order] = append(known[x.Order], x)
	}
	return err
}

package journal

import (
	"context"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// Exchanges returns the questions of done and parked dispatches with their answers, the newest first. An exchange that
// is too long is left out, not cut. However long the journal is, no more than the asked number of dispatches are looked
// at.
func (r *Reader) Exchanges(ctx context.Context, p Past) ([]Exchange, error) {
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
	return dbfile.List(ctx, r.db, "read project history", func(e *Exchange) []any {
		return []any{&e.Dispatch, &e.Order, &e.Position, &e.File, &e.Role, &e.Key, &e.Runner, &e.Question, &e.Answer, (*columns.Millis)(&e.Time),
			&e.Recipe.Local, (*columns.Lines)(&e.Recipe.Sources)}
	}, `SELECT d.id, d.seq, m.position, d.file, d.role, d.key, d.runner, m.instruction, m.answer, d.finished, d.local, d.sources
			FROM (SELECT seq, id, file, role, key, runner, finished, local, sources FROM dispatches INDEXED BY `+index+` WHERE `+where+` AND status IN ('done', 'parked') AND answered ORDER BY seq DESC LIMIT +?) AS d
			JOIN markers AS m ON m.dispatch = d.seq
			WHERE octet_length(d.file) + octet_length(m.instruction) + octet_length(m.answer) <= ?
			ORDER BY d.seq DESC, m.position DESC`, append(args, p.Limit, p.Bytes)...)
}

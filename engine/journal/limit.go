package journal

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"vaultdispatcher/engine/journal/columns"
)

// Postpone lets a dispatch without answers wait until its role may be asked again.
// A run that ended so does not count: neither as an attempt nor as a start.
func (j *Journal) Postpone(ctx context.Context, id, reason string, at time.Time) (Dispatch, error) {
	return j.takeStep(ctx, limited, id, reason, func(_ context.Context, _ *sql.Tx, d *record) error {
		if d.Status == Processing {
			d.Starts--
		}
		d.Status, d.Error, d.NextAttempt = Queued, reason, columns.InMillis(at)
		return nil
	})
}

// SetLimit remembers that a role is not asked for a while, in the place of what
// was known of it.
func (j *Journal) SetLimit(ctx context.Context, l Limit) error {
	return during("remember the limit of "+l.Role, j.exec(ctx, "INSERT OR REPLACE INTO limits (role, since, until, reason) VALUES (?, ?, ?, ?)",
		l.Role, columns.ToMillis(l.Since), columns.ToMillis(l.Until), l.Reason))
}

// EndLimit forgets the limit of a role.
func (j *Journal) EndLimit(ctx context.Context, role string) error {
	return during("forget the limit of "+role, j.exec(ctx, "DELETE FROM limits WHERE role = ?", role))
}

// Limits returns the limits that were not ended, by role.
func (j *Journal) Limits(ctx context.Context) ([]Limit, error) {
	return list(ctx, j, "read the limits of roles", func(l *Limit) []any {
		return []any{&l.Role, (*columns.Millis)(&l.Since), (*columns.Millis)(&l.Until), &l.Reason}
	}, "SELECT role, since, until, reason FROM limits ORDER BY role")
}

// SetTask keeps the text that the agent of a dispatch is asked with, and of what it was made.
func (j *Journal) SetTask(ctx context.Context, id, text string, made Made) error {
	return during("keep the task of dispatch "+id, j.exec(ctx, "UPDATE dispatches SET task = '', sent = ?, local = ?, sources = ? WHERE id = ?",
		columns.Pack(text), made.Local, columns.JoinLines(made.Sources), id))
}

// PartCut is the part that stays when the answer is there: what an agent said beside it.
const PartCut = "cut"

// KeepPart keeps a part of what becomes an answer, so that it is made once whatever happens. It goes when the answer is there,
// but for [PartCut]. A NUL in it is kept as a replacement character: SQLite's text ends there for many readers
// (https://www.sqlite.org/nulinstr.html).
func (j *Journal) KeepPart(ctx context.Context, id, key, text string) error {
	return during("keep a part of "+id, j.exec(ctx, "INSERT OR REPLACE INTO parts SELECT seq, ?, ? FROM dispatches WHERE id = ? AND NOT answered", key, strings.ReplaceAll(text, "\x00", "\ufffd"), id))
}

// Part returns what [Journal.KeepPart] has kept; the error is sql.ErrNoRows where there is nothing.
func (j *Journal) Part(ctx context.Context, id, key string) (text string, err error) {
	return text, j.readRow(ctx, []any{&text}, "SELECT text FROM parts WHERE key = ? AND dispatch = (SELECT seq FROM dispatches WHERE id = ?)", key, id)
}

// CutOf returns what an agent has said beside the answers of a dispatch, as far as it is kept.
func (j *Journal) CutOf(ctx context.Context, id string) (string, error) {
	text, err := j.Part(ctx, id, PartCut)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return text, during("read what was cut of "+id, err)
}

// AddUsage adds what a run of a dispatch has cost, whatever came of it.
func (j *Journal) AddUsage(ctx context.Context, id string, u Usage) error {
	return during("record what dispatch "+id+" has cost", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE dispatches SET model = CASE ? WHEN '' THEN model ELSE ? END,
			input = input + ?, output = output + ?, cost = cost + ? WHERE id = ?`,
			u.Model, u.Model, u.Input, u.Output, u.Cost, id)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	}))
}

package journal

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Postpone lets a dispatch without answers wait until its role may be asked again.
// A run that ended so does not count: neither as an attempt nor as a start.
func (j *Journal) Postpone(ctx context.Context, id, reason string, at time.Time) (Dispatch, error) {
	return j.takeStep(ctx, limited, id, reason, func(_ context.Context, _ *sql.Tx, d *record) error {
		if d.Status == Processing {
			d.Starts--
		}
		d.Status, d.Error, d.NextAttempt = Queued, reason, inMillis(at)
		return nil
	})
}

// SetLimit remembers that a role is not asked for a while, in the place of what
// was known of it.
func (j *Journal) SetLimit(ctx context.Context, l Limit) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO limits (role, since, until, reason) VALUES (?, ?, ?, ?)",
			l.Role, toMillis(l.Since), toMillis(l.Until), l.Reason)
		return err
	})
	if err != nil {
		return fmt.Errorf("remember the limit of %s: %w", l.Role, err)
	}
	return nil
}

// EndLimit forgets the limit of a role.
func (j *Journal) EndLimit(ctx context.Context, role string) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM limits WHERE role = ?", role)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget the limit of %s: %w", role, err)
	}
	return nil
}

// Limits returns the limits that were not ended, by role.
func (j *Journal) Limits(ctx context.Context) ([]Limit, error) {
	var all []Limit
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT role, since, until, reason FROM limits ORDER BY role")
		all, err = collect(rows, err, func(l *Limit) error {
			return rows.Scan(&l.Role, (*millis)(&l.Since), (*millis)(&l.Until), &l.Reason)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the limits of roles: %w", err)
	}
	return all, nil
}

// SetTask keeps the text that the agent of a dispatch is asked with.
func (j *Journal) SetTask(ctx context.Context, id, text string) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE dispatches SET task = ? WHERE id = ?", text, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the task of dispatch %s: %w", id, err)
	}
	return nil
}

// Spent adds what a run of a dispatch has cost, whatever came of it.
func (j *Journal) Spent(ctx context.Context, id string, u Usage) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
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
	})
	if err != nil {
		return fmt.Errorf("record what dispatch %s has cost: %w", id, err)
	}
	return nil
}

package journal

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal/columns"
)

// Spent is what a run of a role's agent has used, as it counts for a budget.
type Spent struct {
	Role    string
	At      time.Time
	Dollars float64
	Tokens  int64
}

// spent is the name of a step of which a run may have several, and spentForm the form of its detail.
const (
	spent     = "spent"
	spentForm = "$%g and %d tokens"
)

// RecordSpent records what a run of a dispatch has used; the role is that of the dispatch.
func (j *Journal) RecordSpent(ctx context.Context, id string, s Spent) error {
	return during("record what was spent", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO steps (dispatch, at, name, detail) SELECT seq, ?, ?, ? FROM dispatches WHERE id = ?",
			columns.ToMillis(s.At), spent, fmt.Sprintf(spentForm, s.Dollars, s.Tokens), id)
		return err
	}))
}

// longestRun is more than any run takes, so that what was begun before a time and has spent since is found.
const longestRun = 25 * time.Hour

// Spent returns what was used since a time, in order.
func (j *Journal) Spent(ctx context.Context, since time.Time) ([]Spent, error) {
	type row struct {
		Spent
		detail string
	}
	rows, err := list(ctx, j, "read what was spent", func(r *row) []any {
		return []any{&r.Role, (*columns.Millis)(&r.At), &r.detail}
	}, `SELECT d.role, s.at AS at, s.detail FROM dispatches AS d JOIN steps AS s ON s.dispatch = d.seq
			WHERE max(d.created, d.started) > ? AND s.at >= ? AND s.name = ? ORDER BY at`,
		columns.ToMillis(since.Add(-longestRun)), columns.ToMillis(since), spent)
	all := make([]Spent, len(rows))
	for i, r := range rows {
		all[i] = r.Spent
		if _, err := fmt.Sscanf(r.detail, spentForm, &all[i].Dollars, &all[i].Tokens); err != nil {
			return nil, fmt.Errorf("read what was spent: %q: %w", r.detail, err)
		}
	}
	return all, err
}

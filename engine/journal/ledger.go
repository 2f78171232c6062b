package journal

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// Ledger is what agents were called for, what they have used, and until when roles are not asked.
type Ledger struct{ db *dbfile.DB }

// Limit says that a role is not asked for a while: its agent has been asked too much.
type Limit struct {
	Role   string
	Start  time.Time // when the agent said so, by this machine's clock
	End    time.Time
	Reason string
}

// SetLimit remembers that a role is not asked for a while, in the place of what was known of it.
func (l *Ledger) SetLimit(ctx context.Context, limit Limit) error {
	return dbfile.During("remember the limit of "+limit.Role, l.db.Exec(ctx, "INSERT OR REPLACE INTO limits (role, since, until, reason) VALUES (?, ?, ?, ?)",
		limit.Role, columns.ToMillis(limit.Start), columns.ToMillis(limit.End), limit.Reason))
}

// EndLimit forgets the limit of a role.
func (l *Ledger) EndLimit(ctx context.Context, role string) error {
	return dbfile.During("forget the limit of "+role, l.db.Exec(ctx, "DELETE FROM limits WHERE role = ?", role))
}

// Limits returns the limits that were not ended, by role.
func (l *Ledger) Limits(ctx context.Context) ([]Limit, error) {
	return dbfile.List(ctx, l.db, "read the limits of roles", func(l *Limit) []any {
		return []any{&l.Role, (*columns.Millis)(&l.Start), (*columns.Millis)(&l.End), &l.Reason}
	}, "SELECT role, since, until, reason FROM limits ORDER BY role")
}

// AddUsage adds what a run of a dispatch has cost, whatever came of it.
func (l *Ledger) AddUsage(ctx context.Context, id string, u Usage) error {
	return dbfile.During("record what dispatch "+id+" has cost", l.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
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

// lately joins the dispatches that have not ended, or have since a time, with their steps. A run may outlast its dispatch and a
// clock may be put back, so the time is a longestRun before the one that is meant.
const lately = `(SELECT seq, role FROM dispatches INDEXED BY dispatches_status WHERE status IN ('done', 'failed', 'parked', 'cancelled') AND finished > ?
	UNION ALL SELECT seq, role FROM dispatches INDEXED BY dispatches_status WHERE status IN ('queued', 'processing', 'held')) AS d
	CROSS JOIN steps AS s ON s.dispatch = d.seq`

const longestRun = 25 * time.Hour

// Start is a call of an agent of a role, or one to come.
type Start struct {
	Role     string
	Time     time.Time
	Dispatch string // the dispatch that has not called yet; empty = it has
}

// Starts returns the calls of agents since a time and those to come, in order: what counts against a limit of starts.
func (l *Ledger) Starts(ctx context.Context, since time.Time) ([]Start, error) {
	return dbfile.List(ctx, l.db, "read what was started lately", func(s *Start) []any {
		return []any{&s.Role, (*columns.Millis)(&s.Time), &s.Dispatch}
	}, "SELECT d.role, s.at AS at, '' FROM "+lately+` WHERE s.at > ? AND s.name IN (?, ?)
		UNION ALL SELECT role, created, id FROM dispatches WHERE status IN (?, ?) AND NOT answered ORDER BY at`,
		columns.ToMillis(since.Add(-longestRun)), columns.ToMillis(since), started.name, called, Queued, Processing)
}

// RecordCall records that the agent of a dispatch is called once more in the same run.
func (l *Ledger) RecordCall(ctx context.Context, id string, now time.Time) error {
	return dbfile.During("record a call", l.addStep(ctx, id, now, called, ""))
}

// addStep adds a line to the history of a dispatch that changes nothing else of it.
func (l *Ledger) addStep(ctx context.Context, id string, at time.Time, name, detail string) error {
	return l.db.Exec(ctx, "INSERT INTO steps (dispatch, at, name, detail) SELECT seq, ?, ?, ? FROM dispatches WHERE id = ?", columns.ToMillis(at), name, detail, id)
}

// Spent is what a run of a role's agent has used, as it counts for a budget.
type Spent struct {
	Role    string
	Time    time.Time
	Dollars float64
	Tokens  int64
}

// Names of steps that a run may have several times, and the form of one's detail.
const (
	called    = "called"
	spent     = "spent"
	spentForm = "$%g and %d tokens"
)

// RecordSpent records what a run of a dispatch has used; the role is that of the dispatch.
func (l *Ledger) RecordSpent(ctx context.Context, id string, s Spent) error {
	return dbfile.During("record what was spent", l.addStep(ctx, id, s.Time, spent, fmt.Sprintf(spentForm, s.Dollars, s.Tokens)))
}

// Spent returns what was used since a time, in order.
func (l *Ledger) Spent(ctx context.Context, since time.Time) ([]Spent, error) {
	type row struct {
		Spent
		detail string
	}
	rows, err := dbfile.List(ctx, l.db, "read what was spent", func(r *row) []any {
		return []any{&r.Role, (*columns.Millis)(&r.Time), &r.detail}
	}, "SELECT d.role, s.at AS at, s.detail FROM "+lately+" WHERE s.at >= ? AND s.name = ? ORDER BY at",
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

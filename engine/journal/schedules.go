package journal

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

const (
	TriggerSchedule = "schedule" // the trigger of a question that comes again
	PartSchedule    = "schedule" // the part that says whose run a dispatch is
)

// Schedule is what is remembered of a question that comes again.
type Schedule struct {
	ID       string    // of its dispatch, where a note has its line
	LastRun  time.Time // the time of its last run, or since when it is known
	Paused   bool
	Dispatch string // of its last run; empty = none yet
}

// ComeAgain has a question come again that waited for a person, or that a person had cancelled.
func (j *Journal) ComeAgain(ctx context.Context, id, when string) error {
	_, err := j.takeStep(ctx, scheduled, id, when, func(_ context.Context, _ *sql.Tx, d *record) error {
		if d.Replaces() {
			return &StateError{d.is() + ", and its answer is in the note"}
		}
		queueAfresh(d, d.Trigger)
		d.Status, d.Error = Scheduled, when
		return nil
	})
	return err
}

// Scheduled returns the questions of notes that come again, without their long texts, in the order they were accepted.
func (r *Reader) Scheduled(ctx context.Context) ([]Dispatch, error) {
	return r.listDispatches(ctx, "list what comes again", listColumns, false, "WHERE status = ? AND hold = ? ORDER BY seq", Held, ForSchedule)
}

// Timetable is what is remembered of the questions that come again.
type Timetable struct{ db *dbfile.DB }

// KeepSchedules stores the ids that are new, with the time now, and forgets all schedules with other ids.
func (t *Timetable) KeepSchedules(ctx context.Context, ids []string, now time.Time) error {
	known, err := t.Schedules(ctx)
	if err != nil {
		return err
	}
	return dbfile.During("keep the schedules", t.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, s := range known {
			if slices.Contains(ids, s.ID) {
				continue
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM schedules WHERE id = ?", s.ID); err != nil {
				return err
			}
		}
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO schedules (id, last, paused, dispatch) VALUES (?, ?, FALSE, '')", id, columns.ToMillis(now)); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Schedules returns what is remembered, by id.
func (t *Timetable) Schedules(ctx context.Context) ([]Schedule, error) {
	return dbfile.List(ctx, t.db, "read the schedules", func(s *Schedule) []any {
		return []any{&s.ID, (*columns.Millis)(&s.LastRun), &s.Paused, &s.Dispatch}
	}, "SELECT id, last, paused, dispatch FROM schedules ORDER BY id")
}

// PauseSchedule pauses one, or has it go on: what was missed meanwhile is not made up for.
func (t *Timetable) PauseSchedule(ctx context.Context, id string, paused bool, now time.Time) error {
	return dbfile.During("pause a schedule", t.db.Exec(ctx, "UPDATE schedules SET paused = ?, last = max(last, ?) WHERE id = ?", paused, columns.ToMillis(now), id))
}

// AcceptRun is [Journal.Accept] for the run of a schedule: it is stored only if no run of that time or later was, so that of
// any number of callers exactly one gets true. A dispatch without markers records that the run was made elsewhere.
func (j *Journal) AcceptRun(ctx context.Context, d Dispatch, schedule string, run time.Time) (Dispatch, bool, error) {
	return j.acceptIf(ctx, "accept the run of a schedule", d, schedule, func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "UPDATE schedules SET last = ?, dispatch = CASE ? WHEN '' THEN dispatch ELSE ? END WHERE id = ? AND last < ?",
			columns.ToMillis(run), d.ID, d.ID, schedule, columns.ToMillis(run))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errTaken)
		}
		return nil
	})
}

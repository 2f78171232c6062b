package journal

import (
	"context"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// Ending is what became of a dispatch, in numbers: it holds no word of a note.
type Ending struct {
	Role              string
	Status            Status
	Created, Finished time.Time
	Questions         int
	NoResult          int64 // as [Dispatch] has it
	Reverted, Waited  bool  // waited: for a person, a limit or a budget, or was asked again
	Rejected          int   // how often a person did not want its answer
	Tokens            int64
	Cost              float64 // dollars
}

// endings reads each ending and counts what belongs to it by an index of its own.
const endings = `SELECT role, status, created, finished, (SELECT count(*) FROM markers WHERE dispatch = seq), none, undo = 'undone',
		EXISTS (SELECT 1 FROM steps WHERE dispatch = seq AND name IN ('held', 'limited', 'proposed', 'retried', 'renewed')),
		(SELECT count(*) FROM steps WHERE dispatch = seq AND name = 'rejected'), input + output, cost
	FROM dispatches INDEXED BY dispatches_status WHERE status IN ('done', 'failed', 'parked', 'cancelled') AND finished >= ?`

// Endings returns what has ended since a time, in no order.
func (r *Reader) Endings(ctx context.Context, since time.Time) ([]Ending, error) {
	return dbfile.List(ctx, r.db, "read what became of dispatches", func(e *Ending) []any {
		return []any{&e.Role, &e.Status, (*columns.Millis)(&e.Created), (*columns.Millis)(&e.Finished), &e.Questions, &e.NoResult, &e.Reverted, &e.Waited, &e.Rejected,
			&e.Tokens, &e.Cost}
	}, endings, columns.ToMillis(since))
}

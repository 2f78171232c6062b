package journal

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/wording"
)

const defaultLimit, searchPage = 50, 500 // dispatches that a list has, and that a search looks at per query

// Reader reads what is known of dispatches, and changes nothing. It is safe for concurrent use.
type Reader struct {
	db   *dbfile.DB
	told *dbfile.Memory[Exchange]
}

// Get returns one dispatch with all its texts.
func (r *Reader) Get(ctx context.Context, id string) (Dispatch, error) {
	var d record
	err := r.db.Read(ctx, func(tx *sql.Tx) (err error) {
		d, err = byID(ctx, tx, fullColumns, id)
		return err
	})
	return d.Dispatch, dbfile.During("read dispatch "+id, err)
}

// List returns dispatches, the newest first. They come without their long texts:
// no Task, and markers without Context and Answer; Get has them.
func (r *Reader) List(ctx context.Context, f Filter) ([]Dispatch, error) {
	if f.Limit <= 0 {
		f.Limit = defaultLimit
	}
	page := f.Limit
	if f.Query != "" {
		page = searchPage
	}
	var list []Dispatch
	err := r.db.Read(ctx, func(tx *sql.Tx) error {
		for below := int64(math.MaxInt64); len(list) < f.Limit; {
			rest, args := f.selectPage(below, page)
			found, err := readRecords(ctx, tx, listColumns, rest, args...)
			if err != nil {
				return err
			}
			dispatches, err := withMarkers(ctx, tx, found, false)
			if err != nil {
				return err
			}
			for _, d := range dispatches {
				if len(list) < f.Limit && mentions(d, f.Query) {
					list = append(list, d)
				}
			}
			if len(found) < page {
				return nil
			}
			below = found[len(found)-1].seq
		}
		return nil
	})
	return list, dbfile.During("list dispatches", err)
}

// selectPage selects the next dispatches below a number that pass the filter, its
// Query apart: SQLite would fold the case of ASCII letters only.
func (f Filter) selectPage(below int64, limit int) (rest string, args []any) {
	rest, args = "WHERE seq < ?", []any{below}
	stored := cmp.Or(map[Status]Status{Proposed: Held, Scheduled: Held}[f.Status], f.Status)
	switch isNote := f.Vault != "" && f.File != ""; {
	case isNote && stored == Done:
		rest = "INDEXED BY dispatches_written WHERE status = 'done' AND seq < ?"
	case isNote:
		rest, args = "WHERE seq IN ("+ofNote+" UNION ALL SELECT seq FROM dispatches INDEXED BY dispatches_status WHERE status = 'cancelled' AND vault = ?1 AND file = ?2) AND seq < ?", []any{f.Vault, f.File, below}
	case stored != "" && stored != Done && stored != Cancelled: // of others the newest are soon found
		rest, args = "INDEXED BY dispatches_status WHERE status = ? AND seq < ?", []any{stored, below}
	}
	for _, c := range []struct{ column, value string }{{statusColumn, string(f.Status)}, {"vault", f.Vault}, {"file", f.File}} {
		if c.value != "" {
			rest += " AND " + c.column + " = ?"
			args = append(args, c.value)
		}
	}
	return rest + " ORDER BY seq DESC LIMIT +?", append(args, limit)
}

// mentions says whether a question of a dispatch has the words that a person looks for, beside its role and note.
func mentions(d Dispatch, query string) bool {
	return slices.ContainsFunc(d.Markers, func(m Marker) bool { return wording.HasWords(d.File+"\n"+d.Role+"\n"+m.Instruction, query) })
}

// Counts returns how many dispatches are in each state. It reads rows of the held alone. Most are done: what the others leave of all.
func (r *Reader) Counts(ctx context.Context) (map[Status]int, error) {
	type counted struct {
		Status
		n int
	}
	list, err := dbfile.List(ctx, r.db, "count dispatches", func(c *counted) []any { return []any{&c.Status, &c.n} },
		"SELECT status, count(*) FROM dispatches INDEXED BY dispatches_status WHERE status IN ('queued', 'processing', 'failed', 'parked', 'cancelled') GROUP BY status "+
			"UNION ALL SELECT "+statusColumn+" AS word, count(*) FROM dispatches INDEXED BY dispatches_status WHERE status = 'held' GROUP BY word UNION ALL SELECT 'done', (SELECT count(*) FROM dispatches)")
	counts := make(map[Status]int)
	for _, c := range list {
		if counts[c.Status] += c.n; c.Status != Done {
			counts[Done] -= c.n
		}
	}
	maps.DeleteFunc(counts, func(_ Status, n int) bool { return n == 0 })
	return counts, err
}

// CountNewest counts the newest dispatches of a status, their questions, and those of them whose answer says that nothing was found or made.
func (r *Reader) CountNewest(ctx context.Context, s Status, most int) (dispatches, questions, noResult int, err error) {
	rest, args := Filter{Status: s}.selectPage(math.MaxInt64, most)
	err = r.db.ReadRow(ctx, []any{&dispatches, &questions, &noResult}, "WITH newest AS MATERIALIZED (SELECT seq, none FROM dispatches "+rest+
		") SELECT count(DISTINCT seq), count(*), coalesce(sum(none >> position & 1), 0) FROM newest CROSS JOIN markers ON dispatch = seq", args...)
	return dispatches, questions, noResult, dbfile.During("count questions", err)
}

// Unfinished returns the queued and processing dispatches with all their texts,
// in the order they were accepted.
func (r *Reader) Unfinished(ctx context.Context) ([]Dispatch, error) {
	return r.listDispatches(ctx, "read unfinished dispatches", fullColumns, true, "WHERE status IN (?, ?) ORDER BY seq", Queued, Processing)
}

// Latest returns, of one moment and without long texts, the newest dispatches, most of those that are processing or queued and most
// of each kind that have ended since a time, the newest first. It leaves out the queued ones that came last and those that ended first.
func (r *Reader) Latest(ctx context.Context, newest, most int, since time.Time) ([]Dispatch, error) {
	ended := "UNION SELECT seq FROM (SELECT seq FROM dispatches INDEXED BY dispatches_status WHERE status = '%s' AND finished >= ?5 ORDER BY finished DESC LIMIT +?4)"
	return r.listDispatches(ctx, "list the latest dispatches", listColumns, false, `WHERE seq IN (SELECT seq FROM (SELECT seq FROM dispatches ORDER BY seq DESC LIMIT +?1)
		UNION SELECT seq FROM (SELECT seq FROM dispatches WHERE status IN (?2, ?3) ORDER BY status, finished, seq LIMIT +?4)
		`+fmt.Sprintf(ended+ended+ended+ended, Done, Failed, Parked, Cancelled)+`) ORDER BY seq DESC`,
		newest, Queued, Processing, most, columns.ToMillis(since))
}

// Ended returns the dispatches that have ended since a time, the newest first and
// without their long texts, 200 at most.
func (r *Reader) Ended(ctx context.Context, since time.Time) ([]Dispatch, error) {
	return r.listDispatches(ctx, "list what has ended", listColumns, false, "WHERE status IN (?, ?, ?, ?) AND finished >= ? ORDER BY seq DESC LIMIT +?",
		Done, Failed, Parked, Cancelled, columns.ToMillis(since), 200)
}

// Steps returns the history of a dispatch, oldest first.
func (r *Reader) Steps(ctx context.Context, id string) ([]Step, error) {
	var steps []Step
	err := r.db.Read(ctx, func(tx *sql.Tx) error {
		seq, err := findSeq(ctx, tx, id)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "SELECT at, name, detail FROM steps WHERE dispatch = ? ORDER BY rowid", seq)
		steps, err = dbfile.Collect(rows, err, func(s *Step) []any { return []any{(*columns.Millis)(&s.Time), &s.Name, &s.Detail} })
		return err
	})
	return steps, dbfile.During("read steps of dispatch "+id, err)
}

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

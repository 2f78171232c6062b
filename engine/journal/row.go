package journal

import (
	"context"
	"database/sql"
	"errors"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// queryer is a database or a transaction of one.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// record is a dispatch and its number in the order of acceptance.
type record struct {
	seq int64
	Dispatch
}

// The columns of a dispatch as recordFields reads them. A list omits the prompt's text: fifty
// prompts are a megabyte that no list shows.
const (
	mostColumns = "seq, id, vault, file, key, role, task_id, agent, runner, trigger, " + statusColumn + ", answered, withheld, " +
		"attempts, starts, next_attempt, error, created, started, finished, hash, undo, reapplied, hold, model, input, output, cost, local, sources, place, asked, none, "
	listColumns = mostColumns + "'', NULL"
	fullColumns = mostColumns + "task, sent"
)

// forProposal marks a proposed dispatch, which is stored as held: so it has the claims of a held
// one, and an earlier version keeps its answer out of the note. ForSchedule marks a scheduled one
// in the same way.
const forProposal HoldKind = "proposal"

const statusColumn = "CASE WHEN status <> 'held' THEN status WHEN hold = 'proposal' THEN 'proposed' WHEN hold = 'schedule' THEN 'scheduled' ELSE status END"

func recordFields(r *record) []any {
	return []any{&r.seq, &r.ID, &r.Vault, &r.File, &r.Key, &r.Role, &r.TaskID, &r.Agent, &r.Runner, &r.Trigger,
		&r.Status, &r.Answered, &r.Withheld, &r.Attempts, &r.Starts, (*columns.Millis)(&r.NextAttempt), &r.Error,
		(*columns.Millis)(&r.Created), (*columns.Millis)(&r.Started), (*columns.Millis)(&r.Finished), (*columns.Digest)(&r.Hash), &r.Undo, &r.Reapplied, &r.Hold,
		&r.Usage.Model, &r.Usage.Input, &r.Usage.Output, &r.Usage.Cost, &r.Recipe.Local, (*columns.Lines)(&r.Recipe.Sources), &r.Place, &r.Asked, &r.NoResult, &r.Task, (*columns.Packed)(&r.Task)}
}

// readRecords reads the dispatches that rest selects, without their markers.
func readRecords(ctx context.Context, q queryer, columns, rest string, args ...any) ([]record, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+columns+" FROM dispatches "+rest, args...)
	return dbfile.Collect(rows, err, recordFields)
}

// listDispatches returns the dispatches that rest selects, with the long texts of their markers or without.
func (r *Reader) listDispatches(ctx context.Context, doing, columns string, texts bool, rest string, args ...any) ([]Dispatch, error) {
	all := []Dispatch{}
	err := r.db.Read(ctx, func(tx *sql.Tx) error {
		found, err := readRecords(ctx, tx, columns, rest, args...)
		if len(found) > 0 {
			all, err = withMarkers(ctx, tx, found, texts)
		}
		return err
	})
	return all, dbfile.During(doing, err)
}

// WrittenInto returns the done dispatches of a note, whose answers were written, oldest first.
// They come with the texts of their markers and without Task: a note of every day has
// hundreds of prompts, and each save of it asks.
func (r *Reader) WrittenInto(ctx context.Context, vault, file string) ([]Dispatch, error) {
	return r.listDispatches(ctx, "read what was written into "+file, listColumns, true,
		"INDEXED BY dispatches_written WHERE status = 'done' AND vault = ? AND file = ? ORDER BY seq", vault, file)
}

// mostParked is how many dispatches ParkedIn returns.
const mostParked = 50

// ParkedIn returns the parked dispatches of a note, the newest first and without their long
// texts. Of very many it leaves out the oldest.
func (r *Reader) ParkedIn(ctx context.Context, vault, file string) ([]Dispatch, error) {
	return r.listDispatches(ctx, "read what is parked of "+file, listColumns, false,
		"INDEXED BY dispatches_parked WHERE status = 'parked' AND vault = ? AND file = ? ORDER BY seq DESC LIMIT +?", vault, file, mostParked)
}

// withMarkers adds their markers to records that were read in the same
// transaction, with the long texts or without.
func withMarkers(ctx context.Context, q queryer, found []record, texts bool) ([]Dispatch, error) {
	at := make(map[int64]int, len(found))
	seqs := make([]int64, len(found))
	dispatches := make([]Dispatch, len(found))
	for i, r := range found {
		at[r.seq], seqs[i], dispatches[i] = i, r.seq, r.Dispatch
	}
	long := "answer, context, packed, b.text, b.before, b.after, coalesce(b.removed, 0)"
	if !texts {
		long = "'', '', NULL, NULL, NULL, NULL, 0"
	}
	type row struct {
		seq int64
		Marker
	}
	rows, err := q.QueryContext(ctx, "SELECT m.dispatch, line, m.text, ordinal, m.before, m.after, instruction, see, written, "+long+
		" FROM markers AS m LEFT JOIN blocks AS b ON b.dispatch = m.dispatch AND b.position = m.position"+
		" WHERE m.dispatch IN (SELECT value FROM json_each(?)) ORDER BY m.dispatch, m.position", dbfile.ListNumbers(seqs))
	markers, err := dbfile.Collect(rows, err, func(m *row) []any {
		return []any{&m.seq, &m.Line, &m.Text, &m.Ordinal, &m.Upper, &m.Lower, &m.Instruction, &m.See, &m.Written, &m.Answer, &m.Context, (*columns.Packed)(&m.Context),
			&m.Block.Text, &m.Block.Upper, &m.Block.Lower, (*columns.Millis)(&m.Removed)}
	})
	for _, m := range markers {
		d := &dispatches[at[m.seq]]
		d.Markers = append(d.Markers, m.Marker)
	}
	return dispatches, err
}

// byID reads one dispatch with these columns and the texts of its markers.
func byID(ctx context.Context, q queryer, columns, id string) (record, error) {
	found, err := readRecords(ctx, q, columns, "WHERE id = ?", id)
	if err != nil {
		return record{}, err
	}
	if len(found) == 0 {
		return record{}, ErrNotFound
	}
	full, err := withMarkers(ctx, q, found, true)
	return record{seq: found[0].seq, Dispatch: full[0]}, err
}

// findSeq returns the number of a dispatch in the order of acceptance.
func findSeq(ctx context.Context, tx *sql.Tx, id string) (seq int64, err error) {
	if err = tx.QueryRowContext(ctx, "SELECT seq FROM dispatches WHERE id = ?", id).Scan(&seq); errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return seq, err
}

// JoinAnswers joins the answers of a dispatch, one paragraph each.
func (d Dispatch) JoinAnswers() string {
	text := ""
	for i, m := range d.Markers {
		if i > 0 {
			text += "\n\n"
		}
		text += m.Answer
	}
	return text
}

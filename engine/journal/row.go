package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// millis stores a time as UTC milliseconds, the zero time as 0.
type millis time.Time

// toMillis returns what is stored for t.
func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// inMillis cuts a time to what is stored.
func inMillis(t time.Time) (cut time.Time) {
	if t.IsZero() {
		return t
	}
	return time.UnixMilli(toMillis(t)).UTC()
}

// Scan implements sql.Scanner.
func (m *millis) Scan(v any) error {
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("a time is stored as %T", v)
	}
	*m = millis{}
	if n != 0 {
		*m = millis(time.UnixMilli(n).UTC())
	}
	return nil
}

// digest stores a SHA-256, the zero one as no bytes.
type digest [32]byte

// hashBytes returns what is stored for a hash: no bytes for the zero one.
func hashBytes(h [32]byte) []byte {
	if h == [32]byte{} {
		return []byte{}
	}
	return h[:]
}

// Scan implements sql.Scanner.
func (h *digest) Scan(v any) error {
	b, ok := v.([]byte)
	if !ok || len(b) != 0 && len(b) != len(h) {
		return errors.New("a hash is stored in another form")
	}
	*h = digest{}
	copy(h[:], b)
	return nil
}

// blob returns what is stored for b: never NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// record is a dispatch and its number in the order of acceptance.
type record struct {
	seq int64
	Dispatch
}

// The columns of a dispatch as scanRecord reads them. A list does without the
// prompt's text: fifty prompts are a megabyte that nobody looks at.
const (
	listColumns = "seq, id, vault, file, key, role, task_id, agent, runner, trigger, status, answered, withheld, " +
		"attempts, starts, next_attempt, error, created, started, finished, hash, undo, reapplied, model, input, output, cost, ''"
	fullColumns = "seq, id, vault, file, key, role, task_id, agent, runner, trigger, status, answered, withheld, " +
		"attempts, starts, next_attempt, error, created, started, finished, hash, undo, reapplied, model, input, output, cost, task"
)

func scanRecord(rows *sql.Rows, r *record) error {
	return rows.Scan(&r.seq, &r.ID, &r.Vault, &r.File, &r.Key, &r.Role, &r.TaskID, &r.Agent, &r.Runner, &r.Trigger,
		&r.Status, &r.Answered, &r.Withheld, &r.Attempts, &r.Starts, (*millis)(&r.NextAttempt), &r.Error,
		(*millis)(&r.Created), (*millis)(&r.Started), (*millis)(&r.Finished), (*digest)(&r.Hash), &r.Undo, &r.Reapplied,
		&r.Usage.Model, &r.Usage.Input, &r.Usage.Output, &r.Usage.Cost, &r.Task)
}

// readRecords reads the dispatches that rest selects, without their markers.
func readRecords(ctx context.Context, q queryer, columns, rest string, args ...any) ([]record, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+columns+" FROM dispatches "+rest, args...)
	return collect(rows, err, func(r *record) error { return scanRecord(rows, r) })
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
	list, err := json.Marshal(seqs)
	if err != nil {
		return nil, err
	}
	columns := "answer, context, b.text, b.before, b.after"
	if !texts {
		columns = "'', '', NULL, NULL, NULL"
	}
	type row struct {
		seq int64
		Marker
	}
	rows, err := q.QueryContext(ctx, "SELECT m.dispatch, line, m.text, ordinal, m.before, m.after, instruction, see, written, "+columns+
		" FROM markers AS m LEFT JOIN blocks AS b ON b.dispatch = m.dispatch AND b.position = m.position"+
		" WHERE m.dispatch IN (SELECT value FROM json_each(?)) ORDER BY m.dispatch, m.position", string(list))
	markers, err := collect(rows, err, func(m *row) error {
		return rows.Scan(&m.seq, &m.Line, &m.Text, &m.Ordinal, &m.Before, &m.After, &m.Instruction, &m.See, &m.Written, &m.Answer, &m.Context,
			&m.Block.Text, &m.Block.Before, &m.Block.After)
	})
	for _, m := range markers {
		d := &dispatches[at[m.seq]]
		d.Markers = append(d.Markers, m.Marker)
	}
	return dispatches, err
}

// collect is eachRow for callers that want all rows.
func collect[T any](rows *sql.Rows, err error, scan func(*T) error) ([]T, error) {
	var all []T
	err = eachRow(rows, err, func() error {
		var v T
		if err := scan(&v); err != nil {
			return err
		}
		all = append(all, v)
		return nil
	})
	return all, err
}

// eachRow calls fn on every row of a query and closes it; err is the query's own.
func eachRow(rows *sql.Rows, err error, fn func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// byID reads one dispatch with everything it has.
func byID(ctx context.Context, q queryer, id string) (record, error) {
	found, err := readRecords(ctx, q, fullColumns, "WHERE id = ?", id)
	if err != nil {
		return record{}, err
	}
	if len(found) == 0 {
		return record{}, ErrNotFound
	}
	full, err := withMarkers(ctx, q, found, true)
	if err != nil {
		return record{}, err
	}
	return record{seq: found[0].seq, Dispatch: full[0]}, nil
}

// Package salvage takes the rows of a damaged journal over into a new one, and knows what
// a row of a journal may hold.
//
//	count, err := salvage.Take(ctx, tx, damaged, isOfContents) // what can be read of it
//	problem, err := salvage.Check(ctx, db)                     // what makes no sense in it
//
// # Promises
//
// All rows that Take stores pass Check. An unreadable row costs itself alone: the dispatches and markers beside it
// come over, and a dispatch without one of its markers keeps the others. The damaged bytes cause no error of Take:
// only the new journal, or the end of the context, can fail it.
package salvage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Count says how many dispatches were taken over, and how many were seen and lost.
type Count struct{ Saved, Missing int }

// taking is one salvage.
type taking struct {
	target *sql.Tx
	source *source
	// columns of the new journal, by table
	columns map[string][]column
	// refuses reports whether an error is about a row, and not about the new journal
	refuses func(error) bool
}

// Take copies the readable rows of a damaged journal into a new one: dispatches with the rows that belong to them,
// then the rows of the tables alone. The damaged one is on its own connection, which Take writes to: it makes the
// indices anew if the bytes allow it. refuses reports whether an error of the new journal is about the contents of a
// row.
func Take(ctx context.Context, into *sql.Tx, from *sql.DB, refuses func(error) bool) (Count, error) {
	t := &taking{target: into, columns: make(map[string][]column), refuses: refuses}
	for table := range rules {
		columns, err := readColumns(ctx, into, table)
		if err != nil {
			return Count{}, err
		}
		t.columns[table] = columns
	}
	t.source = openSource(ctx, from, t.columns)
	count, err := t.takeDispatches(ctx)
	if err != nil {
		return count, err
	}
	for _, table := range alone {
		for _, id := range t.source.scan(ctx, table) {
			if row, ok := t.source.read(ctx, table, id, t.columns[table]); ok {
				if _, err := t.insert(ctx, table, row); err != nil {
					return count, err
				}
			}
		}
	}
	return count, ctx.Err()
}

// takeDispatches copies dispatches one by one, each with the rows that are left of what
// belongs to it.
func (t *taking) takeDispatches(ctx context.Context) (Count, error) {
	seqs := make(map[int64]bool)
	for _, seq := range t.source.scan(ctx, "dispatches") {
		seqs[seq] = true
	}
	parts := make(map[string]map[int64][]int64, len(dependents))
	for _, table := range dependents {
		parts[table] = t.source.group(ctx, table)
	}
	for seq := range parts["markers"] { // one whose own row is gone counts as lost
		seqs[seq] = true
	}
	var count Count
	for _, seq := range slices.Sorted(maps.Keys(seqs)) {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		saved, err := t.takeDispatch(ctx, seq, parts)
		switch {
		case err != nil:
			return count, err
		case saved:
			count.Saved++
		default:
			count.Missing++
		}
	}
	return count, nil
}

// takeDispatch copies one dispatch and says whether there was enough of it.
func (t *taking) takeDispatch(ctx context.Context, seq int64, parts map[string]map[int64][]int64) (bool, error) {
	head, ok := t.source.read(ctx, "dispatches", seq, t.columns["dispatches"])
	if !ok {
		return false, nil
	}
	head["seq"] = seq
	rest := make(map[string][]row, len(dependents))
	for _, table := range dependents {
		for _, id := range parts[table][seq] {
			if r, ok := t.source.read(ctx, table, id, t.columns[table]); ok && r["dispatch"] == seq {
				rest[table] = append(rest[table], r)
			}
		}
	}
	if rest["markers"] = closeGaps(head, rest["markers"], rest["blocks"]); len(rest["markers"]) == 0 {
		return false, nil
	}
	if ok, err := t.insert(ctx, "dispatches", head); err != nil || !ok {
		return false, err
	}
	for _, table := range dependents {
		for _, r := range rest[table] {
			ok, err := t.insert(ctx, table, r)
			if err != nil {
				return false, err
			}
			if !ok && table == "markers" { // none of them alone
				_, err := t.target.ExecContext(ctx, "DELETE FROM dispatches WHERE seq = ?", seq)
				return false, err
			}
		}
	}
	return true, nil
}

// closeGaps puts the markers of a dispatch into their order, numbers them without gaps, and
// their blocks with them. Where one is missing the task no longer says what is asked, and
// is forgotten.
func closeGaps(head row, markers, blocks []row) []row {
	position := func(r row) int64 { n, _ := r["position"].(int64); return n }
	slices.SortStableFunc(markers, func(a, b row) int { return int(position(a) - position(b)) })
	markers = slices.CompactFunc(markers, func(a, b row) bool { return position(a) == position(b) })
	to := make(map[int64]int64, len(markers))
	for i, m := range markers {
		to[position(m)] = int64(i)
		if position(m) != int64(i) {
			head["task"], head["sent"] = "", []byte{}
		}
		m["position"] = int64(i)
	}
	for _, m := range markers {
		if see, _ := m["see"].(int64); see > int64(len(markers)) {
			m["see"] = int64(0)
		}
	}
	for _, b := range blocks {
		if at, ok := to[position(b)]; ok {
			b["position"] = at
		} else {
			b["position"] = int64(-1) // it breaks the block's rule: left out
		}
	}
	return markers
}

// insert stores a row in a savepoint of its own and says whether the new journal took it.
func (t *taking) insert(ctx context.Context, table string, r row) (bool, error) {
	if table == "blocks" && r["position"] == int64(-1) {
		return false, nil
	}
	var names []string
	var values []any
	for _, c := range t.columns[table] {
		if v, ok := r[c.name]; ok {
			names, values = append(names, c.name), append(values, v)
		}
	}
	places := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	query := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), places)
	if _, err := t.target.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return false, err
	}
	_, refused := t.target.ExecContext(ctx, query, values...)
	if refused != nil {
		if _, err := t.target.ExecContext(ctx, "ROLLBACK TO one"); err != nil {
			return false, errors.Join(refused, err)
		}
	}
	if _, err := t.target.ExecContext(ctx, "RELEASE one"); err != nil {
		return false, errors.Join(refused, err)
	}
	if refused != nil && !t.refuses(refused) {
		return false, refused
	}
	return refused == nil, nil
}

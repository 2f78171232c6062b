package salvage

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// source is a damaged journal. Whatever it does not give counts as not there.
type source struct {
	db      *sql.DB
	columns map[string]map[string]string // by table and the new journal's name; an older version lacks some
}

// row is the values of a row by column.
type row map[string]any

// column is one of the new journal.
type column struct {
	name, kind string
	isOptional bool // it may be NULL
}

// openSource makes what it can of the damaged journal's columns and indices.
func openSource(ctx context.Context, db *sql.DB, wanted map[string][]column) *source {
	s := &source{db, make(map[string]map[string]string)}
	if err := db.PingContext(ctx); err != nil {
		return s // no database at all
	}
	for table := range rules {
		db.ExecContext(ctx, "REINDEX "+table) // after an error the old index remains in use
		rows, err := db.QueryContext(ctx, "SELECT * FROM "+table+" NOT INDEXED LIMIT 0")
		if err == nil {
			names, _ := rows.Columns()
			rows.Close()
			s.columns[table] = matchColumns(wanted[table], names)
		}
	}
	return s
}

// matchColumns finds the wanted columns among those of a damaged table: by name, or where
// the name itself is damaged by place.
func matchColumns(wanted []column, names []string) map[string]string {
	found := make(map[string]string)
	for i, c := range wanted {
		if slices.Contains(names, c.name) {
			found[c.name] = c.name
		} else if i < len(names) && !slices.ContainsFunc(wanted, func(w column) bool { return w.name == names[i] }) {
			found[c.name] = names[i]
		}
	}
	return found
}

// quote makes a name of whatever bytes fit for a query.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// mostJumps is how many damaged places one reading of a table gets over.
const mostJumps = 4096

// scan returns the row ids of a table, ascending: read from both ends, and on behind each
// damaged place.
func (s *source) scan(ctx context.Context, table string) []int64 {
	return slices.Sorted(maps.Keys(s.walk(ctx, table, "0")))
}

// group returns the row ids of a table by the dispatch they belong to.
func (s *source) group(ctx context.Context, table string) map[int64][]int64 {
	groups := make(map[int64][]int64)
	found := s.walk(ctx, table, quote(s.columns[table]["dispatch"]))
	for _, id := range slices.Sorted(maps.Keys(found)) {
		groups[found[id]] = append(groups[found[id]], id)
	}
	return groups
}

// walk returns the row ids of a table, each with the number in a column.
func (s *source) walk(ctx context.Context, table, column string) map[int64]int64 {
	found := make(map[int64]int64)
	if len(s.columns[table]) == 0 {
		return found
	}
	s.walkOneWay(ctx, found, fmt.Sprintf("SELECT rowid, %s FROM %s NOT INDEXED WHERE rowid >= ? ORDER BY rowid", column, table), 1)
	s.walkOneWay(ctx, found, fmt.Sprintf("SELECT rowid, %s FROM %s NOT INDEXED WHERE rowid <= ? ORDER BY rowid DESC", column, table), -1)
	return found
}

// walkOneWay reads until the rows end. Behind a damaged place it skips one id, then two, four and so on; ids in the
// wrong order are damage as well.
func (s *source) walkOneWay(ctx context.Context, found map[int64]int64, query string, step int64) {
	next, jump := int64(0), int64(1)
	if step < 0 {
		next = math.MaxInt64
	}
	for range mostJumps {
		last, damaged := s.readOn(ctx, found, query, next, step)
		if !damaged || ctx.Err() != nil {
			return
		}
		if last != next {
			jump = 1
		}
		if step > 0 && last > math.MaxInt64-jump || step < 0 && last < jump {
			return
		}
		next, jump = last+step*jump, min(jump*2, math.MaxInt64/4)
	}
}

// readOn reads rows from an id on and returns the last id read, and whether damage ended the reading.
func (s *source) readOn(ctx context.Context, found map[int64]int64, query string, from, step int64) (last int64, damaged bool) {
	rows, err := s.db.QueryContext(ctx, query, from)
	if err != nil {
		return from, true
	}
	defer rows.Close()
	last = from
	for first := true; rows.Next(); first = false {
		var id int64
		var value any
		if rows.Scan(&id, &value) != nil || !first && (id-last)*step <= 0 {
			return last, true
		}
		if n, ok := value.(int64); ok {
			found[id] = n
		}
		last = id
	}
	return last, rows.Err() != nil
}

// read returns a row as the new journal may hold it, or false where too little of it is left.
func (s *source) read(ctx context.Context, table string, id int64, columns []column) (row, bool) {
	r := make(row, len(columns))
	values := s.readValues(ctx, table, id)
	for _, c := range columns {
		if s.columns[table][c.name] == "" && !isEssential(table, c.name) {
			continue // of a later version: its default
		}
		v, ok := values[c.name]
		ok = ok && c.holds(v) && obeys(table, c.name, v)
		switch {
		case ok:
			r[c.name] = v
		case isEssential(table, c.name):
			return nil, false
		default:
			r[c.name] = c.empty()
		}
	}
	return r, true
}

// readValues reads a row at once, or where that fails column by column.
func (s *source) readValues(ctx context.Context, table string, id int64) row {
	names := slices.Collect(maps.Keys(s.columns[table]))
	if len(names) == 0 {
		return nil
	}
	if all := s.readSome(ctx, table, id, names); all != nil {
		return all
	}
	all := make(row, len(names))
	for _, name := range names {
		maps.Copy(all, s.readSome(ctx, table, id, []string{name}))
	}
	return all
}

// readSome reads some columns of a row, or nothing where one of them cannot be read.
func (s *source) readSome(ctx context.Context, table string, id int64, names []string) row {
	quoted := make([]string, len(names))
	values, at := make([]any, len(names)), make([]any, len(names))
	for i, name := range names {
		quoted[i], at[i] = quote(s.columns[table][name]), &values[i]
	}
	query := fmt.Sprintf("SELECT %s FROM %s NOT INDEXED WHERE rowid = ?", strings.Join(quoted, ", "), table)
	if err := s.db.QueryRowContext(ctx, query, id).Scan(at...); err != nil {
		return nil
	}
	r := make(row, len(names))
	for i, name := range names {
		if b, ok := values[i].([]byte); ok && b == nil {
			values[i] = []byte{} // no bytes, which nil would not be
		}
		r[name] = values[i]
	}
	return r
}

// holds says whether a value is of the column's type.
func (c column) holds(v any) bool {
	switch v.(type) {
	case nil:
		return c.isOptional
	case int64:
		return c.kind == "INTEGER"
	case float64:
		return c.kind == "REAL"
	case string:
		return c.kind == "TEXT"
	case []byte:
		return c.kind == "BLOB"
	}
	return false
}

// empty returns the value that replaces a lost one.
func (c column) empty() any {
	switch c.kind {
	case "INTEGER":
		return int64(0)
	case "REAL":
		return float64(0)
	case "BLOB":
		return []byte{}
	}
	return ""
}

// queryer is a database or a transaction of one.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readColumns returns the columns of a table.
func readColumns(ctx context.Context, db queryer, table string) ([]column, error) {
	rows, err := db.QueryContext(ctx, "SELECT name, type, NOT [notnull] AND NOT pk FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var columns []column
	for rows.Next() {
		var c column
		if err := rows.Scan(&c.name, &c.kind, &c.isOptional); err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, rows.Err()
}

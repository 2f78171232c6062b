// Package board remembers what looks have found that is not taken up.
//
//	board.Keep(root, rel, rows, first, now, settle) // what is known of the note from now on
//	count, first := board.List(root)
package board

import (
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/untaken"
)

// MostShown is how many rows of a vault are shown. Of one note mostRows are remembered, and of one vault mostNotes that have any.
const MostShown, mostRows, mostNotes = 20, 20, 1000

// Board remembers what is not taken up, by vault and note: a bounded number of rows for each vault, and how many more there are.
// The zero Board is empty. It is safe for concurrent use.
type Board struct {
	mu   sync.Mutex // guards rows
	rows map[string]map[string]entry
}

// entry is what is known of a note: the first rows, and how many there are.
type entry struct {
	rows  []kept
	count int // of the shown rows
}

// kept is a row that is remembered.
type kept struct {
	untaken.Row
	start time.Time // when it was first seen
	ripe  bool      // it was not being typed when it was last seen
}

// Keep replaces the rows of a note of a vault. A new row counts from first, or from now if that is
// zero. Keep returns the rows that are reported from now on, since they were unchanged for the time
// settle, and when there will be others: then the note should be looked at once more.
func (b *Board) Keep(vault, rel string, rows []untaken.Row, first, now time.Time, settle time.Duration) (news []untaken.Row, next time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.rows[vault][rel]
	if len(rows) == 0 {
		delete(b.rows[vault], rel)
		return nil, time.Time{}
	}
	if first.IsZero() {
		first = now
	}
	e := entry{count: max(0, len(rows)-mostRows)}
	rows = slices.Clone(rows[:min(len(rows), mostRows)])
	untaken.SortRows(rows)
	for _, r := range rows {
		r.File = rel
		row := kept{Row: r, start: first}
		if at := slices.IndexFunc(before.rows, func(k kept) bool { return k.IsSame(r) }); at >= 0 { // moved or not, it is the same line
			row.Old, row.start, row.ripe = before.rows[at].Old, before.rows[at].start, before.rows[at].ripe
		}
		switch due := row.start.Add(settle); {
		case row.ripe:
		case row.Old || !due.After(now):
			row.ripe = true
			news = append(news, row.Row)
		case next.IsZero() || due.Before(next):
			next = due
		}
		if e.rows = append(e.rows, row); !row.isUntold() {
			e.count++
		}
	}
	if b.rows == nil {
		b.rows = make(map[string]map[string]entry)
	}
	if b.rows[vault] == nil {
		b.rows[vault] = make(map[string]entry)
	}
	if before.rows == nil && len(b.rows[vault]) >= mostNotes {
		e.rows, news, next = nil, nil, time.Time{}
	}
	b.rows[vault][rel] = e
	return news, next
}

// Of returns the rows of one note, also those that are not told of.
func (b *Board) Of(vault, rel string) []untaken.Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	return rowsOf(b.rows[vault][rel].rows, func(kept) bool { return true })
}

// Unasked returns the rows of one note that are told of unasked.
func (b *Board) Unasked(vault, rel string) []untaken.Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	return rowsOf(b.rows[vault][rel].rows, func(r kept) bool { return r.ripe && !r.Hidden && !r.Old })
}

// rowsOf returns those of the rows that are wanted.
func rowsOf(all []kept, isWanted func(r kept) bool) (rows []untaken.Row) {
	for _, r := range all {
		if isWanted(r) {
			rows = append(rows, r.Row)
		}
	}
	return rows
}

// isUntold reports whether a row is not told of: its line may still be being typed, or was put
// there on purpose, and not just now.
func (r kept) isUntold() bool { return !r.ripe || r.Hidden && r.Old }

// List returns how many rows a vault has, and the first of them by note and line.
func (b *Board) List(vault string) (count int, first []untaken.Row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.rows[vault] {
		count += e.count
		first = append(first, rowsOf(e.rows, func(r kept) bool { return !r.isUntold() })...)
		if len(first) > 50*MostShown { // however many there are
			untaken.SortRows(first)
			first = first[:MostShown]
		}
	}
	untaken.SortRows(first)
	return count, first[:min(len(first), MostShown)]
}

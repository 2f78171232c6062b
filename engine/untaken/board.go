package untaken

import (
	"slices"
	"sync"
	"time"
)

// MostShown is how many rows of a vault are shown. Of one note mostRows are remembered, and of one vault mostNotes that have any.
const MostShown, mostRows, mostNotes = 20, 20, 1000

// Board remembers what is not taken up, by vault and note: a bounded number of rows for each vault, and how many more there are.
// The zero Board is empty. It is safe for concurrent use.
type Board struct {
	mu sync.Mutex // guards by
	by map[string]map[string]entry
}

// entry is what is known of a note: the first rows, and how many there are.
type entry struct {
	rows  []Row
	count int // of those that are shown
}

// Keep replaces what is known of a note of a vault, as it is now. What is new was noticed first, or now where that is not known.
// It returns the rows that are told of from now on, which were unchanged for the time settle, and when there will be others: then
// the note should be looked at once more.
func (b *Board) Keep(vault, rel string, rows []Row, first, now time.Time, settle time.Duration) (news []Row, next time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.by[vault][rel]
	if len(rows) == 0 {
		delete(b.by[vault], rel)
		return nil, time.Time{}
	}
	if first.IsZero() {
		first = now
	}
	kept := slices.Clone(rows[:min(len(rows), mostRows)])
	sortRows(kept)
	for i := range kept {
		row := &kept[i]
		row.File, row.since = rel, first
		if at := slices.IndexFunc(before.rows, row.isSame); at >= 0 { // moved or not, it is the same line
			row.Old, row.since, row.ripe = before.rows[at].Old, before.rows[at].since, before.rows[at].ripe
		}
		switch due := row.since.Add(settle); {
		case row.ripe:
		case row.Old || !due.After(now):
			row.ripe = true
			news = append(news, *row)
		case next.IsZero() || due.Before(next):
			next = due
		}
	}
	e := entry{kept, len(rows) - len(kept) + len(slices.DeleteFunc(slices.Clone(kept), Row.isUntold))}
	if b.by == nil {
		b.by = make(map[string]map[string]entry)
	}
	if b.by[vault] == nil {
		b.by[vault] = make(map[string]entry)
	}
	if before.rows == nil && len(b.by[vault]) >= mostNotes {
		e.rows, news, next = nil, nil, time.Time{}
	}
	b.by[vault][rel] = e
	return news, next
}

// Of returns the rows of one note, also those that are not told of.
func (b *Board) Of(vault, rel string) []Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.by[vault][rel].rows)
}

// isUntold reports whether a row is not told of: its line may still be being typed, or was put
// there on purpose, and not just now.
func (r Row) isUntold() bool { return !r.ripe || r.Hidden && r.Old }

// IsToldOf reports whether a row is told of, and is about the same as another, as it was found
// just now.
func (r Row) IsToldOf(other Row) bool { return r.isSame(other) && r.ripe && !r.Hidden && !r.Old }

// isSame reports whether a row is about the same line as another of its note.
func (r Row) isSame(other Row) bool {
	return r.Kind == other.Kind && r.Text == other.Text && r.Reason == other.Reason
}

// List returns how many rows a vault has, and the first of them by note and line.
func (b *Board) List(vault string) (count int, first []Row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.by[vault] {
		count += e.count
		first = append(first, slices.DeleteFunc(slices.Clone(e.rows), Row.isUntold)...)
		if len(first) > 50*MostShown { // however many there are
			sortRows(first)
			first = first[:MostShown]
		}
	}
	sortRows(first)
	return count, first[:min(len(first), MostShown)]
}

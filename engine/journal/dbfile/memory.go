package dbfile

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// Memory keeps lists that were read for records, by their number, until a write changes them. The zero value is empty. It is safe for
// concurrent use.
type Memory[T interface{ Size() int }] struct {
	mu      sync.Mutex // guards the fields below
	kept    map[int64][]T
	size    int            // of all that is kept
	reading int            // calls that may keep something
	changed map[int64]bool // since one of these began
}

// Begin begins a call that may keep something; it comes before anything is read, and End behind all.
func (m *Memory[T]) Begin() { m.count(1) }

// End ends a call.
func (m *Memory[T]) End() { m.count(-1) }

func (m *Memory[T]) count(more int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reading += more; m.reading == 0 {
		m.changed = nil
	}
}

// Pick returns what is kept of some records, and those that are to be read.
func (m *Memory[T]) Pick(seqs []int64) (known map[int64][]T, missing []int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known = make(map[int64][]T, len(seqs))
	for _, seq := range seqs {
		if of, isKept := m.kept[seq]; isKept {
			known[seq] = of
		} else {
			missing = append(missing, seq)
		}
	}
	return known, missing
}

// beside is about how many bytes a value takes besides its texts.
const beside = 400

// Keep keeps what was read of records that no write has changed since the call began. Once all is larger than most, those
// with the smallest numbers are forgotten.
func (m *Memory[T]) Keep(seqs []int64, read map[int64][]T, most int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = make(map[int64][]T)
	}
	for _, seq := range seqs {
		if !m.changed[seq] {
			m.drop(seq)
			m.kept[seq] = read[seq]
			m.size += sizeOf(read[seq])
		}
	}
	if m.size <= most {
		return
	}
	for _, seq := range slices.Sorted(maps.Keys(m.kept)) {
		if m.size > most {
			m.drop(seq)
		}
	}
}

// drop forgets one record. The caller holds mu.
func (m *Memory[T]) drop(seq int64) {
	m.size -= sizeOf(m.kept[seq])
	delete(m.kept, seq)
}

func sizeOf[T interface{ Size() int }](list []T) (size int) {
	for _, of := range list {
		size += of.Size() + beside
	}
	return size
}

// Forget forgets records that were changed.
func (m *Memory[T]) Forget(seqs ...int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, seq := range seqs {
		m.drop(seq)
		if m.reading > 0 && m.changed == nil {
			m.changed = make(map[int64]bool)
		}
		if m.reading > 0 {
			m.changed[seq] = true
		}
	}
}

// ReadNumbers reads the numbers of records that a query returns as seq, in its order.
func ReadNumbers(ctx context.Context, tx *sql.Tx, query string, args ...any) (seqs []int64, err error) {
	var found []byte
	if err = tx.QueryRowContext(ctx, "SELECT json_group_array(seq) FROM ("+query+")", args...).Scan(&found); err == nil {
		err = json.Unmarshal(found, &seqs)
	}
	return seqs, err
}

// ListNumbers returns a list for SQLite's json_each.
func ListNumbers(seqs []int64) string {
	list, _ := json.Marshal(seqs) // numbers cannot fail
	return string(list)
}

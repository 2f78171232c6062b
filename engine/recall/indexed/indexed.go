// Package indexed reads what an index knows of its notes, all of them at once, and has the hashes by which it knows their texts:
//
//	known, err := indexed.Read(ctx, db, 10_000)
//	if known.IsLong("a.md", time.Minute) { ... }
//
// A row for each note would cost a start more than all else it asks of an index, so SQLite puts many into one.
package indexed

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/recall/cachefile"
)

// Notes is what an index knew of its notes.
type Notes struct {
	Marks map[string]int64 // of the states that they were indexed in, by path

	came map[string]int64 // when notes came with a question, in milliseconds
	last int64            // the latest such time
}

// together is how many notes are in one row at most: some hundred kilobytes.
const together = 4096

// Read reads what an index knows; about so many notes.
func Read(ctx context.Context, db *sql.DB, about int) (*Notes, error) {
	n := &Notes{Marks: make(map[string]int64, about), came: make(map[string]int64)}
	for next := (sql.NullInt64{Int64: math.MinInt64, Valid: true}); next.Valid; {
		var count int
		var rels, marks, came, asking string
		err := db.QueryRowContext(ctx, `SELECT (SELECT min(id) - 1 FROM notes WHERE id > ?1 + ?2), count(*),
			coalesce(group_concat(rel, x'00'), ''), coalesce(group_concat(mark), ''),
			coalesce(group_concat(rel, x'00') FILTER (WHERE came IS NOT 0), ''), coalesce(group_concat(came) FILTER (WHERE came IS NOT 0), '')
			FROM notes WHERE id > ?1 AND id <= ?1 + ?2`, next.Int64, together).Scan(&next, &count, &rels, &marks, &asking, &came)
		if err == nil {
			err = readPairs(rels, marks, func(rel string, mark int64) { n.Marks[rel] = mark; count-- })
		}
		if err == nil {
			err = readPairs(asking, came, func(rel string, at int64) { n.came[rel], n.last = at, max(n.last, at) })
		}
		if err == nil && count != 0 {
			err = fmt.Errorf("the rows of notes: %w", cachefile.ErrDamaged)
		}
		if err != nil {
			return nil, err
		}
	}
	return n, nil
}

// readPairs reads two lists of equal length, of names and of the number of each.
func readPairs(names, numbers string, pair func(name string, number int64)) error {
	for names != "" || numbers != "" {
		var name, number string
		name, names, _ = strings.Cut(names, "\x00")
		number, numbers, _ = strings.Cut(numbers, ",")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || name == "" {
			return fmt.Errorf("the rows of notes: %w", cachefile.ErrDamaged)
		}
		pair(name, n)
	}
	return nil
}

// IsLong reports whether a note is known, and did not come with a question as late as the last of them, or so much before it: an
// engine that has ended since may not have got to that one.
func (n *Notes) IsLong(rel string, before time.Duration) bool {
	_, isKnown := n.Marks[rel]
	came, isAsking := n.came[rel]
	return isKnown && (!isAsking || came < n.last-before.Milliseconds())
}

// Hash is what the index keeps of a text to know it again.
func Hash(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:16]
}

// AppendTexts appends texts so that no others make the same bytes.
func AppendTexts(to []byte, texts ...string) []byte {
	for _, text := range texts {
		to = append(binary.AppendUvarint(to, uint64(len(text))), text...)
	}
	return to
}

package schema

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
)

// last is the oldest version that is brought up to date.
const last = 18

// steps bring a file that is older than a version to it, in their order.
var steps = []struct {
	version int
	take    func(ctx context.Context, tx *sql.Tx) error
}{
	{19, execute("ALTER TABLE given ADD COLUMN said INTEGER NOT NULL DEFAULT 0")},
	{20, mergePasts},
	{21, execute("ALTER TABLE dispatches ADD COLUMN none INTEGER NOT NULL DEFAULT 0")},
	{22, execute(schedules)},
	{23, execute("CREATE TABLE both AS SELECT rowid AS nth, temp, dispatch, path, base, new, text FROM swaps UNION ALL SELECT rowid, temp, NULL, path, base, new, text FROM comments;" +
		"DROP TABLE comments; DROP TABLE swaps;" + swaps + "INSERT INTO swaps SELECT temp, dispatch, path, base, new, text FROM both ORDER BY nth; DROP TABLE both")},
}

func execute(statements string) func(ctx context.Context, tx *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statements)
		return err
	}
}

// upgrade brings a file of an older version up to date.
func upgrade(ctx context.Context, tx *sql.Tx, version int) error {
	for _, s := range steps {
		if version >= s.version {
			continue
		}
		if err := s.take(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// pastRow is a row of the table pasts.
type pastRow struct {
	vault, file, kind  string
	arrival, departure int64
	lines, alike       []byte
}

// mergePasts makes one table of the two in which version 18 remembered the lines of notes. standing has a hash of
// each line of a quote, whose last bit says whether it was a person's own, and behind a 0 the hashes of lines that
// were gone. arrivals has the hashes of the words of all lines, and of the lines that came with the note. engine/past
// defines the form of the new table.
func mergePasts(ctx context.Context, tx *sql.Tx) error {
	list, err := readPasts(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, pasts+"; DROP TABLE arrivals; DROP TABLE standing; ALTER TABLE blocks ADD COLUMN removed INTEGER NOT NULL DEFAULT 0"); err != nil {
		return err
	}
	for _, r := range list {
		if _, err := tx.ExecContext(ctx, "INSERT INTO pasts (vault, file, seen, kind, lines, alike, gone) VALUES (?, ?, ?, ?, ?, ?, ?)",
			r.vault, r.file, r.arrival, r.kind, r.lines, r.alike, r.departure); err != nil {
			return fmt.Errorf("remember %s: %w", r.file, err)
		}
	}
	return nil
}

func readPasts(ctx context.Context, tx *sql.Tx) (list []pastRow, err error) {
	rows, err := tx.QueryContext(ctx, `
SELECT a.vault, a.file, a.kind, a.seen, a.gone, coalesce(s.lines, x''), a.lines, a.came FROM arrivals AS a LEFT JOIN standing AS s USING (vault, file)
UNION ALL SELECT vault, file, '', 0, 0, lines, x'', x'' FROM standing WHERE (vault, file) NOT IN (SELECT vault, file FROM arrivals)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r pastRow
		var standing, lines, came []byte
		if err := rows.Scan(&r.vault, &r.file, &r.kind, &r.arrival, &r.departure, &standing, &lines, &came); err != nil {
			return nil, err
		}
		r.lines = mergeLines(splitHashes(standing), splitHashes(lines), splitHashes(came))
		if r.alike = []byte{}; r.kind == "untrusted" {
			r.alike = sumOf(splitHashes(lines))
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// mergeLines puts together what was remembered of the lines of a note: two hashes for each, that of what was standing, and that of
// its words, whose last bit says whether it came with the note. Which of both belong to one line is not known.
func mergeLines(standing, lines, came []uint64) []byte {
	merged := []byte{}
	add := func(exact, words uint64) {
		merged = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(merged, exact), words)
	}
	end := slices.Index(standing, 0)
	if end < 0 {
		end = len(standing)
	}
	for _, exact := range standing[:end] {
		add(exact, 0)
	}
	brought := make(map[uint64]bool)
	for _, words := range came {
		brought[words] = true
	}
	for _, words := range lines {
		last := uint64(0)
		if brought[words] {
			last = 1
		}
		add(0, words&^1|last)
		delete(brought, words)
	}
	add(0, 0) // the hashes after it are of lines that are gone
	for _, exact := range standing[min(end+1, len(standing)):] {
		add(exact, 0)
	}
	for _, words := range came {
		if brought[words] {
			add(0, words&^1|1)
		}
	}
	return merged
}

// sumOf is what a note is found by that had these words, which are in order.
func sumOf(words []uint64) []byte {
	var b []byte
	for _, one := range words {
		b = binary.BigEndian.AppendUint64(b, one&^1)
	}
	sum := sha256.Sum256(b)
	return sum[:16]
}

func splitHashes(b []byte) (hashes []uint64) {
	for one := range slices.Chunk(b[:len(b)/8*8], 8) {
		hashes = append(hashes, binary.BigEndian.Uint64(one))
	}
	return hashes
}

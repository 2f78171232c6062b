package salvage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// dependents are the tables whose rows belong to a dispatch.
var dependents = []string{"markers", "steps", "blocks", "parts"}

// alone are the tables whose rows need no other row, or a dispatch that was taken over. The loss of such a row loses no words: the file of an
// unknown write is kept, an earlier damage not mentioned, a limit met once more. Which vaults were given and met is not
// taken over, so that they find another journal, and all markers in them count as when they were first watched: a
// question missing from the new one may have been held, taken back or cancelled.
var alone = []string{"swaps", "pasts", "copies", "limits", "damages", "schedules"}

// rule reports whether a column may hold a value.
type rule func(v any) bool

// table has what a row cannot be without, and the rules of its columns.
type table struct {
	essential []string
	rules     map[string]rule
}

// rules are what the code that reads a journal relies on, beyond the types and the checks of
// the schema.
var rules = map[string]table{
	"dispatches": {[]string{"id", "vault", "file", "key", "role", "agent", "trigger", "status"}, map[string]rule{
		"id": isID, "vault": isName, "file": isText, "role": isName, "status": oneOf("queued", "processing", "done", "failed", "held", "parked", "cancelled"),
		"answered": isBool, "withheld": isBool, "local": isBool, "none": isCount, "sources": isText, "place": isText, "asked": oneOf("", "told", "append", "create"), "attempts": isSmall, "starts": isSmall, "reapplied": isSmall, "input": isCount, "output": isCount, "cost": isCost,
		"next_attempt": isTime, "created": isTime, "started": isTime, "finished": isTime, "hash": isHash(0, 32), "undo": oneOf("", "undoing", "undone"),
	}},
	"markers": {[]string{"dispatch", "position", "text", "instruction", "written", "answer"}, map[string]rule{
		"position": isSmall, "line": isSmall, "ordinal": isSmall, "see": isSmall, "written": isBool,
	}},
	"steps":  {[]string{"dispatch", "name"}, map[string]rule{"at": isTime}},
	"swaps":  {[]string{"dispatch", "temp", "path", "base", "new"}, map[string]rule{"temp": isName, "path": isName, "base": isHash(0, 32), "new": isHash(0, 32)}},
	"blocks": {[]string{"dispatch", "position", "text", "before", "after"}, map[string]rule{"position": isSmall, "removed": isTime}},
	"parts":  {[]string{"dispatch", "key", "text"}, map[string]rule{"key": isName, "text": isText}},
	"vaults": {[]string{"path"}, map[string]rule{"path": isName, "met": isTime}},
	"given":  {[]string{"path"}, map[string]rule{"path": isName, "at": isTime, "said": isTime}},
	"pasts": {[]string{"vault", "file", "kind", "lines", "alike"}, map[string]rule{"vault": isName, "file": isName, "kind": oneOf("", "untrusted", "old"),
		"lines": isRecords, "seen": isTime, "gone": isTime}},
	"copies": {[]string{"vault", "file", "original", "hash", "markers"}, map[string]rule{"vault": isName, "file": isName, "original": isName,
		"hash": isHash(0, 32), "markers": isHashes, "seen": isTime, "gone": isTime}},
	"limits":    {[]string{"role", "until"}, map[string]rule{"role": isName, "since": isTime, "until": isTime}},
	"schedules": {[]string{"id", "last"}, map[string]rule{"id": isName, "last": isTime, "paused": isBool, "dispatch": isText}},
	"damages":   {[]string{"path"}, map[string]rule{"path": isName, "at": isTime, "salvaged": isSmall, "lost": isSmall}},
}

func isEssential(name, column string) bool { return slices.Contains(rules[name].essential, column) }

// obeys reports whether a column of a table may hold a value.
func obeys(name, column string, v any) bool {
	is, ok := rules[name].rules[column]
	return !ok || is(v)
}

func isBetween(v any, least, most int64) bool {
	n, ok := v.(int64)
	return ok && least <= n && n <= most
}

func isBool(v any) bool  { return isBetween(v, 0, 1) }
func isSmall(v any) bool { return isBetween(v, 0, math.MaxInt32) }
func isCount(v any) bool { return isBetween(v, 0, math.MaxInt64/2) }

// isTime says whether v is a time that every reader can show: JSON has none after 9999.
func isTime(v any) bool {
	return isBetween(v, 0, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
}

func isCost(v any) bool {
	f, ok := v.(float64)
	return ok && f >= 0 && !math.IsInf(f, 0)
}

func isHash(sizes ...int) rule {
	return func(v any) bool {
		b, ok := v.([]byte)
		return ok && slices.Contains(sizes, len(b))
	}
}

// isHashes says whether v can be several SHA-256, one behind the other.
func isHashes(v any) bool {
	b, ok := v.([]byte)
	return ok && len(b)%32 == 0
}

// isRecords says whether v can be the lines of a past, of 16 bytes each.
func isRecords(v any) bool {
	b, ok := v.([]byte)
	return ok && len(b)%16 == 0
}

func oneOf(words ...string) rule {
	return func(v any) bool {
		s, ok := v.(string)
		return ok && slices.Contains(words, s)
	}
}

func isText(v any) bool {
	s, ok := v.(string)
	return ok && !strings.ContainsRune(s, 0)
}

// isName says whether v can be a path or a name.
func isName(v any) bool { return isText(v) && v != "" }

// isID reports whether v can be the id of a dispatch, which is written into comments of notes and addresses.
func isID(v any) bool {
	s, ok := v.(string)
	return ok && s != "" && len(s) <= 200 && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r > '~' || strings.ContainsRune("<>/", r)
	})
}

// Check says what in the rows of a journal breaks a rule, though SQLite finds nothing wrong; the
// first that it meets, or nothing. It reads no long texts.
func Check(ctx context.Context, db queryer) (string, error) {
	for name, t := range rules {
		problem, err := checkTable(ctx, db, name, t)
		if problem != "" || err != nil {
			return problem, err
		}
	}
	return checkMarkers(ctx, db)
}

func checkTable(ctx context.Context, db queryer, name string, t table) (string, error) {
	columns := make([]string, 0, len(t.rules))
	for c := range t.rules {
		columns = append(columns, c)
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT rowid, %s FROM %s", strings.Join(columns, ", "), name))
	if err != nil || len(columns) == 0 {
		return "", err
	}
	defer rows.Close()
	values, at := make([]any, len(columns)+1), make([]any, len(columns)+1)
	for i := range at {
		at[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			return "", err
		}
		for i, c := range columns {
			v := values[i+1]
			if b, ok := v.([]byte); ok && b == nil {
				v = []byte{}
			}
			if !t.rules[c](v) {
				return fmt.Sprintf("row %v of %s has a value in %s that cannot be", values[0], name, c), nil
			}
		}
	}
	return "", rows.Err()
}

// checkMarkers says which dispatch has lost one of its markers.
func checkMarkers(ctx context.Context, db queryer) (string, error) {
	rows, err := db.QueryContext(ctx, `SELECT d.seq FROM dispatches AS d LEFT JOIN markers AS m ON m.dispatch = d.seq
		GROUP BY d.seq HAVING count(m.position) = 0 OR min(m.position) <> 0 OR max(m.position) <> count(*) - 1 OR max(m.see) > count(*) LIMIT 1`)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	if rows.Next() {
		var seq int64
		err := rows.Scan(&seq)
		return fmt.Sprintf("dispatch %d has lost a marker", seq), err
	}
	return "", rows.Err()
}

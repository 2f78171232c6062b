package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/journal/ids"
	"vaultdispatcher/engine/note"
)

// errTaken ends the transaction of an Accept that found its markers claimed.
var errTaken = errors.New("markers already claimed")

// Accept stores d as a new dispatch and claims its markers, if they are free.
//
// equal says, for the text of every marker of d, how many such markers, line ends apart,
// the note holds now. Let the claims held on such a line in d's note and
// those d wants be counted together: if for any text they are more than
// equal[text], some marker would get two dispatches; then nothing is stored and
// Accept returns false. Claims that wait for their agent or their answer count for all texts that differ
// in white space alone. The count and the storing are one transaction, so of any
// number of callers that saw the same save exactly one gets true.
//
// d.Status is Queued or Held. Accept fills in an empty d.ID and a zero d.Created; the fields of later steps (answers,
// counts, times) start empty. It returns the dispatch as it is stored.
func (j *Journal) Accept(ctx context.Context, d Dispatch, equal map[string]int) (Dispatch, bool, error) {
	if d.Status != Queued && d.Status != Held {
		return Dispatch{}, false, fmt.Errorf("accept dispatch in %s: status %q: %w", d.File, d.Status, ErrState)
	}
	if len(d.Markers) == 0 {
		return Dispatch{}, false, fmt.Errorf("accept dispatch in %s: it has no markers", d.File)
	}
	if d.Created.IsZero() {
		d.Created = time.Now()
	}
	if d.ID == "" {
		d.ID = ids.New(d.Created)
	}
	return j.acceptIf(ctx, "accept dispatch in "+d.File, d, "", func(ctx context.Context, tx *sql.Tx) error { return checkFree(ctx, tx, d, equal) })
}

// acceptIf stores a new dispatch in one transaction with a check, which refuses it with errTaken. One without markers is
// only checked. The run of a schedule remembers that one.
func (j *Journal) acceptIf(ctx context.Context, doing string, d Dispatch, schedule string, check func(ctx context.Context, tx *sql.Tx) error) (Dispatch, bool, error) {
	var stored record
	err := j.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		err := check(ctx, tx)
		if err != nil || len(d.Markers) == 0 {
			return err
		}
		if err = insertDispatch(ctx, tx, d); err == nil {
			stored, err = byID(ctx, tx, fullColumns, d.ID)
		}
		if err != nil || schedule == "" {
			return err
		}
		return keepPart(ctx, tx, &stored, PartSchedule, schedule)
	})
	switch {
	case errors.Is(err, errTaken):
		return Dispatch{}, false, nil
	case err != nil:
		return Dispatch{}, false, fmt.Errorf("%s: %w", doing, err)
	case len(d.Markers) > 0:
		j.stepped("accepted", stored.Dispatch)
	}
	return stored.Dispatch, true, nil
}

// checkFree returns errTaken when d's markers and the claims of its note outnumber
// the note's lines.
func checkFree(ctx context.Context, tx *sql.Tx, d Dispatch, equal map[string]int) error {
	if d.Asked != "" {
		return nil
	}
	query, args := selectClaims(d.Vault, d.File)
	rows, err := tx.QueryContext(ctx, query, args...)
	held, err := dbfile.Collect(rows, err, claimFields)
	if err != nil {
		return err
	}
	if !isFree(held, d.Markers, equal) {
		return errTaken
	}
	return nil
}

// unifyCounts counts texts that differ in nothing but their line ends as one.
func unifyCounts(equal map[string]int) map[string]int {
	n := make(map[string]int, len(equal))
	for text, count := range equal {
		n[note.UnifyLineEnds(text)] += count
	}
	return n
}

// Move says that the question of an unfinished dispatch is in another note of its
// vault. As in Accept, equal counts the byte-equal marker lines of that note; where
// its claims would outnumber them nothing is stored and Move returns false.
func (j *Journal) Move(ctx context.Context, id, file string, equal map[string]int) (bool, error) {
	free := newFreeLines(equal)
	_, err := j.takeStep(ctx, moved, id, file, func(ctx context.Context, tx *sql.Tx, d *record) error {
		there := d.Dispatch
		there.File, there.Markers = file, nil
		for _, m := range d.Markers {
			if !m.Written && free.count[free.find(m.Text, d.Status)] > 0 { // a line that is nowhere claims nothing
				there.Markers = append(there.Markers, m)
			}
		}
		if err := checkFree(ctx, tx, there, equal); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE dispatches SET file = ? WHERE seq = ?", file, d.seq)
		return err
	})
	if errors.Is(err, errTaken) {
		return false, nil
	}
	return err == nil, err
}

// insertDispatch stores a new dispatch, its markers and its first step.
func insertDispatch(ctx context.Context, tx *sql.Tx, d Dispatch) error {
	result, err := tx.ExecContext(ctx, `INSERT INTO dispatches (id, vault, file, key, role, task_id, agent, runner, trigger,
		status, answered, withheld, attempts, starts, next_attempt, error, hold, created, started, finished, hash, place, asked, task, sent)
		VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, ?, 0, 0, 0, 0, ?, ?, ?, ?, 0, 0, x'', ?, ?, '', ?)`,
		d.ID, d.Vault, d.File, d.Key, d.Role, d.TaskID, d.Agent, d.Trigger,
		d.Status, columns.ToMillis(d.NextAttempt), d.Error, d.Hold, columns.ToMillis(d.Created), d.Place, d.Asked, columns.Pack(d.Task))
	if err != nil {
		return err
	}
	seq, err := result.LastInsertId()
	if err != nil {
		return err
	}
	for i, m := range d.Markers {
		if _, err := tx.ExecContext(ctx, `INSERT INTO markers (dispatch, position, line, text, ordinal, before, after,
			instruction, see, written, answer, context, packed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', '', ?)`,
			seq, i, m.Line, []byte(m.Text), m.Ordinal, []byte(m.Upper), []byte(m.Lower), m.Instruction, m.See, columns.Pack(m.Context)); err != nil {
			return err
		}
	}
	if err := addStep(ctx, tx, seq, "accepted", d.Trigger); err != nil || d.Status != Held {
		return err
	}
	return addStep(ctx, tx, seq, string(Held), d.Error)
}

// Claims returns the markers in a note that belong to a dispatch and wait for
// their answer, in the order of acceptance; with an empty file those of the whole
// vault, ordered by file.
func (r *Reader) Claims(ctx context.Context, vault, file string) ([]Claim, error) {
	query, args := selectClaims(vault, file)
	return dbfile.List(ctx, r.db, "read claims", claimFields, query, args...)
}

func claimFields(c *Claim) []any {
	m := &c.Marker
	return []any{&c.Dispatch, &c.File, &c.Status, &c.Answered, &m.Line, &m.Text, &m.Ordinal, &m.Upper, &m.Lower, &m.Instruction, &m.See, (*columns.Millis)(&c.Accepted)}
}

func selectClaims(vault, file string) (query string, args []any) {
	where, args := "vault = ? AND file = ?", []any{vault, file}
	if file == "" {
		where, args = "vault = ?", []any{vault}
	}
	return `SELECT d.id, d.file, ` + statusColumn + `, d.answered, m.line, m.text, m.ordinal, m.before, m.after, m.instruction, m.see, d.created
		FROM ` + claiming + ` JOIN markers AS m ON m.dispatch = d.seq AND NOT m.written
		WHERE ` + where + " AND d.asked = '' AND " + live + " ORDER BY d.file, d.seq, m.position", args
}

// live are the states whose unwritten markers are claims. A query must spell
// them exactly so for SQLite to use the index dispatches_claiming, which claiming
// insists on: which of several it takes by itself depends on the file's age
// (https://www.sqlite.org/partialindex.html).
const (
	live     = "(status IN ('queued', 'processing', 'failed', 'held') OR withheld)"
	claiming = "dispatches AS d INDEXED BY dispatches_claiming"
)

// MoveNote records a new name of a note: its answered and parked dispatches move with it, and so does each unfinished
// dispatch whose lines are there. As in Move, equal counts the byte-equal marker lines of the note under its new
// name, and claims never outnumber them; a dispatch without a free line does not move. All moves are one transaction.
// MoveNote returns the dispatches moved, without texts.
func (j *Journal) MoveNote(ctx context.Context, vault, from, to string, equal map[string]int) (gone []Dispatch, err error) {
	var seqs []int64
	err = j.db.WriteThen(ctx, func(ctx context.Context, tx *sql.Tx) error {
		query, args := selectClaims(vault, to)
		rows, err := tx.QueryContext(ctx, query, args...)
		held, err := dbfile.Collect(rows, err, claimFields)
		if err != nil {
			return err
		}
		free := newFreeLines(equal)
		for _, c := range held {
			free.count[free.find(c.Marker.Text, c.Status)]--
		}
		there, err := recordsOf(ctx, tx, vault, from)
		for _, d := range there {
			if err == nil && d.takePlaces(free) {
				d.File, gone, seqs = to, append(gone, d.Dispatch), append(seqs, d.seq)
				gone[len(gone)-1].File = to
				if _, err = tx.ExecContext(ctx, "UPDATE dispatches SET file = ? WHERE seq = ?", to, d.seq); err == nil {
					err = addStep(ctx, tx, d.seq, moved.name, to)
				}
			}
		}
		return err
	}, func() { j.told.Forget(seqs...) })
	if err != nil {
		return nil, dbfile.During("move what is known of "+from, err)
	}
	for _, d := range gone {
		j.stepped(moved.name, d)
	}
	return gone, nil
}

// ofNote finds the dispatches of a note that something may still be done with.
const ofNote = "SELECT seq FROM dispatches INDEXED BY dispatches_claiming WHERE " + live + " AND vault = ?1 AND file = ?2 " +
	"UNION ALL SELECT seq FROM dispatches INDEXED BY dispatches_written WHERE status = 'done' AND vault = ?1 AND file = ?2 " +
	"UNION ALL SELECT seq FROM dispatches INDEXED BY dispatches_parked WHERE status = 'parked' AND vault = ?1 AND file = ?2"

// recordsOf returns them in order.
func recordsOf(ctx context.Context, tx *sql.Tx, vault, file string) ([]record, error) {
	all, err := readRecords(ctx, tx, listColumns, "WHERE seq IN ("+ofNote+") ORDER BY seq", vault, file)
	if err != nil {
		return nil, err
	}
	dispatches, err := withMarkers(ctx, tx, all, false)
	for i, d := range dispatches {
		all[i].Dispatch = d
	}
	return all, err
}

// takePlaces reports whether a dispatch finds its lines among those that are free, and takes them.
// One that was cancelled keeps claims on lines that are gone.
func (d *record) takePlaces(free freeLines) bool {
	if d.Status == Done || d.Status == Parked {
		return true
	}
	if moved.allows(&d.Dispatch) != nil {
		return false
	}
	var lines []string
	for _, m := range d.Markers {
		if !m.Written && d.Asked == "" && (free.count[free.find(m.Text, d.Status)] > 0 || d.Status != Cancelled) {
			lines = append(lines, m.Text)
		}
	}
	if d.Status == Cancelled && len(lines) == 0 {
		return false
	}
	for i, text := range lines {
		lines[i] = free.find(text, d.Status)
		if free.count[lines[i]]--; free.count[lines[i]] < 0 {
			for _, taken := range lines[:i+1] {
				free.count[taken]++
			}
			return false
		}
	}
	return true
}

// AnsweredIn returns the notes of a vault into which answers were written since a time.
func (r *Reader) AnsweredIn(ctx context.Context, vault string, since time.Time) ([]string, error) {
	return dbfile.List(ctx, r.db, "list what was answered lately", dbfile.OneText,
		"SELECT DISTINCT file FROM dispatches INDEXED BY dispatches_status WHERE status = 'done' AND finished >= ? AND vault = ?", columns.ToMillis(since), vault)
}

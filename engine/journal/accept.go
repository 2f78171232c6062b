package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// errTaken ends the transaction of an Accept that found its markers claimed.
var errTaken = errors.New("markers already claimed")

// Accept stores d as a new dispatch and claims its markers, if they are free.
//
// equal says, for the text of every marker of d, how many byte-equal marker
// lines the note holds now. Let the claims held on such a line in d's note and
// those d wants be counted together: if for any text they are more than
// equal[text], some marker would get two dispatches; then nothing is stored and
// Accept returns false. The count and the storing are one transaction, so of any
// number of callers that saw the same save exactly one gets true.
//
// d.Status is Queued or Held. An empty d.ID and a zero d.Created are filled in;
// what only later steps can know (answers, counts, times) starts empty. Accept
// returns the dispatch as it is stored.
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
		d.ID = NewID(d.Created)
	}
	var stored record
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := checkFree(ctx, tx, d, equal); err != nil {
			return err
		}
		if err := insertDispatch(ctx, tx, d); err != nil {
			return err
		}
		var err error
		stored, err = byID(ctx, tx, d.ID)
		return err
	})
	if errors.Is(err, errTaken) {
		return Dispatch{}, false, nil
	}
	if err != nil {
		return Dispatch{}, false, fmt.Errorf("accept dispatch in %s: %w", d.File, err)
	}
	return stored.Dispatch, true, nil
}

// checkFree returns errTaken when d's markers and the claims of its note outnumber
// the note's lines.
func checkFree(ctx context.Context, tx *sql.Tx, d Dispatch, equal map[string]int) error {
	held, err := readClaims(ctx, tx, d.Vault, d.File)
	if err != nil {
		return err
	}
	count := make(map[string]int)
	for _, c := range held {
		count[c.Marker.Text]++
	}
	for _, m := range d.Markers {
		count[m.Text]++
	}
	for _, m := range d.Markers {
		if count[m.Text] > equal[m.Text] {
			return errTaken
		}
	}
	return nil
}

// Move says that the question of an unfinished dispatch is in another note of its
// vault. As in Accept, equal counts the byte-equal marker lines of that note; where
// its claims would outnumber them nothing is stored and Move returns false.
func (j *Journal) Move(ctx context.Context, id, file string, equal map[string]int) (bool, error) {
	_, err := j.takeStep(ctx, moved, id, file, func(ctx context.Context, tx *sql.Tx, d *record) error {
		there := d.Dispatch
		there.File, there.Markers = file, nil
		for _, m := range d.Markers {
			if !m.Written && equal[m.Text] > 0 { // a line that is nowhere claims nothing
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
		status, answered, withheld, attempts, starts, next_attempt, error, created, started, finished, hash, task)
		VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, ?, 0, 0, 0, 0, ?, ?, ?, 0, 0, x'', ?)`,
		d.ID, d.Vault, d.File, d.Key, d.Role, d.TaskID, d.Agent, d.Trigger,
		d.Status, toMillis(d.NextAttempt), d.Error, toMillis(d.Created), d.Task)
	if err != nil {
		return err
	}
	seq, err := result.LastInsertId()
	if err != nil {
		return err
	}
	for i, m := range d.Markers {
		if _, err := tx.ExecContext(ctx, `INSERT INTO markers (dispatch, position, line, text, ordinal, before, after,
			instruction, see, written, answer, context) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', ?)`,
			seq, i, m.Line, []byte(m.Text), m.Ordinal, []byte(m.Before), []byte(m.After), m.Instruction, m.See, m.Context); err != nil {
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
func (j *Journal) Claims(ctx context.Context, vault, file string) ([]Claim, error) {
	var found []Claim
	err := j.read(ctx, func(tx *sql.Tx) error {
		var err error
		found, err = readClaims(ctx, tx, vault, file)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read claims: %w", err)
	}
	return found, nil
}

func readClaims(ctx context.Context, q queryer, vault, file string) ([]Claim, error) {
	where, args := "vault = ? AND file = ?", []any{vault, file}
	if file == "" {
		where, args = "vault = ?", []any{vault}
	}
	rows, err := q.QueryContext(ctx, `SELECT d.id, d.file, d.status, d.answered, m.line, m.text, m.ordinal, m.before, m.after, m.instruction, m.see
		FROM `+claiming+` JOIN markers AS m ON m.dispatch = d.seq AND NOT m.written
		WHERE `+where+" AND "+live+" ORDER BY d.file, d.seq, m.position", args...)
	return collect(rows, err, func(c *Claim) error {
		m := &c.Marker
		return rows.Scan(&c.Dispatch, &c.File, &c.Status, &c.Answered, &m.Line, &m.Text, &m.Ordinal, &m.Before, &m.After, &m.Instruction, &m.See)
	})
}

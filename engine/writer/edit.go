package writer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
)

// EditsOf returns the parts of the note that the answers of a dispatch take the place of, by marker; nil where they are answers
// as usual.
func EditsOf(ctx context.Context, j *journal.Journal, d journal.Dispatch) (edits []rewrite.Edit, err error) {
	text, err := j.Part(ctx, d.ID, journal.PartEdit)
	if errors.Is(err, sql.ErrNoRows) || err == nil && text == "" {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &edits)
	}
	if err == nil && len(edits) != len(d.Markers) {
		err = errors.New("not one for each question")
	}
	if err != nil {
		err = fmt.Errorf("read the edits of dispatch %s: %w", d.ID, err)
	}
	return edits, err
}

// encodeEdits is what EditsOf reads.
func encodeEdits(edits []rewrite.Edit) string {
	if edits == nil {
		return ""
	}
	text, _ := json.Marshal(edits) // texts alone
	return string(text)
}

// KeepEdits keeps for a dispatch which parts of its note its answers are to take the place of.
func KeepEdits(ctx context.Context, j *journal.Journal, id string, edits []rewrite.Edit) error {
	return j.KeepPart(ctx, id, journal.PartEdit, encodeEdits(edits))
}

// addEdits tells a job which parts of the note its answers take the place of.
func (w *Writer) addEdits(ctx context.Context, d journal.Dispatch, job *rewrite.Job) error {
	edits, err := EditsOf(ctx, w.opts.Journal, d)
	for i := range edits {
		job.Places[i].Edit = &edits[i]
	}
	return err
}

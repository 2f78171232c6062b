package journal

import (
	"context"
	"database/sql"
)

// Asked is the place for the answer of a question that was asked without a marker. Its record has one marker all the
// same, but no note has that one: it claims nothing, so no save touches it.
type Asked string

// The places for such an answer.
const (
	AskedTold   Asked = "told"   // to the caller; no note is touched
	AskedAppend Asked = "append" // behind the last line of an existing note
	AskedCreate Asked = "create" // the same, and a missing note is made
)

// TriggerProof is the trigger of a question that setup asks to see an answer: nothing of it is kept.
const TriggerProof = "proof"

// TriggerAgent is the trigger of a question from another agent. It sees nothing private: the asking agent may read
// everything that its answer is made of.
const TriggerAgent = "agent"

// ofProof finds questions of proofs, which are in no note.
const ofProof = "trigger = ? AND asked = ?"

// RecordTold records that the answer of a question that belongs into no note is there.
func (j *Journal) RecordTold(ctx context.Context, id string) error {
	_, err := j.takeStep(ctx, sent, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		if d.Asked != AskedTold {
			return &StateError{"its answer belongs into a note"}
		}
		for i := range d.Markers {
			d.Markers[i].Written = true
		}
		endRecord(d, Done, "")
		return setWritten(ctx, tx, d.seq, true)
	})
	return err
}

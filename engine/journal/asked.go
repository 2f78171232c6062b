package journal

import (
	"context"
	"database/sql"
)

// Asked says where the answer of a question goes that was asked without a marker. Its record has
// one marker all the same, of which no note knows: it claims nothing, so no save touches it.
type Asked string

// Where such an answer goes.
const (
	AskedTold   Asked = "told"   // to whoever asked; no note is touched
	AskedAppend Asked = "append" // behind the last line of its note, which is there
	AskedCreate Asked = "create" // the same, and the note is made where there is none
)

// TriggerProof is the trigger of a question that setup asks to see an answer: nothing of it is kept.
const TriggerProof = "proof"

// TriggerAgent is the trigger of a question of another agent, which sees nothing private: its answer is made of
// what that one may read.
const TriggerAgent = "agent"

// ofProof finds questions of proofs: no note has one of them.
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

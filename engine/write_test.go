package engine

import (
	"errors"
	"testing"
	"time"

	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// TestAnswerWaitsForItsNote: the answer to a note that is gone waits as long as the
// note is looked for under other names, and is tried once more at the end of that.
func TestAnswerWaitsForItsNote(t *testing.T) {
	r := startEngine(t, t.TempDir(), &echoes{})
	r.save("other.md", "The vault is there, for it holds another note.\n")
	line := "> @agent-Miner ask"
	d, ok, err := r.journal.Accept(t.Context(), journal.Dispatch{
		Vault: r.vault, File: "away.md", Key: "agent-miner", Role: "Miner", Status: journal.Queued,
		Markers: []journal.Marker{{Trace: note.Trace{Line: 1, Text: line}, Instruction: "ask"}},
	}, map[string]int{line: 1})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if d, err = r.journal.Start(t.Context(), d.ID, "builtin", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err = r.journal.Answered(t.Context(), d.ID, []string{"yes"}); err != nil {
		t.Fatal(err)
	}
	for _, waited := range []time.Duration{0, 42 * time.Second, followFor - time.Second, followFor} {
		if d, err = r.journal.Get(t.Context(), d.ID); err != nil || d.Status != journal.Processing {
			t.Fatalf("before %v: %s, %v", waited, d.Status, err)
		}
		err = r.write(t.Context(), d, waited)
		sooner, early := errors.AsType[*dispatch.Sooner](err)
		if waited < followFor && (!early || waited+sooner.In != followFor) || waited == followFor && err != nil {
			t.Errorf("after %v: %v", waited, err)
		}
	}
	if d, err = r.journal.Get(t.Context(), d.ID); err != nil || d.Status != journal.Parked {
		t.Errorf("after %v: %s, %v", followFor, d.Status, err)
	}
}

package news

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
)

// What a person has asked for anew is told of as a question is: when it is taken up, and how it ends, also where that leaves
// the earlier answer in its place.
func TestAskedAnew(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var told []Item
	j.OnStep(func(step string, d journal.Dispatch) {
		if n, ok := OfStep(step, d); ok {
			told = append(told, n)
		}
	})
	ctx, line := t.Context(), "> @agent-Miner ask"
	d, _, err := j.Accept(ctx, journal.Dispatch{Vault: "/v", File: "n.md", Key: "agent-miner", Role: "Miner", Status: journal.Queued,
		Markers: []journal.Marker{{Trace: note.Trace{Line: 1, Text: line}}}}, map[string]int{line: 1})
	step := func(took error) {
		t.Helper()
		if took != nil {
			t.Fatal(took)
		}
	}
	start := func() error { _, err := j.Start(ctx, d.ID, "fake", time.Now()); return err }
	renew := func() error { _, err := j.Renew(ctx, d.ID); return err }
	step(err)
	step(start())
	step(j.RecordAnswers(ctx, d.ID, []string{"one"}))
	step(j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{}))
	step(renew())
	step(start())
	step(j.RecordAnswers(ctx, d.ID, []string{"two"}))
	step(j.RecordReplaced(ctx, d.ID, nil, [32]byte{}))
	step(renew())
	step(start())
	step(j.Fail(ctx, d.ID, "nobody is there"))
	step(renew())
	step(j.Withhold(ctx, d.ID, "cancelled by hand"))
	_, err = j.BeginUndo(ctx, d.ID)
	step(err)
	step(j.Fail(ctx, d.ID, "the note is busy")) // which is no end of the question
	var whats []What
	for _, n := range told {
		whats = append(whats, n.Event)
	}
	if want := []What{TakenUp, Answered, TakenUp, Answered, TakenUp, Failed, TakenUp, Withdrawn}; !slices.Equal(whats, want) {
		t.Fatalf("told is %q, want %q", whats, want)
	}
	if n := told[5]; !n.Stays || n.Reason != "the earlier answer stays: nobody is there" || told[1].Stays {
		t.Errorf("of the one that failed is told %+v", n)
	}
}

package writer

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/note"
)

// TestAnswerWaitsForItsNote: the answer to a note that is gone waits as long as the
// note is looked for under other names, and is tried once more at the end of that.
func TestAnswerWaitsForItsNote(t *testing.T) {
	const followFor = time.Minute
	sought := false
	vault := t.TempDir()
	if err := os.WriteFile(filepath.Join(vault, "other.md"), []byte("The vault is there, for it holds another note.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	log := slog.New(slog.DiscardHandler)
	w := New(Options{Journal: j, Record: recorder.New(log, journal.IsRefused), FollowFor: followFor, Engine: quietEngine{isSought: func() bool { return sought }}, Log: log})
	line := "> @agent-Miner ask"
	d, ok, err := j.Accept(t.Context(), journal.Dispatch{
		Vault: vault, File: "away.md", Key: "agent-miner", Role: "Miner", Status: journal.Queued,
		Markers: []journal.Marker{{Trace: note.Trace{Line: 1, Text: line}, Instruction: "ask"}},
	}, map[string]int{line: 1})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if d, err = j.Start(t.Context(), d.ID, "builtin", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err = j.RecordAnswers(t.Context(), d.ID, []string{"yes"}); err != nil {
		t.Fatal(err)
	}
	for _, waited := range []time.Duration{0, 42 * time.Second, followFor - time.Second, followFor, 2 * followFor} {
		if d, err = j.Get(t.Context(), d.ID); err != nil || d.Status != journal.Processing {
			t.Fatalf("before %v: %s, %v", waited, d.Status, err)
		}
		sought = waited <= followFor // others wait to be looked at
		err = w.writeAnswers(t.Context(), d, waited)
		s, early := errors.AsType[*retryWithin](err)
		if waited < followFor && (!early || waited+s.in != followFor) || waited == followFor && (!early || s.in <= 0) || !sought && err != nil {
			t.Errorf("after %v: %v", waited, err)
		}
	}
	if d, err = j.Get(t.Context(), d.ID); err != nil || d.Status != journal.Parked {
		t.Errorf("at the end: %s, %v", d.Status, err)
	}
}

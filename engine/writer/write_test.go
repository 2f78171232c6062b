package writer

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/note"
)

// idleWriter is a writer of a vault in which no note is that it writes. It is not run; sought says whether others are looked through.
func idleWriter(t *testing.T, followFor time.Duration, sought *bool) (w *Writer, vault string) {
	t.Helper()
	vault = t.TempDir()
	if err := os.WriteFile(filepath.Join(vault, "other.md"), []byte("The vault is there, for it holds another note.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	log := slog.New(slog.DiscardHandler)
	return New(Options{Journal: j, Record: recorder.New(log, journal.IsRefused), FollowFor: followFor, Engine: quietEngine{isSought: func() bool { return *sought }}, Log: log}), vault
}

// TestAnswerWaitsForItsNote: the answer to a note that is gone waits as long as the note is looked for under other names, and
// is tried once more at the end of that: one that takes the place of its question, one that takes the place of an earlier
// answer, and one that is added to the note.
func TestAnswerWaitsForItsNote(t *testing.T) {
	for name, test := range map[string]struct {
		asked journal.Asked
		fresh bool
	}{"in its place": {}, "anew": {fresh: true}, "added": {asked: journal.AskedAppend}} {
		t.Run(name, func(t *testing.T) {
			const followFor = time.Minute
			sought := false
			w, vault := idleWriter(t, followFor, &sought)
			j, ctx := w.opts.Journal, t.Context()
			line := "> @agent-Miner ask"
			d, ok, err := j.Accept(ctx, journal.Dispatch{
				Vault: vault, File: "away.md", Key: "agent-miner", Role: "Miner", Status: journal.Queued, Asked: test.asked,
				Markers: []journal.Marker{{Trace: note.Trace{Line: 1, Text: line}, Instruction: "ask"}},
			}, map[string]int{line: 1})
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			answer := func() {
				t.Helper()
				_, err := j.Start(ctx, d.ID, "builtin", time.Now())
				if err = errors.Join(err, j.RecordAnswers(ctx, d.ID, []string{"yes"})); err != nil {
					t.Fatal(err)
				}
			}
			answer()
			if test.fresh {
				err := j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{})
				if err == nil {
					_, err = j.Renew(ctx, d.ID)
				}
				if err != nil {
					t.Fatal(err)
				}
				answer()
			}
			for _, waited := range []time.Duration{0, 42 * time.Second, followFor - time.Second, followFor, 2 * followFor} {
				if d, err = j.Get(ctx, d.ID); err != nil || d.Status != journal.Processing {
					t.Fatalf("before %v: %s, %v", waited, d.Status, err)
				}
				sought = waited <= followFor // others wait to be looked at
				err = w.writeAnswers(ctx, d, waited)
				s, early := errors.AsType[*retryWithin](err)
				if waited < followFor && (!early || waited+s.delay != followFor) || waited == followFor && (!early || s.delay <= 0) || !sought && err != nil {
					t.Errorf("after %v: %v", waited, err)
				}
			}
			if d, err = j.Get(ctx, d.ID); err != nil || d.Status != journal.Parked {
				t.Errorf("at the end: %s, %v", d.Status, err)
			}
		})
	}
}

package vault

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/register"
)

// A question that moved with its note is asked once, also when its answer waits for nothing but the new place and is written
// there while the look that found it is still under way.
func TestAnsweredAsSoonAsItMoved(t *testing.T) {
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	p := &answering{t: t, journal: j}
	v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
	v.makeParts(t.TempDir())
	v.met = true
	p.note = filepath.Join(v.Root, "new.md")
	src := []byte("a\n\n> @agent-Miner what?\n\nb\n")
	if err := os.WriteFile(p.note, src, 0o600); err != nil {
		t.Fatal(err)
	}
	marker := journal.Marker{Trace: note.Parse(src).Markers[0].Trace()}
	if _, ok, err := j.Accept(t.Context(), journal.Dispatch{ID: "d1", Vault: v.Root, File: "old.md", Key: "agent-Miner", Role: "Miner",
		Status: journal.Queued, Created: time.Now(), Markers: []journal.Marker{marker}}, map[string]int{marker.Text: 1}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := j.Start(t.Context(), "d1", "fake", time.Now()); err != nil {
		t.Fatal(err)
	}
	v.follower.Track("old.md")
	if _, err := v.look(t.Context(), Save{Rel: "new.md", Seen: time.Now(), Trigger: "watch", Now: true}); err != nil {
		t.Fatal(err)
	}
	if !p.moved || len(p.groups) > 0 {
		t.Errorf("it moved: %v; asked again: %+v", p.moved, p.groups)
	}
}

// answering writes the answer of a dispatch as soon as it is in its new note.
type answering struct {
	starting
	t       *testing.T
	journal *journal.Journal
	note    string
	moved   bool
}

func (a *answering) Moved(dispatch, _ string) {
	a.moved = true
	text := []byte("a\n\n<!-- agent-response -->\nthat\n<!-- /agent-response -->\n\nb\n")
	if err := os.WriteFile(a.note, text, 0o600); err != nil {
		a.t.Fatal(err)
	}
	if err := a.journal.RecordAnswers(context.Background(), dispatch, []string{"that"}); err != nil {
		a.t.Fatal(err)
	}
	if err := a.journal.RecordWritten(context.Background(), dispatch, []int{0}, sha256.Sum256(text)); err != nil {
		a.t.Fatal(err)
	}
}

package vault

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/vault/register"
)

// A question that moved with its note is asked once, also when its answer waits for nothing but the new place and is written
// there while the look that found it is still under way.
func TestAnsweredAsSoonAsItMoved(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	p := &answering{t: t, journal: j}
	v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
	v.makeParts(t.TempDir())
	v.judged = true
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
	if _, err := v.look(t.Context(), Save{Rel: "new.md", Time: time.Now(), Trigger: "watch", Urgent: true}); err != nil {
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

// A note that goes on under another name while the disk is full has its own words there, although it is found to be the same
// note only once.
func TestOwnWordsGoAlongWithAFullDisk(t *testing.T) {
	const yes, own = "<!-- agent-response -->\nyes\n<!-- /agent-response -->", "> my own words\n"
	const block = "before\n\n" + yes + "\n\nafter\n\n"
	j, p := openJournal(t), &starting{}
	v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: quiet{}})
	v.makeParts(t.TempDir())
	v.judged = true
	disk := &fullAtFirst{Journal: j}
	disk.failed.Store(2)
	v.memory = past.New(past.Options{Journal: disk, Root: v.Root, IsGone: v.follower.IsGone, Return: time.Hour})
	write := func(rel, src string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(v.Root, rel), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	marker := journal.Marker{Trace: note.Parse([]byte("before\n\n> @agent-Miner ask\n\nafter\n")).Markers[0].Trace()}
	d, ok, err := j.Accept(t.Context(), journal.Dispatch{Vault: v.Root, File: "old.md", Key: "agent-Miner", Role: "Miner", Status: journal.Queued, Created: time.Now(),
		Markers: []journal.Marker{marker}}, map[string]int{marker.Text: 1})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	_, err = j.Start(t.Context(), d.ID, "fake", time.Now())
	if err := errors.Join(err, j.RecordAnswers(t.Context(), d.ID, []string{"yes"}),
		j.RecordSwap(t.Context(), journal.Swap{Dispatch: d.ID, Path: filepath.Join(v.Root, "old.md"), Temp: d.ID,
			Blocks: []note.Block{{Text: []byte(yes), Upper: []byte("before"), Lower: []byte("after")}}}),
		j.RecordWritten(t.Context(), d.ID, []int{0}, [32]byte{}), j.CloseSwap(t.Context(), d.ID)); err != nil {
		t.Fatal(err)
	}
	write("old.md", block+own)
	for _, rel := range []string{"old.md", "earlier.md"} {
		v.lookQuietly(t.Context(), Save{Rel: rel, Time: time.Now(), Trigger: "watch"})
	}
	if err := os.Rename(filepath.Join(v.Root, "old.md"), filepath.Join(v.Root, "new.md")); err != nil {
		t.Fatal(err)
	}
	write("new.md", block+"> @agent-Miner ask on\n"+own)
	v.follower.Went("old.md")
	disk.failed.Store(1)
	if _, err := v.look(t.Context(), Save{Rel: "new.md", Time: time.Now(), Trigger: "watch", Urgent: true}); err == nil || v.follower.Became("old.md") != "new.md" {
		t.Fatalf("the note became %q, and the look ended with %v", v.follower.Became("old.md"), err)
	}
	if _, err := v.look(t.Context(), Save{Rel: "new.md", Time: time.Now(), Trigger: "watch"}); err != nil {
		t.Fatal(err)
	}
	if len(p.groups) != 1 || strings.Contains(p.groups[0].Markers[0].Text, "own") {
		t.Errorf("asked are %+v", p.groups)
	}
}

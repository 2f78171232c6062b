package questions

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
)

// fullDisk is a journal that can be read, and that keeps nothing while its disk is full.
type fullDisk struct {
	*journal.Journal
	full bool
}

var errFull = errors.New("the disk is full")

func (f *fullDisk) KeepStanding(ctx context.Context, vault string, notes map[string][]byte) error {
	if f.full && len(notes) > 0 {
		return errFull
	}
	return f.Journal.KeepStanding(ctx, vault, notes)
}

// kept are the notes of which the disk has lines.
func (f *fullDisk) kept(t *testing.T) map[string]uint64 {
	t.Helper()
	sums, err := f.StandingSums(t.Context(), "/vault")
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// newOnDisk returns a memory with a journal whose disk can be full.
func newOnDisk(t *testing.T) (*Memory, *fullDisk) {
	t.Helper()
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	disk := &fullDisk{Journal: j}
	return New(disk, "/vault", func(string) bool { return true }, time.Minute), disk
}

// Read says so until the lines of a note are on the disk, and keeps them then, although they are as they were.
func TestReadKeepsWhatItCouldNot(t *testing.T) {
	q, disk := newOnDisk(t)
	src := []byte("> my own words\n")
	disk.full = true
	for range 3 {
		if _, err := q.Read(t.Context(), "n.md", src, nil); !errors.Is(err, errFull) {
			t.Errorf("with a full disk it says %v", err)
		}
	}
	disk.full = false
	if _, err := q.Read(t.Context(), "n.md", src, nil); err != nil || disk.kept(t)["n.md"] == 0 {
		t.Errorf("then %v; kept are %v", err, disk.kept(t))
	}
}

// What was read while every note was may be kept later, and by the look at another note.
func TestReadKeepsWhatEndCouldNot(t *testing.T) {
	q, disk := newOnDisk(t)
	if err := q.Begin(t.Context(), []string{"a.md", "b.md"}, nil); err != nil {
		t.Fatal(err)
	}
	disk.full = true
	for range 2 {
		if _, err := q.Read(t.Context(), "a.md", []byte("> my own words\n"), nil); err != nil {
			t.Errorf("while every note is read: %v", err)
		}
	}
	if err := q.End(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("at the end: %v", err)
	}
	disk.full = false
	if _, err := q.Read(t.Context(), "b.md", []byte("a > b\n"), nil); err != nil || disk.kept(t)["a.md"] == 0 {
		t.Errorf("then %v; kept are %v", err, disk.kept(t))
	}
}

// A note that goes while the disk is full has gone all the same: its own words are known under its new name, and what was to
// be forgotten meanwhile is forgotten later.
func TestANoteDepartsFromAFullDisk(t *testing.T) {
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	const own, asked = "> my own words\n", "> @agent-Miner ask\n> my own words\n"
	synctest.Test(t, func(t *testing.T) {
		disk := &fullDisk{Journal: j}
		q := New(disk, "/vault", func(string) bool { return true }, time.Minute)
		for rel, src := range map[string]string{"old.md": "> other words\n", "a.md": own} {
			if _, err := q.Read(t.Context(), rel, []byte(src), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Depart(t.Context(), "old.md"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		disk.full = true
		if err := q.Depart(t.Context(), "a.md"); !errors.Is(err, errFull) {
			t.Errorf("with a full disk it says %v", err)
		}
		disk.full = false
		doc, err := q.Read(t.Context(), "b.md", []byte(asked), nil)
		if err != nil || strings.Contains(doc.Markers[0].Text, "own") {
			t.Errorf("under its new name the question is %q; %v", doc.Markers[0].Text, err)
		}
		if kept := disk.kept(t); kept["old.md"] != 0 || kept["a.md"] == 0 || kept["b.md"] == 0 {
			t.Errorf("kept are %v", kept)
		}
	})
}

// A note that is to be forgotten and is back before the disk has forgotten it is as one that was never read.
func TestANoteIsBackBeforeItWasForgotten(t *testing.T) {
	q, disk := newOnDisk(t)
	q.keepFor = -1
	if _, err := q.Read(t.Context(), "a.md", []byte("> my own words\n"), nil); err != nil {
		t.Fatal(err)
	}
	disk.full = true
	for _, want := range []error{nil, errFull} {
		if err := q.Depart(t.Context(), "a.md"); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	disk.full = false
	doc, err := q.Read(t.Context(), "a.md", []byte("> @agent-Miner ask\n> my own words\n"), nil)
	if err != nil || !strings.Contains(doc.Markers[0].Text, "own") {
		t.Errorf("the question is %q; %v", doc.Markers[0].Text, err)
	}
}

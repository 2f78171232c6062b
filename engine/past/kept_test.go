package past

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
)

// fullDisk is a journal that can be read, and that keeps nothing while its disk is full.
type fullDisk struct {
	*journal.Journal
	full bool
}

var errFull = errors.New("the disk is full")

func (f *fullDisk) KeepPasts(ctx context.Context, vault string, pasts []journal.NotePast) error {
	if f.full {
		return errFull
	}
	return f.Journal.KeepPasts(ctx, vault, pasts)
}

// kept are the notes of which the disk has lines.
func (f *fullDisk) kept(t *testing.T) map[string]uint64 {
	t.Helper()
	sums, err := f.PastSums(t.Context(), "/vault")
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// newOnDisk returns a memory with a journal whose disk can be full.
func newOnDisk(t *testing.T) (*Memory, *fullDisk) {
	t.Helper()
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	disk := &fullDisk{Journal: j}
	return New(Options{Journal: disk, Root: "/vault", IsGone: func(string) bool { return true }, Return: time.Minute}), disk
}

// Read says so until the lines of a note are on the disk, and keeps them then, although they are as they were.
func TestReadKeepsWhatItCouldNot(t *testing.T) {
	q, disk := newOnDisk(t)
	src := []byte("> my own words\n")
	disk.full = true
	for range 3 {
		if _, err := look(t, q, "n.md", src); !errors.Is(err, errFull) {
			t.Errorf("with a full disk it says %v", err)
		}
	}
	disk.full = false
	if _, err := look(t, q, "n.md", src); err != nil || disk.kept(t)["n.md"] == 0 {
		t.Errorf("then %v; kept are %v", err, disk.kept(t))
	}
}

// What was read while every note was may be kept later, and by the look at another note.
func TestReadKeepsWhatEndCouldNot(t *testing.T) {
	q, disk := newOnDisk(t)
	q.Begin(nil, []string{"a.md", "b.md"}, nil)
	disk.full = true
	for range 2 {
		if _, err := look(t, q, "a.md", []byte("> my own words\n")); err != nil {
			t.Errorf("while every note is read: %v", err)
		}
	}
	if err := q.End(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("at the end: %v", err)
	}
	disk.full = false
	if _, err := look(t, q, "b.md", []byte("a > b\n")); err != nil || disk.kept(t)["a.md"] == 0 {
		t.Errorf("then %v; kept are %v", err, disk.kept(t))
	}
}

// A note that goes while the disk is full has gone all the same: its own words are known under its new name.
func TestANoteDepartsFromAFullDisk(t *testing.T) {
	q, disk := newOnDisk(t)
	disk.full = true
	if _, err := look(t, q, "a.md", []byte("> my own words\n")); !errors.Is(err, errFull) {
		t.Errorf("with a full disk it says %v", err)
	}
	if err := q.Depart(t.Context(), "a.md"); err != nil {
		t.Error(err)
	}
	disk.full = false
	doc, err := look(t, q, "b.md", []byte("> @agent-Miner ask\n> my own words\n"))
	if err != nil || strings.Contains(doc.Markers[0].Text, "own") {
		t.Errorf("under its new name the question is %q; %v", doc.Markers[0].Text, err)
	}
	if kept := disk.kept(t); kept["a.md"] == 0 || kept["b.md"] == 0 {
		t.Errorf("kept are %v", kept)
	}
}

// look looks at a note that nobody says anything about.
func look(t *testing.T, m *Memory, rel string, src []byte) (note.Doc, error) {
	t.Helper()
	l, err := m.Read(t.Context(), rel, note.NewPage(src), nil)
	if err == nil {
		_, err = l.Arrive(t.Context(), Seen{Time: time.Now()})
	}
	return l.Doc, err
}

package recall

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// While the disk of the vault answers no call, nothing but what needs the disk
// waits, and that ends with its context.
func TestDiskThatHangs(t *testing.T) {
	dir := garage(t)
	ix := thinking(t, filepath.Join(t.TempDir(), "index.db"), dir, &thinker{dim: 64})
	writeNote(t, dir, "New.md", "A new note about plums.\n")
	reading, release := make(chan struct{}, 100), make(chan struct{})
	read := ix.disk.Read
	ix.disk.Read = func(root *os.Root, rel string) ([]byte, error) {
		reading <- struct{}{}
		<-release
		return read(root, rel)
	}
	ctx, cancel := context.WithCancel(t.Context())
	synced := make(chan error, 1)
	go func() { synced <- ix.Sync(ctx, listNotes(t, dir), nil) }()
	<-reading

	answered := make(chan struct{})
	go func() {
		defer close(answered)
		if s := ix.State(); s.Notes != 3 || s.Pending == 0 {
			t.Errorf("state %+v", s)
		}
		if s, _ := ix.Embedding(); s.Vectors != 4 {
			t.Errorf("state of the vectors %+v", s)
		}
		if r, err := ix.Find(t.Context(), "weasel", SearchOptions{WordsOnly: true}); err != nil || len(r.Passages) != 0 {
			t.Errorf("a search that reads no note: %+v, %v", r, err)
		}
		if unknown, err := unknownWords(t.Context(), ix, "weasel"); err != nil || len(unknown) != 1 {
			t.Errorf("unknown words %q, %v", unknown, err)
		}
		short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer stop()
		if _, err := ix.Find(short, "plums", SearchOptions{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a search that reads a note ends with %v", err)
		}
		if err := ix.Update(short, "New.md"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an update ends with %v", err)
		}
	}()
	select {
	case <-answered:
	case <-time.After(time.Minute):
		t.Fatal("a hung disk holds up what needs no disk")
	}
	cancel()
	if err := <-synced; !errors.Is(err, context.Canceled) {
		t.Errorf("Sync ends with %v", err)
	}
	close(release)
	syncIndex(t, ix, dir)
	if found := search(t, ix, "plums"); len(found) != 2 {
		t.Errorf("once the disk answers, found %s", notesOf(found))
	}
}

// An index is closed without waiting for the disk of its vault.
func TestCloseWhileDiskHangs(t *testing.T) {
	dir := garage(t)
	ix, err := Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), dir, Options{Meaning: &Meaning{Embedder: &thinker{dim: 64}, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	reading, release := make(chan struct{}, 100), make(chan struct{})
	ix.disk.Read = func(*os.Root, string) ([]byte, error) {
		reading <- struct{}{}
		<-release
		return nil, errors.New("gone")
	}
	ended := make(chan error, 1)
	go func() { ended <- ix.Sync(t.Context(), listNotes(t, dir), nil) }()
	<-reading
	closed := make(chan error, 1)
	go func() { closed <- ix.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Close waits for the disk of the vault")
	}
	close(release)
	if err := <-ended; err == nil {
		t.Error("a Sync into a closed index succeeds")
	}
}

// A transaction that is at work ends with its context, though none of its statements is interrupted, and says so.
func TestBatchEndsWithItsContext(t *testing.T) {
	dir := garage(t)
	ctx, cancel := context.WithCancel(t.Context())
	ix, err := Open(ctx, filepath.Join(t.TempDir(), "index.db"), dir, Options{Log: slog.New(slog.NewTextHandler(cancels(cancel), nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	read := ix.disk.Read
	ix.disk.Read = func(root *os.Root, rel string) ([]byte, error) {
		if rel == "Bad.md" {
			return nil, errors.New("bad")
		}
		return read(root, rel)
	}
	writeNote(t, dir, "Bad.md", "")
	if err := ix.Sync(ctx, append([]string{"Bad.md"}, listNotes(t, dir)...), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	if s := ix.State(); s.Notes != 0 {
		t.Errorf("state %+v", s)
	}
}

// cancels is a log that ends a context with its first line.
type cancels context.CancelFunc

func (c cancels) Write(line []byte) (int, error) {
	c()
	return len(line), nil
}

package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen. It is generous: a
// machine under load is slow, and a lost save never comes.
const patience = 60 * time.Second

// vault is a folder with a watcher on it, and a reader that does what the engine
// does: for each event it goes and reads the note.
type vault struct {
	*testing.T
	root string
	w    *reconciler
	stop func() // ends Run and waits for it

	mu     sync.Mutex
	seen   map[string]string // contents by path, as read at the latest event
	events []Event
}

// watched starts a watcher on root and returns when its first pass is done. The
// comparison that comes without being asked for is put out of reach, so that
// what is found was announced.
func watched(t *testing.T, root string, change ...func(*Options)) *vault {
	t.Helper()
	v := newVault(t, root, change...)
	v.start()
	v.waitReady()
	return v
}

func newVault(t *testing.T, root string, change ...func(*Options)) *vault {
	t.Helper()
	opts := Options{Root: root, Rescan: time.Hour, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	for _, c := range change {
		c(&opts)
	}
	w, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	r := w.(*reconciler)
	r.grace = patience // a machine with much to do is no disk that hangs
	return &vault{T: t, root: root, w: r, seen: make(map[string]string)}
}

// byModes runs a test by the notifications of the system, and polling.
func byModes(t *testing.T, test func(t *testing.T, mode func(*Options))) {
	for _, mode := range []string{ModeAuto, ModePoll} {
		t.Run(mode, func(t *testing.T) {
			test(t, func(o *Options) { o.Mode, o.PollInterval = mode, 5*time.Millisecond })
		})
	}
}

// swift makes a vault that is polled find changes quickly.
func swift(o *Options) { o.PollInterval = 20 * time.Millisecond }

func (v *vault) start() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- v.w.Run(ctx, v.sink) }()
	v.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			v.Errorf("Run returned %v", err)
		}
	})
	v.Cleanup(v.stop)
}

func (v *vault) waitReady() {
	v.Helper()
	select {
	case <-v.w.Ready():
	case <-time.After(patience):
		v.Fatal("the first pass does not end")
	}
}

func (v *vault) sink(e Event) {
	text, err := readNote(v.root, e.Path)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.events = append(v.events, e)
	if e.Kind == Removed || err != nil {
		delete(v.seen, e.Path)
		return
	}
	v.seen[e.Path] = string(text)
}

// readNote reads as the engine does, so that nobody is kept from renaming the note;
// but it follows links out of the vault as well.
func readNote(root, rel string) ([]byte, error) {
	f, err := os.OpenInRoot(root, filepath.FromSlash(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return os.ReadFile(filepath.Join(root, rel))
	}
	defer f.Close()
	return io.ReadAll(f)
}

// until waits for a condition.
func (v *vault) until(what string, ok func() bool) {
	v.Helper()
	deadline := time.After(patience)
	for !ok() {
		select {
		case <-deadline:
			v.Fatalf("%s: not after %v; stats %+v", what, patience, v.w.Stats())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func (v *vault) sees(rel, text string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	got, ok := v.seen[rel]
	return ok && got == text
}

func (v *vault) knows(rel string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.seen[rel]
	return ok
}

// count returns how many events have been reported, of one path or of all, and
// how many of them were removals.
func (v *vault) count(rel string) (all, removed int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, e := range v.events {
		if rel == "" || e.Path == rel {
			all++
			if e.Kind == Removed {
				removed++
			}
		}
	}
	return all, removed
}

// settled waits until the notes as read at their latest events are the notes on
// disk, and nothing else is known.
func (v *vault) settled() {
	v.Helper()
	var disk map[string]string
	deadline := time.After(patience)
	for {
		disk = onDisk(v.T, v.root)
		v.mu.Lock()
		same := maps.Equal(disk, v.seen)
		v.mu.Unlock()
		if same {
			return
		}
		select {
		case <-deadline:
			v.differences(disk)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (v *vault) differences(disk map[string]string) {
	v.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for p, text := range disk {
		if got, ok := v.seen[p]; !ok {
			v.Errorf("%s is on disk and was not reported", p)
		} else if got != text {
			v.Errorf("%s holds %q, last read as %q", p, text, got)
		}
	}
	for p := range v.seen {
		if _, ok := disk[p]; !ok {
			v.Errorf("%s is gone and was not reported as removed", p)
		}
	}
	v.Fatalf("not settled after %v; stats %+v", patience, v.w.Stats())
}

// onDisk reads all notes by the plainest means there are.
func onDisk(t *testing.T, root string) map[string]string {
	t.Helper()
	notes := make(map[string]string)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if p != root && isIgnored(rel, d.IsDir()) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(p)
		notes[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

func liveFolders(t *testing.T, root string) int {
	t.Helper()
	n := 0
	must(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if p != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		n++
		return nil
	}))
	return n
}

func (v *vault) path(rel string) string { return filepath.Join(v.root, filepath.FromSlash(rel)) }

func (v *vault) write(rel, text string) {
	v.Helper()
	write(v.T, v.path(rel), text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plant makes a vault of notes in folders, two levels deep.
func plant(t testing.TB, root string, folders, notesEach int) {
	t.Helper()
	for i := range folders {
		dir := filepath.Join(root, fmt.Sprintf("area %02d", i%10), fmt.Sprintf("topic %04d", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for j := range notesEach {
			name := filepath.Join(dir, fmt.Sprintf("a note about something %05d.md", j))
			if err := os.WriteFile(name, []byte("# note\n\ntext\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

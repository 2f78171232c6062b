package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/recall/notedisk"
)

func writeNote(t testing.TB, dir, rel, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// listNotes names every file below dir.
func listNotes(t testing.TB, dir string) []string {
	t.Helper()
	var rels []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			rels = append(rels, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rels
}

// open opens an index of dir and brings it up to date.
func open(t testing.TB, dir string) *Index {
	t.Helper()
	ix := reopen(t, filepath.Join(t.TempDir(), "index.db"), dir)
	syncIndex(t, ix, dir)
	return ix
}

func reopen(t testing.TB, path, dir string) *Index {
	t.Helper()
	ix, err := Open(context.Background(), path, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

func syncIndex(t testing.TB, ix *Index, dir string) {
	t.Helper()
	if err := ix.Sync(context.Background(), listNotes(t, dir), nil); err != nil {
		t.Fatal(err)
	}
}

func search(t testing.TB, ix *Index, query string) []Passage {
	t.Helper()
	found, err := ix.Search(context.Background(), query, SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// notesOf names the notes of passages in their order.
func notesOf(found []Passage) string {
	var out []string
	for _, p := range found {
		out = append(out, p.Note)
	}
	return strings.Join(out, " ")
}

func change(t testing.TB, ix *Index, rel string) {
	t.Helper()
	if err := ix.Update(context.Background(), rel); err != nil {
		t.Fatal(err)
	}
}

func TestUpdateRenameDelete(t *testing.T) {
	dir := t.TempDir()
	writeNote(t, dir, "a.md", "the walrus sleeps\n")
	writeNote(t, dir, "b.md", "nothing here\n")
	ix := open(t, dir)
	if got := notesOf(search(t, ix, "walrus")); got != "a.md" {
		t.Fatalf("found %q", got)
	}
	writeNote(t, dir, "a.md", "the otter sleeps\n")
	change(t, ix, "a.md")
	if got := notesOf(search(t, ix, "walrus")) + notesOf(search(t, ix, "otter")); got != "a.md" {
		t.Errorf("after an edit: %q", got)
	}
	if err := os.Rename(filepath.Join(dir, "a.md"), filepath.Join(dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	change(t, ix, "a.md")
	change(t, ix, "c.md")
	if got := notesOf(search(t, ix, "otter")); got != "c.md" {
		t.Errorf("after a rename: %q", got)
	}
	if err := os.Remove(filepath.Join(dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	change(t, ix, "c.md")
	if got := search(t, ix, "otter"); len(got) != 0 {
		t.Errorf("after a deletion: %q", notesOf(got))
	}
	if s := ix.State(); s.Notes != 1 || s.Chunks != 1 {
		t.Errorf("state %+v", s)
	}
	var rows int
	if err := ix.reads.QueryRow("SELECT count(*) FROM chunks").Scan(&rows); err != nil || rows != 1 {
		t.Errorf("%d rows of text, %v", rows, err)
	}
}

func TestSyncAfterRestart(t *testing.T) {
	t.Parallel()
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	for i := range 50 {
		writeNote(t, dir, fmt.Sprintf("n%d.md", i), fmt.Sprintf("note number%d says hello\n", i))
	}
	age(t, dir, listNotes(t, dir)...)
	ix := reopen(t, db, dir)
	syncIndex(t, ix, dir)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	writeNote(t, dir, "n7.md", "note number7 says goodbye\n")
	os.Remove(filepath.Join(dir, "n8.md"))
	writeNote(t, dir, "n99.md", "a new one\n")

	ix = reopen(t, db, dir)
	if s := ix.State(); s.Notes != 50 || s.Complete {
		t.Errorf("before Sync: %+v", s)
	}
	todo, clean, _, err := ix.findChanged(context.Background(), listNotes(t, dir), nil, nil)
	if err != nil || len(todo) != 3 || clean != 48 {
		t.Errorf("Sync would look at %q and leave %d alone: %v", todo, clean, err)
	}
	var last [2]int
	if err := ix.Sync(context.Background(), listNotes(t, dir), func(done, total int) { last = [2]int{done, total} }); err != nil {
		t.Fatal(err)
	}
	if last != [2]int{51, 51} {
		t.Errorf("progress ended at %v", last)
	}
	if got := notesOf(search(t, ix, "goodbye")) + notesOf(search(t, ix, "number8")); got != "n7.md" {
		t.Errorf("found %q", got)
	}
	if s := ix.State(); s.Bytes < 4096 || s != (State{Notes: 50, Chunks: 50, Bytes: s.Bytes, Complete: true}) {
		t.Errorf("state %+v", s)
	}
}

// Large notes are read after all others, however new they are.
func TestLargeNotesComeLast(t *testing.T) {
	dir := t.TempDir()
	writeNote(t, dir, "old.md", "one")
	writeNote(t, dir, "large.md", strings.Repeat("words ", notedisk.LargeNote/5))
	writeNote(t, dir, "new.md", "two")
	for rel, age := range map[string]time.Duration{"old.md": 3 * time.Hour, "new.md": 2 * time.Hour, "large.md": time.Hour} {
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(dir, rel), at, at); err != nil {
			t.Fatal(err)
		}
	}
	ix := reopen(t, filepath.Join(t.TempDir(), "i.db"), dir)
	todo, _, _, err := ix.findChanged(context.Background(), listNotes(t, dir), nil, nil)
	if got := strings.Join(todo, " "); err != nil || got != "new.md old.md large.md" {
		t.Errorf("read in the order %q, %v", got, err)
	}
}

func TestNotesThatStayOut(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	writeNote(t, outside, "secret.md", "walrus outside\n")
	for _, rel := range []string{".obsidian/x.md", "a/.trash/y.md", "Templates/t.md", "pic.png", "deep/ok.md"} {
		writeNote(t, dir, rel, "walrus in "+rel+"\n")
	}
	if err := os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	writeNote(t, dir, "big walrus.md", strings.Repeat("otter ", notedisk.MaxNote/6+10))
	ix, err := Open(context.Background(), filepath.Join(t.TempDir(), "i.db"), dir,
		Options{Exclude: func(rel string) bool { return strings.HasPrefix(rel, "Templates/") }})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	syncIndex(t, ix, dir)
	if got := notesOf(search(t, ix, "walrus")); got != "deep/ok.md big walrus.md" && got != "big walrus.md deep/ok.md" {
		t.Errorf("found %q", got)
	}
	if got := search(t, ix, "otter"); len(got) != 0 {
		t.Errorf("a note of over 10 MB is quoted: %q", notesOf(got))
	}
	if s := ix.State(); !strings.HasPrefix(s.LastError, "link.md cannot be read") {
		t.Errorf("state %+v", s)
	}
	if err := ix.Update(context.Background(), "link.md"); err == nil {
		t.Error("a link out of the vault was read")
	}
}

func TestDamagedCacheIsMadeAgain(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, path string){
		"no database":    func(t *testing.T, path string) { overwrite(t, path, "this is no database, only text", 0) },
		"torn":           func(t *testing.T, path string) { os.Truncate(path, 5000) },
		"overwritten":    func(t *testing.T, path string) { overwrite(t, path, strings.Repeat("\xa5", 60000), 4096) },
		"other version":  func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version=999") },
		"other vault":    func(t *testing.T, path string) { execute(t, path, "UPDATE vault SET root='elsewhere'") },
		"table missing":  func(t *testing.T, path string) { execute(t, path, "DROP TABLE blocks") },
		"block changed":  func(t *testing.T, path string) { execute(t, path, "UPDATE blocks SET data = zeroblob(length(data))") },
		"a folder":       func(t *testing.T, path string) { os.Remove(path); os.Mkdir(path, 0o700) },
		"read by nobody": func(t *testing.T, path string) { os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, path := t.TempDir(), filepath.Join(t.TempDir(), "cache", "index.db")
			for i := range 200 {
				writeNote(t, dir, fmt.Sprintf("n%d.md", i), strings.Repeat(fmt.Sprintf("word%d walrus ", i), 20))
			}
			ix := reopen(t, path, dir)
			syncIndex(t, ix, dir)
			if err := ix.Close(); err != nil {
				t.Fatal(err)
			}
			spoil(t, path)
			ix = reopen(t, path, dir)
			syncIndex(t, ix, dir)
			if got := notesOf(search(t, ix, "word150")); got != "n150.md" {
				t.Errorf("found %q", got)
			}
		})
	}
}

// Damage that shows while the index is in use heals without another Sync.
func TestDamageInUse(t *testing.T) {
	dir := t.TempDir()
	writeNote(t, dir, "a.md", "the walrus sleeps\n")
	ix := open(t, dir)
	writeNote(t, dir, "b.md", "the otter sleeps\n")
	change(t, ix, "b.md")
	if _, err := ix.writer.Exec("DROP TABLE blocks"); err != nil {
		t.Fatal(err)
	}
	if got := notesOf(search(t, ix, "otter")); got != "b.md" {
		t.Errorf("found %q", got)
	}
	if s := ix.State(); s.Notes != 2 {
		t.Errorf("state %+v", s)
	}
}

func overwrite(t *testing.T, path, with string, at int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte(with), at); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, path, query string) {
	t.Helper()
	db, err := cachefile.Open(path, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

func TestMissingVaultRemovesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	writeNote(t, dir, "a.md", "walrus\n")
	ix := open(t, dir)
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	if err := ix.Update(context.Background(), "a.md"); err == nil {
		t.Error("a vault that is away was taken for an empty one by Update")
	}
	if err := ix.Sync(context.Background(), nil, nil); err == nil {
		t.Error("a vault that is away was taken for an empty one by Sync")
	}
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	if got := notesOf(search(t, ix, "walrus")); got != "a.md" {
		t.Errorf("found %q", got)
	}
}

func TestUseWhileSyncing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var rels []string
	for i := range 300 {
		rel := fmt.Sprintf("n%d.md", i)
		writeNote(t, dir, rel, fmt.Sprintf("walrus number%d\n\n# Head\n%s\n", i, strings.Repeat("text of it ", 50)))
		rels = append(rels, rel)
	}
	ix := reopen(t, filepath.Join(t.TempDir(), "i.db"), dir)
	if err := ix.Wait(expired(t), time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait before Sync: %v", err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		if err := ix.Sync(context.Background(), rels, nil); err != nil {
			t.Error(err)
		}
	})
	all.Go(func() {
		for i := range 40 {
			writeNote(t, dir, "new.md", fmt.Sprintf("otter edition%d\n", i))
			if err := ix.Update(context.Background(), "new.md"); err != nil {
				t.Error(err)
			}
		}
	})
	all.Go(func() {
		for range 40 {
			if _, err := ix.Search(context.Background(), "walrus number7", SearchOptions{}); err != nil {
				t.Error(err)
			}
			ix.State()
		}
	})
	all.Wait()
	if err := ix.Wait(expired(t), time.Minute); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := search(t, ix, "edition39"); notesOf(got) != "new.md" || !strings.Contains(got[0].Text, "edition39") {
		t.Errorf("found %+v", got)
	}
	if s := ix.State(); s.Notes != 301 || s.Pending != 0 || !s.Complete {
		t.Errorf("state %+v", s)
	}
	if err := ix.Sync(expired(t), rels, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Sync after the end: %v", err)
	}
}

func expired(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

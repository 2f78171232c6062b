package recall

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/watch/disk"
)

// Whoever has just seen the files tells their stamps, and the disk is not asked for them: what it
// would say is not found out.
func TestSyncSeen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeNote(t, dir, "n.md", "apple\n")
	age(t, dir, "n.md")
	ix := reopen(t, filepath.Join(t.TempDir(), "index.db"), dir)
	syncIndex(t, ix, dir)
	as, err := ix.disk.StatNotes(t.Context(), []string{"n.md"})
	if err != nil {
		t.Fatal(err)
	}
	writeNote(t, dir, "n.md", "banana\n")
	later := []Stamp{{Size: as[0].Size + 1, MTime: as[0].MTime + 1}}
	for _, tt := range []struct {
		stamps  []Stamp
		unknown string
	}{{as, "banana"}, {later, "apple"}} {
		if err := ix.SyncSeen(t.Context(), []string{"n.md"}, tt.stamps, nil, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := unknownWords(t.Context(), ix, "apple banana"); err != nil || strings.Join(got, " ") != tt.unknown {
			t.Errorf("after %+v the index does not know %q, %v, want %q", tt.stamps, got, err, tt.unknown)
		}
	}
}

// The batch of a Sync ends soon when an Update waits for it, and no note is left out.
func TestSyncGivesWay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var rels []string
	for i := range mostNotes {
		rels = append(rels, fmt.Sprintf("n%d.md", i))
		writeNote(t, dir, rels[i], fmt.Sprintf("apple%d\n", i))
	}
	ix := reopen(t, filepath.Join(t.TempDir(), "index.db"), dir)
	for _, tt := range []struct {
		most    int
		waiting int32
		want    int
	}{{mostNotes, 1, loadNotes}, {mostNotes, 0, mostNotes}, {0, 1, loadNotes}} {
		ix.most = tt.most
		ix.hurry.Store(tt.waiting)
		if n, err := ix.writeNotes(t.Context(), rels, true, time.Time{}); err != nil || n != tt.want {
			t.Errorf("%+v: a batch of %d, %v", tt, n, err)
		}
	}
	ix.hurry.Store(0)
	syncIndex(t, ix, dir)
	if got := notesOf(search(t, ix, "apple300")); got != "n300.md" {
		t.Errorf("found %q", got)
	}
}

// A stamp that lies is caught where the file system keeps change times: a note of another text
// with the size and the time of the one before is read, whatever put the time back. One whose next save may
// have the same stamp, here because its time is still to come, is read again each time.
func TestStampThatLies(t *testing.T) {
	t.Parallel()
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	for _, rel := range []string{"saved.md", "replaced.md", "quiet.md"} {
		writeNote(t, dir, rel, "apple in "+rel+"\n")
	}
	age(t, dir, "saved.md", "replaced.md", "quiet.md")
	writeNote(t, dir, "racy.md", "apple in racy.md\n")
	if soon := time.Now().Add(time.Hour); os.Chtimes(filepath.Join(dir, "racy.md"), soon, soon) != nil {
		t.Fatal("a note keeps no time")
	}
	ix := reopen(t, db, dir)
	syncIndex(t, ix, dir)
	if m, err := disk.FindMount(dir); err != nil || !m.KeepsStamps() {
		t.Logf("nothing to be tried on %+v, %v", m, err)
		return
	}
	put := func(rel string) {
		info, err := os.Stat(filepath.Join(dir, rel))
		if err != nil {
			t.Fatal(err)
		}
		writeNote(t, dir, "new", "mango in "+rel+"\n")
		if rel == "replaced.md" {
			err = os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, rel))
		} else {
			err = errors.Join(os.Remove(filepath.Join(dir, "new")), os.WriteFile(filepath.Join(dir, rel), []byte("mango in "+rel+"\n"), 0o644))
		}
		if err = errors.Join(err, os.Chtimes(filepath.Join(dir, rel), info.ModTime(), info.ModTime())); err != nil {
			t.Fatal(err)
		}
	}
	put("saved.md")
	put("replaced.md")
	todo, clean, _, err := ix.findChanged(t.Context(), listNotes(t, dir), nil, nil)
	slices.Sort(todo)
	if got := strings.Join(todo, " "); err != nil || clean != 1 || got != "racy.md replaced.md saved.md" {
		t.Errorf("%q are read and %d are not, %v", got, clean, err)
	}
	syncIndex(t, ix, dir)
	if got := strings.Split(notesOf(search(t, ix, "mango")), " "); len(got) != 2 {
		t.Errorf("found %q", got)
	}
	writeNote(t, dir, "saved.md", "peach in saved.md\n")
	change(t, ix, "saved.md")
	put("saved.md")
	change(t, ix, "saved.md")
	if got := notesOf(search(t, ix, "peach")); got != "" {
		t.Errorf("a save with the time of the one before is not seen: found %q", got)
	}
}

// A restart that finds nothing changed writes nothing into the index, and one that finds
// a note changed does not write the whole index.
func TestOnlyWhatWasWrittenIsMerged(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it writes a thousand notes")
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	const notes = 600
	for i := range notes {
		writeNote(t, dir, fmt.Sprintf("n%d.md", i), strings.Join(wordsOf(i), " "))
	}
	age(t, dir, listNotes(t, dir)...)
	// syncOnce returns how many rows a start of the engine writes.
	syncOnce := func() (changes int) {
		ix := reopen(t, db, dir)
		syncIndex(t, ix, dir)
		if err := ix.writer.QueryRow("SELECT total_changes()").Scan(&changes); err != nil {
			t.Fatal(err)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		return changes
	}
	first := syncOnce()
	if n := syncOnce(); n != 0 {
		t.Errorf("with nothing changed %d rows are written", n)
	}
	writeNote(t, dir, "n7.md", "another text\n")
	age(t, dir, "n7.md")
	if n := syncOnce(); n == 0 || n > first/20 {
		t.Errorf("one changed note of %d writes %d rows, and all of them did %d", notes, n, first)
	}
	for i := range notes / 2 {
		rel := fmt.Sprintf("n%d.md", i)
		writeNote(t, dir, rel, strings.Repeat(fmt.Sprintf("other%d ", i), 40))
	}
	syncOnce()
	ix := reopen(t, db, dir)
	if got := notesOf(search(t, ix, "other99")); got != "n99.md" {
		t.Errorf("found %q", got)
	}
	var parts int
	if err := ix.writer.QueryRow("SELECT count(*) FROM parts").Scan(&parts); err != nil || parts > 1 {
		t.Errorf("an index of which half was written has %d parts, %v", parts, err)
	}
}

// age makes notes an hour old, and returns when no later write can have their change times.
func age(t *testing.T, dir string, rels ...string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	for _, rel := range rels {
		if err := os.Chtimes(filepath.Join(dir, rel), old, old); err != nil {
			t.Fatal(err)
		}
	}
	for _, rel := range rels {
		for {
			e, err := disk.Inspect(filepath.Join(dir, rel))
			if err != nil {
				t.Fatal(err)
			}
			if !e.Stamp.IsFresh(time.Now()) {
				break
			}
			<-time.After(10 * time.Millisecond)
		}
	}
}

// wordsOf are a hundred words of which few are in another note.
func wordsOf(i int) (words []string) {
	for k := range 100 {
		words = append(words, fmt.Sprintf("w%dx%d", i*37+k, k%9))
	}
	return words
}

package journal

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/dbfile"
)

// inventText makes a text that cannot be stored in much fewer bytes.
func inventText(n int) string {
	raw := make([]byte, n)
	rand.NewChaCha8([32]byte{7}).Read(raw)
	return base64.StdEncoding.EncodeToString(raw)
}

// What an agent was sent is kept whole, in fewer bytes, and forgotten in its time, and so is what an
// earlier version stored.
func TestWhatWasSentShrinks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	is := func(when, id, want string) {
		t.Helper()
		if got := get(t, j, id).Task; got != want {
			t.Errorf("%s: %d bytes, want %d", when, len(got), len(want))
		}
	}
	sent := strings.Repeat("what do we know of backups? ", 1000)
	done, old := accept(t, j, "n.md", 1), accept(t, j, "o.md", 1)
	for _, d := range []Dispatch{done, old} {
		_, err := j.Start(ctx, d.ID, "r", time.Now())
		must(t, err)
		must(t, j.SetTask(ctx, d.ID, sent, Made{}))
	}
	is("when it is asked", done.ID, sent)
	must(t, j.RecordAnswers(ctx, done.ID, []string{"a"}))
	is("with its answer", done.ID, sent)
	must(t, j.Cancel(ctx, old.ID, "by hand"))
	_, err := j.db.Writer.Exec("UPDATE dispatches SET task = ?, sent = x'' WHERE id = ?", sent, old.ID)
	must(t, err)
	var bytes int
	if must(t, j.db.Writer.QueryRow("SELECT length(sent) FROM dispatches WHERE id = ?", done.ID).Scan(&bytes)); bytes > len(sent)/10 {
		t.Errorf("%d bytes take %d", len(sent), bytes)
	}
	must(t, j.Close())
	j = openAt(t, path)
	is("of an earlier version", old.ID, sent)
	for _, tt := range []struct {
		age  time.Duration
		want string
	}{{time.Hour, sent}, {-time.Hour, ""}} {
		if n, err := j.Prune(ctx, time.Time{}, time.Now().Add(-tt.age)); n != 0 || err != nil {
			t.Errorf("%d dispatches are removed, %v", n, err)
		}
		is("pruned", old.ID, tt.want)
		is("not at its end", done.ID, sent)
	}
}

// What is forgotten gives its room back, and others write meanwhile.
func TestPruneShrinksTheFile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	dispatches, task := 300, inventText(8000)
	if testing.Short() {
		dispatches = 200
		withoutSync(t, j)
	}
	for i := range dispatches {
		d, equal := group(fmt.Sprintf("%d.md", i), 1)
		d.Task = task
		d, _, err := j.Accept(ctx, d, equal)
		must(t, err)
		must(t, j.Cancel(ctx, d.ID, "by hand"))
	}
	kept := accept(t, j, "kept.md", 1)
	full := dbfile.Size(path) + dbfile.Size(path+"-wal")
	pruned := make(chan error)
	go func() {
		_, err := j.Prune(ctx, time.Now().Add(time.Hour), time.Time{})
		pruned <- err
	}()
	var slowest time.Duration
	for i, done := 0, false; !done; i++ {
		select {
		case err := <-pruned:
			must(t, err)
			done = true
		default:
			begun := time.Now()
			accept(t, j, fmt.Sprintf("meanwhile%d.md", i), 1)
			slowest = max(slowest, time.Since(begun))
		}
	}
	var free int
	must(t, j.db.Writer.QueryRow("PRAGMA freelist_count").Scan(&free))
	get(t, j, kept.ID)
	must(t, j.Close())
	t.Logf("count: from %d KB to %d KB; beside it a question was accepted in %v at most", full>>10, dbfile.Size(path)>>10, slowest)
	if after := dbfile.Size(path); free > 64 || after > full/3 {
		t.Errorf("%d bytes became %d, with %d free pages", full, after, free)
	}
	if j = openAt(t, path); j.Damage() != nil {
		t.Errorf("damage %+v", j.Damage())
	}
}

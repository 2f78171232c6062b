package journal

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/journal/schema"
)

// beforeCopies is how many scripts there were when copies had no table of their own.
const beforeCopies = 17

// A note that is a copy and came from elsewhere is remembered as both.
func TestCopyBesideItsArrival(t *testing.T) {
	t.Parallel()
	ctx, j := context.Background(), openNew(t)
	must(t, j.SetArrival(ctx, "/v", Arrival{File: "a 2.md", Kind: ForUntrusted, Came: []byte("12345678")}))
	must(t, j.SetCopy(ctx, "/v", Copy{File: "a 2.md", Original: "a.md", Hash: [32]byte{1}}))
	if a, known, err := j.Arrival(ctx, "/v", "a 2.md"); err != nil || !known || a.Kind != ForUntrusted || string(a.Came) != "12345678" {
		t.Errorf("its arrival is %+v, %v", a, err)
	}
	if c, err := j.Copy(ctx, "/v", "a 2.md"); err != nil || c.Original != "a.md" || c.Hash != [32]byte{1} || len(c.Markers) != 0 {
		t.Errorf("the copy is %+v, %v", c, err)
	}
	if c, err := j.Copy(ctx, "/other", "a 2.md"); err != nil || c.Original != "" {
		t.Errorf("the copy of another vault is %+v, %v", c, err)
	}
}

// The copies of an older journal move to their own table, wherever the move is cut short: the file with each part of what was
// written to its log is a whole journal.
func TestCopiesOfAnOlderJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec(fmt.Sprintf("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; %s; PRAGMA user_version = %d; PRAGMA application_id = %d;",
		strings.Join(schema.Scripts[:beforeCopies], ";"), beforeCopies, schema.Mark+beforeCopies) + `
		INSERT INTO arrivals (vault, file, seen, kind, reason, lines, came, gone) VALUES
			('/v', 'equal.md', 1700000000000, 'copy', 'a.md', zeroblob(32), x'', 5),
			('/v', 'alike.md', 1700000000000, 'copy', 'b.md', x'', zeroblob(64), 0),
			('/v', 'theirs.md', 1700000000000, 'untrusted', 'brought', x'3131313131313131', x'3131313131313131', 0);
		PRAGMA wal_checkpoint(TRUNCATE);`)
	must(t, err)
	before := readFile(t, path)
	_, err = schema.Migrate(t.Context(), db)
	must(t, err)
	log := readFile(t, path+"-wal")
	must(t, db.Close())
	const header, frame = 32, 24 + 4096
	cuts := 0
	for at := header; at <= len(log); at += frame {
		for _, more := range []int{0, frame / 2} {
			checkMoved(t, before, log[:min(at+more, len(log))])
			cuts++
		}
	}
	if cuts < 8 {
		t.Errorf("only %d cuts of %d bytes", cuts, len(log))
	}
}

func checkMoved(t *testing.T, file, log []byte) {
	t.Helper()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "journal.db")
	must(t, os.WriteFile(path, file, 0o600))
	must(t, os.WriteFile(path+"-wal", log, 0o600))
	j := openAt(t, path)
	defer j.Close()
	if d := j.Damage(); len(d) > 0 {
		t.Fatalf("after %d bytes: %+v", len(log), d)
	}
	for file, want := range map[string]Copy{"equal.md": {Original: "a.md", Markers: []byte{}}, "alike.md": {Original: "b.md", Markers: make([]byte, 64)}, "theirs.md": {}} {
		c, err := j.Copy(ctx, "/v", file)
		_, arrived, failed := j.Arrival(ctx, "/v", file)
		if err != nil || failed != nil || c.Original != want.Original || !bytes.Equal(c.Markers, want.Markers) || arrived != (want.Original == "") {
			t.Errorf("after %d bytes %s is %+v, arrived: %v; %v, %v", len(log), file, c, arrived, err, failed)
		}
	}
	if n := 0; j.readRow(ctx, []any{&n}, "SELECT gone FROM copies WHERE file = 'equal.md'") != nil || n != 5 {
		t.Errorf("equal.md is gone since %d", n)
	}
}

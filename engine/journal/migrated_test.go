package journal

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/journal/schema"
)

// A journal of the last schema is brought up to date, wherever that is cut short: the file with each part of what was
// written to its log is a whole journal with all it held.
func TestMigratesTheLastSchema(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + string(readFile(t, "schema/testdata/18.sql")) + fmt.Sprintf(`
		PRAGMA user_version = 18; PRAGMA application_id = %d;
		INSERT INTO dispatches (id, vault, file, key, role, task_id, agent, runner, trigger, status, answered, withheld, attempts, starts, next_attempt, error, created, started, finished, hash, task)
			VALUES ('old', '/v', 'a.md', 'agent-miner', 'Miner', '', 'vault-mind-miner', 'builtin', 'watch', 'failed', 0, 0, 1, 1, 0, 'no', 1700000000000, 1700000001000, 1700000002000, x'', 'the task');
		INSERT INTO markers (dispatch, position, line, text, ordinal, before, after, instruction, see, written, answer, context)
			VALUES (1, 0, 3, CAST('> @agent-Miner what?' AS BLOB), 0, CAST('above' AS BLOB), x'', 'what?', 0, 0, '', 'context');
		INSERT INTO arrivals (vault, file, seen, kind, reason, lines, came, gone) VALUES
			('/v', 'both.md', 1700000000000, 'untrusted', '', x'10000000000000102000000000000020', x'20000000000000203000000000000031', 0),
			('/v', 'met.md', 1700000000000, 'old', '', x'', x'4000000000000040', 1700000000000);
		INSERT INTO standing (vault, file, lines) VALUES ('/v', 'both.md', x'0000000000000011000000000000002000000000000000000000000000000031'), ('/v', 'mine.md', x'0000000000000041');
		INSERT INTO swaps (rowid, temp, dispatch, path, base, new, text) VALUES (1, '.a', 1, 'a.md', zeroblob(32), zeroblob(32), CAST('a' AS BLOB)), (3, '.c', 1, 'a.md', zeroblob(32), zeroblob(32), x'');
		INSERT INTO comments (rowid, temp, path, base, new, text) VALUES (2, '.b', 'b.md', zeroblob(32), zeroblob(32), CAST('b' AS BLOB));
		PRAGMA wal_checkpoint(TRUNCATE);`, schema.Mark+18))
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
			checkMigrated(t, before, log[:min(at+more, len(log))])
			cuts++
		}
	}
	if cuts < 8 {
		t.Errorf("only %d cuts of %d bytes", cuts, len(log))
	}
}

func checkMigrated(t *testing.T, file, log []byte) {
	t.Helper()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "journal.db")
	must(t, os.WriteFile(path, file, 0o600))
	must(t, os.WriteFile(path+"-wal", log, 0o600))
	j := openAt(t, path)
	defer j.Close()
	if d := j.Damage(); len(d) > 0 {
		t.Fatalf("after %d bytes: %+v", len(log), d)
	}
	if claims, err := j.Claims(ctx, "/v", "a.md"); err != nil || len(claims) != 1 {
		t.Errorf("after %d bytes the claims are %+v, %v", len(log), claims, err)
	}
	swaps, err := j.Swaps(ctx)
	must(t, err)
	got := ""
	for _, s := range swaps {
		got += fmt.Sprintf("%s %s %s %q\n", s.Temp, s.Dispatch, s.Path, s.Text)
	}
	if want := ".a old a.md \"a\"\n.b  b.md \"b\"\n.c old a.md \"\"\n"; got != want {
		t.Errorf("after %d bytes the swaps are\n%s", len(log), got)
	}
	line := func(exact, words byte) []byte {
		return []byte{0, 0, 0, 0, 0, 0, 0, exact, words &^ 0xf, 0, 0, 0, 0, 0, 0, words}
	}
	none := make([]byte, 16)
	for file, want := range map[string]NotePast{
		"both.md": {Kind: ForUntrusted, Lines: bytes.Join([][]byte{line(0x11, 0), line(0x20, 0), line(0, 0x10), line(0, 0x21), none, line(0x31, 0), line(0, 0x31)}, nil)},
		"met.md":  {Kind: ForOld, Lines: bytes.Join([][]byte{none, line(0, 0x41)}, nil), IsGone: true},
		"mine.md": {Lines: bytes.Join([][]byte{line(0x41, 0), none}, nil)},
	} {
		p, known, err := j.NotePast(ctx, "/v", file)
		if err != nil || !known || p.Kind != want.Kind || !bytes.Equal(p.Lines, want.Lines) || p.IsGone != want.IsGone || (len(p.Alike) > 0) != (p.Kind == ForUntrusted) {
			t.Errorf("after %d bytes %s is %+v, %v, want %+v", len(log), file, p, err, want)
		}
	}
}

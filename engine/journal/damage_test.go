package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/journal/schema"
)

// filled leaves a closed journal of n dispatches and returns their ids.
func filled(t *testing.T, path string, n int) []string {
	t.Helper()
	j := openAt(t, path)
	withoutSync(t, j)
	task, ids := inventText(2400), make([]string, n)
	for i := range ids {
		d, equal := group(fmt.Sprintf("%d.md", i), 1)
		d.Task = task
		stored, ok, err := j.Accept(context.Background(), d, equal)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		ids[i] = stored.ID
	}
	must(t, j.Close())
	return ids
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// damage returns the one damage a journal tells of.
func damage(t *testing.T, j *Journal) dbfile.Damage {
	t.Helper()
	all := j.Damage()
	if len(all) != 1 {
		t.Fatalf("damage %+v, want one", all)
	}
	return all[0]
}

// A journal of a newer program is not this one's to change, nor is one that is too old to be brought up to date.
func TestOtherSchemasAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, mark int
		want          error
	}{{schema.Version + 1, schema.Mark + schema.Version + 1, ErrNewer}, {1, 0, ErrOlder}, {17, schema.Mark + 17, ErrOlder}} {
		path := filepath.Join(t.TempDir(), "journal.db")
		filled(t, path, 3)
		db, err := dbfile.Connect(path, "rw", 1)
		must(t, err)
		_, err = db.Exec(fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", c.version, c.mark))
		must(t, errors.Join(err, db.Close()))
		before := readFile(t, path)
		if _, err := On(database.Open(context.Background(), path)); !errors.Is(err, c.want) {
			t.Errorf("schema %d is opened: %v", c.version, err)
		}
		if !bytes.Equal(before, readFile(t, path)) {
			t.Errorf("the journal of schema %d was changed", c.version)
		}
		if asides, _ := dbfile.ListAsides(path); asides != nil {
			t.Errorf("schema %d was moved aside: %v", c.version, asides)
		}
	}
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	const n = 60
	page, task := 4096, inventText(2400)
	original := filepath.Join(t.TempDir(), "journal.db")
	ids := filled(t, original, n)
	whole := readFile(t, original)
	tests := []struct {
		name   string
		spoil  func(b []byte) []byte
		atMost int // dispatches that may be lost
	}{
		{"no database", func(b []byte) []byte { return []byte("this is not what you are looking for") }, n},
		{"zeros", func(b []byte) []byte { return make([]byte, len(b)) }, n},
		{"cut", func(b []byte) []byte { return b[:len(b)/2] }, n},
		{"cut in its header", func(b []byte) []byte { return b[:50] }, n},
		// From its 100 bytes of file header on: the pages of the schema are named right behind it.
		{"first page", func(b []byte) []byte { copy(b[100:], bytes.Repeat([]byte{0xff}, page-100)); return b }, n},
		{"one leaf", func(b []byte) []byte {
			at := bytes.LastIndex(b[:len(b)/2], []byte("vault-mind-miner")) / page * page
			copy(b[at:at+page], bytes.Repeat([]byte{0xa5}, page))
			return b
		}, 5},
		{"an index", func(b []byte) []byte {
			for at := page; at < len(b); at += page { // leaf pages of indices begin with 10
				if b[at] == 10 {
					copy(b[at+8:at+page], make([]byte, page-8))
				}
			}
			return b
		}, n},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal.db")
			spoiled := tt.spoil(bytes.Clone(whole))
			must(t, os.WriteFile(path, spoiled, 0o600))

			j := openAt(t, path)
			d := damage(t, j)
			if !bytes.Equal(readFile(t, d.Path), spoiled) {
				t.Error("the damaged bytes were changed")
			}
			if !strings.HasPrefix(filepath.Base(d.Path), "journal.db.corrupt-") || d.Problem == "" || d.Time.IsZero() {
				t.Errorf("told %+v", d)
			}
			t.Logf("%s: %d salvaged, %d lost", d.Problem, d.Salvaged, d.Missing)
			if d.Salvaged < n-tt.atMost || d.Salvaged > n {
				t.Errorf("salvaged %d of %d", d.Salvaged, n)
			}
			found := 0
			for _, id := range ids {
				got, err := j.Get(context.Background(), id)
				if err == nil {
					found++
					wantSteps(t, j, id, "accepted watch")
					if got.Task != task || got.Markers[0].Text != "> @agent-Miner question 0" {
						t.Errorf("salvaged %+v", got)
					}
				} else if !errors.Is(err, ErrNotFound) {
					t.Error(err)
				}
			}
			if found != d.Salvaged {
				t.Errorf("%d are there, %d were told", found, d.Salvaged)
			}
			accept(t, j, "after.md", 1)
			must(t, j.Close())
			if left, _ := filepath.Glob(path + ".salvage*"); left != nil {
				t.Errorf("left behind: %v", left)
			}

			j = openAt(t, path) // it goes on telling, and salvages nothing twice
			if again := damage(t, j); again.Path != d.Path || again.Salvaged != d.Salvaged || again.Problem != d.Problem {
				t.Errorf("told %+v, then %+v", d, again)
			}
			must(t, j.Close())
			must(t, os.Remove(d.Path))
			if j := openAt(t, path); j.Damage() != nil {
				t.Errorf("still told: %+v", j.Damage())
			}
		})
	}
}

// After an unclean end the newest steps are in the log only; it must go aside
// with the file, and be read with it.
func TestDamageKeepsTheLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.db")
	live := openAt(t, filepath.Join(dir, "live", "journal.db"))
	d := accept(t, live, "a.md", 2)
	log := readFile(t, filepath.Join(dir, "live", "journal.db-wal")) // as a crash leaves it
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.WriteFile(path+"-wal", log, 0o600))

	j := openAt(t, path)
	told := damage(t, j)
	if !bytes.Equal(readFile(t, told.Path+"-wal"), log) {
		t.Error("the log was changed")
	}
	if told.Salvaged != 0 { // SQLite reads no log without its file's first page
		get(t, j, d.ID)
	}
	must(t, j.Close())

	main := readFile(t, filepath.Join(dir, "live", "journal.db"))
	other := filepath.Join(dir, "other.db")
	aside := other + dbfile.AsideMark + "20260101T000000.000Z"
	must(t, os.WriteFile(aside, main, 0o600))
	must(t, os.WriteFile(aside+"-wal", log, 0o600))
	j = openAt(t, other) // as after a crash between moving aside and taking over
	if told := damage(t, j); told.Salvaged != 1 || told.Missing != 0 {
		t.Errorf("told %+v", told)
	}
	if got := get(t, j, d.ID); len(got.Markers) != 2 {
		t.Errorf("salvaged %+v", got)
	}
	if !bytes.Equal(readFile(t, aside), main) || !bytes.Equal(readFile(t, aside+"-wal"), log) {
		t.Error("the damaged bytes were changed")
	}
}

func TestSecondDamageTellsOfBoth(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	filled(t, path, 40)
	spoil := func() {
		b := readFile(t, path)
		for at := 4096; at < len(b); at += 4096 {
			if b[at] == 10 {
				copy(b[at+8:at+4096], make([]byte, 4096-8))
				break
			}
		}
		must(t, os.WriteFile(path, b, 0o600))
	}
	spoil()
	j := openAt(t, path)
	first := damage(t, j)
	list, err := j.List(context.Background(), Filter{})
	must(t, err)
	if len(list) == 0 {
		t.Fatalf("nothing was salvaged: %+v", first)
	}
	must(t, j.Cancel(context.Background(), list[0].ID, "by hand"))
	must(t, j.Close())
	spoil()
	j = openAt(t, path)
	if all := j.Damage(); len(all) != 2 || all[0].Path != first.Path || all[0].Salvaged != first.Salvaged {
		t.Errorf("told %+v", all)
	}
	if d, err := j.Get(context.Background(), list[0].ID); err == nil && d.Status != Cancelled {
		t.Errorf("an older journal's state came back: %+v", d)
	}
}

// A large file is not read whole at a clean start; damage in it shows when it is
// met, and the start after that deals with it.
func TestDamageMetInUse(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	first := accept(t, j, "first.md", 1)
	accept(t, j, "last.md", 1)
	must(t, j.Close())
	db, err := dbfile.Connect(path, "rw", 1)
	must(t, err)
	_, err = db.Exec(fmt.Sprintf("CREATE TABLE large AS SELECT zeroblob(%d); DROP TABLE large", 8<<20)) // its pages stay
	must(t, errors.Join(err, db.Close()))
	b := readFile(t, path)
	at := bytes.Index(b, []byte("vault-mind-miner")) / 4096 * 4096
	copy(b[at:at+4096], bytes.Repeat([]byte{0xa5}, 4096))
	must(t, os.WriteFile(path, b, 0o600))

	j = openAt(t, path)
	if d := j.Damage(); d != nil {
		t.Fatalf("a large file was read whole: %+v", d)
	}
	if _, err := j.Get(ctx, first.ID); !dbfile.IsDamage(err) {
		t.Fatalf("met no damage: %v", err)
	}
	must(t, j.Close())
	j = openAt(t, path)
	if d := damage(t, j); d.Salvaged > 1 {
		t.Errorf("told %+v", d)
	}
	must(t, j.Close())
	must(t, os.Remove(j.Damage()[0].Path))
	j = openAt(t, path)
	if _, err := os.Stat(path + ".suspect"); err == nil {
		t.Error("the doubt outlived the check")
	}
	accept(t, j, "after.md", 1)
}

// Damage in what is read at each start stops one start alone, however large the file.
func TestDamagedDays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	_, err := j.RecordDay(t.Context(), "/the/vault", time.Now())
	must(t, err)
	must(t, j.Close())
	db, err := dbfile.Connect(path, "rw", 1)
	must(t, err)
	_, err = db.Exec(fmt.Sprintf("CREATE TABLE large AS SELECT zeroblob(%d); DROP TABLE large", 8<<20)) // its pages stay
	must(t, errors.Join(err, db.Close()))
	b := readFile(t, path)
	for page := range slices.Chunk(b, 4096) {
		if bytes.Contains(page, []byte("/the/vault")) {
			copy(page, bytes.Repeat([]byte{0xa5}, 4096))
		}
	}
	must(t, os.WriteFile(path, b, 0o600))
	if _, err := On(database.Open(t.Context(), path)); !dbfile.IsDamage(err) {
		t.Fatalf("met no damage: %v", err)
	}
	damage(t, openAt(t, path))
}

// A refused or unreachable file is no damage: it stays where it is.
func TestUnreachableFileIsNotDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := On(database.Open(context.Background(), dir)); err == nil {
		t.Error("a folder was opened")
	}
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, []byte("x"), 0o600))
	if _, err := On(database.Open(context.Background(), filepath.Join(file, "journal.db"))); err == nil {
		t.Error("a file was taken for a folder")
	}
	path := filepath.Join(dir, "journal.db")
	filled(t, path, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := On(database.Open(ctx, path)); !errors.Is(err, context.Canceled) {
		t.Errorf("opened with an ended context: %v", err)
	}
	if asides, _ := dbfile.ListAsides(path); asides != nil {
		t.Errorf("moved aside: %v", asides)
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	d := bring(t, j, "start")
	var pages int
	must(t, j.db.Writer.QueryRow("PRAGMA page_count").Scan(&pages))
	limit := func(n int) {
		t.Helper()
		var got int
		must(t, j.db.Writer.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", n)).Scan(&got))
	}
	limit(pages + 2)
	long := inventText(52_000)
	if err := j.RecordAnswers(ctx, d.ID, []string{long, long}); err == nil {
		t.Fatal("140 KB fitted into two pages")
	}
	refused := 0
	for i := range 20 {
		want, equal := group(fmt.Sprintf("full%d.md", i), 1)
		want.Task = long
		_, ok, err := j.Accept(ctx, want, equal)
		if ok != (err == nil) {
			t.Fatal(ok, err)
		}
		if err != nil {
			refused++
		}
	}
	if refused != 20 {
		t.Errorf("%d of 20 were refused", refused)
	}
	if got := get(t, j, d.ID); situation(got) != "processing" || got.Markers[0].Answer != "" {
		t.Errorf("half an answer was stored: %+v", got)
	}
	if list, err := j.List(ctx, Filter{}); err != nil || len(list) != 1 {
		t.Errorf("%d dispatches, %v", len(list), err)
	}
	limit(1 << 30) // space was made
	must(t, j.RecordAnswers(ctx, d.ID, []string{long, long}))
	must(t, j.RecordWritten(ctx, d.ID, []int{0, 1}, [32]byte{1}))
	must(t, j.Close())
	j = openAt(t, path)
	if got := get(t, j, d.ID); got.Status != Done || got.Markers[1].Answer != long || j.Damage() != nil {
		t.Errorf("after reopening %s, damage %v", got.Status, j.Damage())
	}
}

// An older schema is brought up to date, and two who do it do it once.
func TestMigration(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	must(t, os.WriteFile(path, nil, 0o600)) // as a start ended right after creating it leaves it
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() {
			j, err := On(database.Open(ctx, path))
			if err == nil {
				err = j.Close()
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		must(t, <-errs)
	}
	j := openAt(t, path)
	version, err := schema.ReadVersion(ctx, j.db.Writer)
	if err != nil || version != schema.Version {
		t.Errorf("schema %d, %v", version, err)
	}
}

// TestIndexWithoutRows: an index that leads to rows which are gone is damage, although SQLite's check has
// nothing against it.
func TestIndexWithoutRows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	for i := range 20 {
		accept(t, j, fmt.Sprintf("%d.md", i), 1)
	}
	const index = "dispatches_claiming"
	for _, do := range []string{
		"PRAGMA foreign_keys = OFF",
		"PRAGMA writable_schema = ON",
		"CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = '" + index + "'",
		"DELETE FROM sqlite_schema WHERE name = '" + index + "'",
		"PRAGMA writable_schema = RESET",
		"DELETE FROM markers WHERE dispatch = 7",
		"DELETE FROM steps WHERE dispatch = 7",
		"DELETE FROM dispatches WHERE seq = 7",
		"PRAGMA writable_schema = ON",
		"INSERT INTO sqlite_schema SELECT * FROM hidden",
		"PRAGMA writable_schema = RESET",
	} {
		_, err := j.db.Writer.Exec(do)
		must(t, err)
	}
	must(t, j.Close())
	j = openAt(t, path)
	defer j.Close()
	if damages := j.Damage(); len(damages) != 1 || damages[0].Salvaged != 19 {
		t.Errorf("damages %+v", damages)
	}
	if claims, err := j.Claims(context.Background(), "/vault", ""); err != nil || len(claims) != 19 {
		t.Errorf("%d claims, %v", len(claims), err)
	}
}

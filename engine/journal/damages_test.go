package journal

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/journal/schema"
	"vaultdispatcher/engine/note"
)

var randomDamages = flag.Int("journal.damages", 40, "how many random damages a journal is opened with")

// life is what lived leaves; it is made once.
var life struct {
	sync.Mutex
	whole, log []byte
}

// lived leaves a closed journal with dispatches in every state and rows in every table, and
// its log as a crash leaves it.
func lived(t *testing.T) (whole, log []byte) {
	t.Helper()
	life.Lock()
	defer life.Unlock()
	if life.whole != nil {
		return life.whole, life.log
	}
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "lived", "journal.db")
	j := openAt(t, path)
	withoutSync(t, j)
	must(t, j.RecordMet(ctx, "/vault", time.Now(), []NotePast{{File: "old.md", Arrival: time.Now(), Lines: make([]byte, 32), Alike: []byte("12345678")}}))
	must(t, j.SetCopy(ctx, "/vault", Copy{File: "old 2.md", Time: time.Now(), Original: "old.md", Hash: [32]byte{1}, Markers: make([]byte, 64)}))
	must(t, j.KeepPasts(ctx, "/vault", []NotePast{{File: "new.md"}}))
	must(t, j.SetLimit(ctx, Limit{Role: "Miner", Start: time.Now(), End: time.Now().Add(time.Hour), Reason: "asked too much"}))
	must(t, j.RecordProgressSwap(ctx, Swap{Path: "/vault/none.md", Temp: "/tmp/none"}))
	for i := range 48 {
		d := accept(t, j, fmt.Sprintf("%d.md", i), 1+i%3)
		stage := i % 8
		if stage >= 1 && stage != 6 {
			_, err := j.Start(ctx, d.ID, "builtin", time.Now())
			must(t, err)
			must(t, j.SetTask(ctx, d.ID, string(bytes.Repeat([]byte("task "), 40*i)), Made{Local: i%2 == 0, Sources: []string{"a.md", d.File}}))
		}
		answers := []string{"one", "two", "three"}[:len(d.Markers)]
		if stage >= 2 && stage <= 4 {
			must(t, j.RecordAnswers(ctx, d.ID, answers))
			must(t, j.AddUsage(ctx, d.ID, Usage{Model: "m", Input: 5, Output: 6, Cost: 0.5}))
		}
		swap := Swap{Dispatch: d.ID, Path: "/vault/" + d.File, Temp: "/tmp/" + d.ID, Text: []byte("the note"), Blocks: []note.Block{{Text: []byte("block")}}}
		switch stage {
		case 3:
			must(t, j.RecordSwap(ctx, swap))
		case 4:
			must(t, j.RecordSwap(ctx, swap))
			must(t, j.RecordWritten(ctx, d.ID, []int{0, 1, 2}[:len(d.Markers)], [32]byte{1}))
			must(t, j.CloseSwap(ctx, swap.Temp))
		case 5:
			must(t, j.Fail(ctx, d.ID, "it failed"))
		case 6:
			must(t, j.Hold(ctx, d.ID, ForOld, "it waits", time.Time{}))
		case 7:
			must(t, j.Withhold(ctx, d.ID, "by hand"))
		}
	}
	log = readFile(t, path+"-wal")
	must(t, j.Close())
	life.whole, life.log = readFile(t, path), log
	return life.whole, life.log
}

// ruin damages bytes in one of the ways in which disks, copies and programs do, and says how.
func ruin(r *rand.Rand, b []byte) ([]byte, string) {
	const page = 4096
	b = bytes.Clone(b)
	at := r.IntN(len(b))
	if r.IntN(4) == 0 {
		at = r.IntN(min(len(b), 3*page)) // the header and the schema
	}
	pages := len(b) / page
	pageAt := func() []byte { p := r.IntN(pages) * page; return b[p : p+page] }
	switch r.IntN(9) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
		return b, fmt.Sprintf("one bit at %d", at)
	case 1:
		b[at] = byte(r.Uint32())
		return b, fmt.Sprintf("one byte at %d", at)
	case 2, 3:
		n := min(1+r.IntN(64), len(b)-at)
		for i := range n {
			b[at+i] = byte(r.Uint32())
		}
		return b, fmt.Sprintf("%d random bytes at %d", n, at)
	case 4:
		clear(b[at/512*512 : min(len(b), at/512*512+512)])
		return b, fmt.Sprintf("a sector of zeros at %d", at/512*512)
	case 5:
		p := pageAt()
		for i := range p {
			p[i] = byte(r.Uint32())
		}
		return b, "a random page"
	case 6:
		copy(pageAt(), bytes.Clone(pageAt()))
		return b, "a page over another"
	case 7:
		return b[:at], fmt.Sprintf("cut at %d", at)
	}
	for range 30 {
		b[r.IntN(len(b))] = byte(r.Uint32())
	}
	return b, "30 bytes anywhere"
}

// The two bytes that say which versions may read and write the file: a later one may only be
// read, and goes unnoticed until somebody writes.
func TestDamagedFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole, _ := lived(t)
	step := 1
	if testing.Short() {
		step = 9
	}
	for bit := 0; bit < 16; bit += step {
		path := filepath.Join(dir, fmt.Sprint(bit), "journal.db")
		must(t, os.Mkdir(filepath.Dir(path), 0o700))
		spoiled := bytes.Clone(whole)
		spoiled[18+bit/8] ^= 1 << (bit % 8)
		must(t, os.WriteFile(path, spoiled, 0o600))
		j := openAt(t, path)
		if damages := j.Damage(); len(damages) > 0 && damages[0].Salvaged != 48 {
			t.Errorf("bit %d of byte %d: %+v", bit%8, 18+bit/8, damages)
		}
		must(t, goOn(j))
		must(t, j.Close())
	}
}

// However a journal is damaged, it opens, everything in it can be read and goes on, and
// nothing waits in silence.
func TestRandomDamages(t *testing.T) {
	t.Parallel()
	r := random(t)
	dir := t.TempDir()
	whole, log := lived(t)
	rounds := *randomDamages / fewer
	if testing.Short() {
		rounds = min(rounds, 4)
	}
	told, saved := 0, 0
	for round := range rounds {
		path := filepath.Join(dir, "journal.db")
		spoiled, how := ruin(r, whole)
		must(t, os.WriteFile(path, spoiled, 0o600))
		if round%3 == 0 {
			spoiledLog, howLog := ruin(r, log)
			how += ", its log: " + howLog
			must(t, os.WriteFile(path+"-wal", spoiledLog, 0o600))
		}
		j, err := On(database.Open(context.Background(), path))
		if err != nil {
			t.Fatalf("round %d, %s: %v", round, how, err)
		}
		_, err = j.db.Writer.Exec("PRAGMA synchronous = OFF") // what comes next need not last
		must(t, err)
		if damages := j.Damage(); len(damages) > 0 {
			told++
			saved += damages[0].Salvaged
			if !bytes.Equal(readFile(t, damages[0].Path), spoiled) {
				t.Errorf("round %d, %s: the damaged bytes were changed", round, how)
			}
		}
		if err := goOn(j); err != nil {
			t.Fatalf("round %d, %s, damage %+v: %v", round, how, j.Damage(), err)
		}
		must(t, j.Close())
		left, err := filepath.Glob(path + "*")
		must(t, err)
		for _, name := range left {
			must(t, os.Remove(name))
		}
	}
	t.Logf("count: %d damages, %d of them noticed, %d dispatches saved of %d", rounds, told, saved, told*48)
	if rounds >= 40 && (told < rounds/4-5 || saved < told*48/3) { // in fewer chance may have it so
		t.Error("too little was noticed or saved")
	}
}

// goOn reads everything in a journal, and takes every question in it to its end.
func goOn(j *Journal) error {
	ctx := context.Background()
	if err := readAll(ctx, j); err != nil {
		return err
	}
	if _, err := j.Recover(ctx); err != nil {
		return err
	}
	waiting, err := j.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, d := range waiting {
		if err := answerAll(ctx, j, d); err != nil {
			return fmt.Errorf("%+v: %w", d, err)
		}
	}
	d, equal := group("after.md", 2)
	if _, ok, err := j.Accept(ctx, d, equal); err != nil || !ok {
		return fmt.Errorf("accept: %v, %w", ok, err)
	}
	if err := j.KeepPasts(ctx, "/vault", []NotePast{{File: "new.md", Arrival: time.Now()}}); err != nil {
		return err
	}
	if err := j.SetCopy(ctx, "/vault", Copy{File: "old 2.md", Time: time.Now(), Original: "new.md"}); err != nil {
		return err
	}
	if err := j.SetLimit(ctx, Limit{Role: "Other", End: time.Now()}); err != nil {
		return err
	}
	_, err = j.Prune(ctx, time.Now().Add(time.Hour), time.Time{})
	return err
}

// answerAll takes one dispatch to its end.
func answerAll(ctx context.Context, j *Journal, d Dispatch) error {
	if d.Status == Queued {
		if _, err := j.Start(ctx, d.ID, "builtin", time.Now()); err != nil {
			return err
		}
	}
	if d.Undo == Undoing {
		return nil
	}
	if !d.Answered {
		if err := j.RecordAnswers(ctx, d.ID, make([]string, len(d.Markers))); err != nil {
			return err
		}
	}
	if err := j.RecordSwap(ctx, Swap{Dispatch: d.ID, Path: "/vault/x.md", Temp: "/tmp/end-" + d.ID}); err != nil {
		return err
	}
	all := make([]int, len(d.Markers))
	for i := range all {
		all[i] = i
	}
	if err := j.RecordWritten(ctx, d.ID, all, [32]byte{2}); err != nil {
		return err
	}
	done, err := j.Get(ctx, d.ID)
	if err == nil && done.Status != Done {
		err = fmt.Errorf("it is %s", done.Status)
	}
	return err
}

// readAll calls everything that reads, and compares what the ways of reading say.
func readAll(ctx context.Context, j *Journal) error {
	list, err := j.List(ctx, Filter{Limit: 1000})
	if err != nil {
		return err
	}
	unfinished, err := j.Unfinished(ctx)
	if err != nil {
		return err
	}
	counts, err := j.Counts(ctx)
	if err != nil {
		return err
	}
	waiting := make(map[string]bool)
	for _, d := range unfinished {
		waiting[d.ID] = true
	}
	for _, d := range list {
		counts[d.Status]--
		if (d.Status == Queued || d.Status == Processing) != waiting[d.ID] {
			return fmt.Errorf("%s is %s, unfinished %v", d.ID, d.Status, waiting[d.ID])
		}
		if err := readOne(ctx, j, d); err != nil {
			return err
		}
	}
	for status, n := range counts {
		if n != 0 {
			return fmt.Errorf("%d %s are counted and not listed", n, status)
		}
	}
	_, err1 := j.Swaps(ctx)
	_, err2 := j.Limits(ctx)
	_, err3 := j.IsMet(ctx, "/vault")
	_, _, err4 := j.NotePast(ctx, "/vault", "old.md")
	_, err5 := j.PastsAlike(ctx, "/vault", []byte("12345678"))
	_, err6 := j.Ended(ctx, time.Time{})
	_, err7 := j.Exchanges(ctx, Past{Vault: "/vault", Bytes: 1 << 20, Limit: 100})
	_, err8 := j.Copy(ctx, "/vault", "old 2.md")
	return errors.Join(err1, err2, err3, err4, err5, err6, err7, err8)
}

func readOne(ctx context.Context, j *Journal, d Dispatch) error {
	full, err := j.Get(ctx, d.ID)
	if err != nil {
		return err
	}
	if _, err := j.Steps(ctx, d.ID); err != nil {
		return err
	}
	for _, at := range []time.Time{full.Created, full.Started, full.Finished, full.NextAttempt} {
		if _, err := at.MarshalJSON(); err != nil {
			return err
		}
	}
	claims, err := j.Claims(ctx, d.Vault, d.File)
	if err != nil {
		return err
	}
	want, got := 0, 0
	for _, m := range full.Markers {
		if full.Status != Done && full.Status != Parked && (full.Status != Cancelled || full.Withheld) && !m.Written {
			want++
		}
	}
	for _, c := range claims {
		if c.Dispatch == d.ID {
			got++
		}
	}
	if got != want || len(full.Markers) == 0 {
		return fmt.Errorf("%s is %s with %d markers and %d of %d claims", d.ID, d.Status, len(full.Markers), got, want)
	}
	return nil
}

// Every table is one that a salvage takes over and a check looks at.
func TestSalvageKnowsEveryTable(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	rows, err := j.db.Writer.Query("SELECT name FROM sqlite_schema WHERE type = 'table'")
	tables, err := dbfile.Collect(rows, err, dbfile.OneText)
	must(t, err)
	rules := string(readFile(t, "salvage/rules.go"))
	for _, name := range tables {
		if !strings.Contains(rules, "\t\""+name+"\":") {
			t.Errorf("the table %s has no rules in engine/journal/salvage", name)
		}
	}
	if len(tables) < 9 {
		t.Errorf("tables %q", tables)
	}
}

// Where nothing can be read of a damaged journal, not even copied, a new one begins and
// says so.
func TestBeginsEmpty(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	must(t, os.MkdirAll(path+dbfile.AsideMark+"20260101T000000.000Z", 0o700)) // a folder cannot be copied as a file
	j := openAt(t, path)
	if d := damage(t, j); d.Salvaged != 0 || !strings.Contains(d.Problem, "nothing of it can be read") {
		t.Errorf("told %+v", d)
	}
	accept(t, j, "after.md", 1)
}

// A disk without room is named.
func TestFullDiskIsNamed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	var pages int
	must(t, j.db.Writer.QueryRow("PRAGMA page_count").Scan(&pages))
	must(t, j.db.Writer.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Scan(&pages))
	want, equal := group("full.md", 1)
	want.Task = inventText(1 << 20)
	_, _, err := j.Accept(context.Background(), want, equal)
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "the disk that holds "+filepath.Dir(path)+" is full") {
		t.Errorf("told as %v", err)
	}
	if err := NameFull(os.ErrPermission, path); errors.Is(err, ErrFull) {
		t.Errorf("told as %v", err)
	}
}

// A version that damage put into the header is no later program's.
func TestDamagedVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []int{0, 1, schema.Version - 1, schema.Version + 1, 255, -1} {
		path := filepath.Join(t.TempDir(), "journal.db")
		filled(t, path, 3)
		db, err := dbfile.Connect(path, "rw", 1)
		must(t, err)
		_, err = db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
		must(t, errors.Join(err, db.Close()))
		j := openAt(t, path)
		if d := damage(t, j); d.Salvaged != 3 || d.Missing != 0 {
			t.Errorf("version %d: %+v", version, d)
		}
		must(t, j.Close())
	}
}

// SQLite's own check takes the empty page of a table for that of an index, and the first write fails.
func TestEmptyPageOfAnotherKind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole, _ := lived(t)
	path := filepath.Join(dir, "journal.db")
	must(t, os.WriteFile(path, whole, 0o600))
	j := openAt(t, path)
	var table, index int
	must(t, j.db.Reader.QueryRow("SELECT rootpage, (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_parts_1') FROM sqlite_schema WHERE name = 'parts'").Scan(&table, &index))
	must(t, j.Close())
	for _, over := range [][2]int{{table, index}, {index, table}} {
		spoiled := bytes.Clone(whole)
		const page = 4096
		copy(spoiled[(over[1]-1)*page:over[1]*page], whole[(over[0]-1)*page:over[0]*page])
		must(t, os.WriteFile(path, spoiled, 0o600))
		j := openAt(t, path)
		if damages := j.Damage(); len(damages) != 1 || damages[0].Salvaged != 48 {
			t.Errorf("page %d over page %d: %+v", over[0], over[1], damages)
		}
		must(t, goOn(j))
		must(t, j.Close())
		left, err := filepath.Glob(path + "*")
		must(t, err)
		for _, name := range left {
			must(t, os.Remove(name))
		}
	}
}

package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/testdata/testseed"
)

// TestMain lets the test binary stand in for another process.
func TestMain(m *testing.M) {
	if path := os.Getenv("JOURNAL_TEST_CHILD"); path != "" {
		if err := child(path, os.Getenv("JOURNAL_TEST_NAME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(testmain.Run(m))
}

// random returns a source whose seed the log names.
func random(t *testing.T) *rand.Rand {
	s := testseed.Take(t)
	return rand.New(rand.NewPCG(s, 0))
}

func openAt(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := On(database.Open(context.Background(), path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func openNew(t testing.TB) *Journal {
	t.Helper()
	j := openAt(t, filepath.Join(t.TempDir(), "state", "journal.db"))
	if _, timed := t.(*testing.B); testing.Short() && !timed {
		withoutSync(t, j)
	}
	return j
}

// withoutSync has a journal wait for no disk: no test cuts the power.
func withoutSync(t testing.TB, j *Journal) {
	t.Helper()
	_, err := j.db.Writer.Exec("PRAGMA synchronous = OFF")
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// group is a dispatch of n different markers, ready for Accept.
func group(file string, n int) (Dispatch, map[string]int) {
	d := Dispatch{
		Vault: "/vault", File: file, Key: "agent-miner", Role: "Miner", Agent: "vault-mind-miner",
		Trigger: "watch", Task: "the prompt", Status: Queued,
	}
	equal := make(map[string]int)
	for i := range n {
		text := fmt.Sprintf("> @agent-Miner question %d", i)
		equal[text] = 1
		d.Markers = append(d.Markers, Marker{
			Trace:       note.Trace{Line: 3 + i, Text: text, Upper: "before", Lower: "after"},
			Instruction: fmt.Sprintf("question %d", i), Context: fmt.Sprintf("context %d", i),
		})
	}
	return d, equal
}

func accept(t testing.TB, j *Journal, file string, n int) Dispatch {
	t.Helper()
	want, equal := group(file, n)
	d, ok, err := j.Accept(context.Background(), want, equal)
	if err != nil || !ok {
		t.Fatalf("accept in %s: %v, %v", file, ok, err)
	}
	return d
}

func get(t testing.TB, j *Journal, id string) Dispatch {
	t.Helper()
	d, err := j.Get(context.Background(), id)
	must(t, err)
	return d
}

func TestWholeLifeSurvivesReopening(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	reopen := func() {
		t.Helper()
		must(t, j.Close())
		j = openAt(t, path)
	}

	d := accept(t, j, "a.md", 2)
	reopen()
	if got := get(t, j, d.ID); !reflect.DeepEqual(got, d) {
		t.Fatalf("accepted %+v, stored %+v", d, got)
	}

	now := time.Now()
	running, err := j.Start(ctx, d.ID, "claude", now)
	must(t, err)
	reopen()
	if got := get(t, j, d.ID); !reflect.DeepEqual(got, running) ||
		got.Status != Processing || got.Runner != "claude" || got.Starts != 1 || !got.Started.Equal(now.Truncate(time.Millisecond)) {
		t.Fatalf("started, stored %+v", got)
	}

	must(t, j.RecordAnswers(ctx, d.ID, []string{"first", "second"}))
	reopen()
	if got := get(t, j, d.ID); !got.Answered || got.Status != Processing || got.Markers[0].Answer != "first" || got.Markers[1].Answer != "second" {
		t.Fatalf("answered, stored %+v", got)
	}

	swap := Swap{Dispatch: d.ID, Path: "/vault/a.md", Temp: "/vault/.vault-mind/tmp/1", Base: [32]byte{1}, New: [32]byte{2}}
	must(t, j.RecordSwap(ctx, swap))
	reopen()
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, []Swap{swap}) {
		t.Fatalf("open swaps %+v, %v", got, err)
	}

	must(t, j.RecordWritten(ctx, d.ID, []int{0, 1}, [32]byte{2}))
	reopen()
	got := get(t, j, d.ID)
	if got.Status != Done || got.Hash != [32]byte{2} || !got.Markers[0].Written || !got.Markers[1].Written || got.Finished.IsZero() {
		t.Fatalf("written, stored %+v", got)
	}
	if swaps, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(swaps, []Swap{swap}) {
		t.Fatalf("what was displaced is forgotten already: %v, %v", swaps, err)
	}
	must(t, j.CloseSwap(ctx, swap.Temp))
	reopen()
	if swaps, err := j.Swaps(ctx); err != nil || len(swaps) != 0 {
		t.Fatalf("a swap is still open: %v, %v", swaps, err)
	}
	if claims, err := j.Claims(ctx, "/vault", "a.md"); err != nil || len(claims) != 0 {
		t.Fatalf("a claim is still held: %v, %v", claims, err)
	}
	wantSteps(t, j, d.ID, "accepted watch", "started claude", "answered ", "swapping /vault/a.md", "written 2")
}

func wantSteps(t *testing.T, j *Journal, id string, want ...string) {
	t.Helper()
	steps, err := j.Steps(context.Background(), id)
	must(t, err)
	var got []string
	for _, s := range steps {
		got = append(got, s.Name+" "+s.Detail)
		if s.Time.IsZero() {
			t.Errorf("step %s has no time", s.Name)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
}

func TestHostileBytesComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	hostile := "a\x00b\xff\xfe\u202e'; DROP TABLE dispatches; --\r\n%_\"" + strings.Repeat("ü", 100_000)
	d := Dispatch{
		Vault: hostile, File: hostile, Key: hostile, Role: hostile, TaskID: hostile, Agent: hostile, Trigger: hostile,
		Task: hostile, Status: Held, Error: hostile,
		Markers: []Marker{
			{Trace: note.Trace{Text: hostile, Upper: hostile, Lower: hostile}, Instruction: hostile, Context: hostile},
			{See: 1},
		},
	}
	stored, ok, err := j.Accept(ctx, d, map[string]int{hostile: 1, "": 1})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	d.ID, d.Created = stored.ID, stored.Created
	if !reflect.DeepEqual(stored, d) {
		t.Error("the dispatch came back changed")
	}
	_, err = j.Retry(ctx, stored.ID, "retry")
	must(t, err)
	_, err = j.Start(ctx, stored.ID, hostile, time.Now())
	must(t, err)
	must(t, j.RecordAnswers(ctx, stored.ID, []string{hostile, ""}))
	if got := get(t, j, stored.ID); got.Markers[0].Answer != hostile || got.Runner != hostile {
		t.Error("the answer came back changed")
	}
	if claims, err := j.Claims(ctx, hostile, hostile); err != nil || len(claims) != 2 || claims[0].Marker.Text != hostile {
		t.Errorf("%d claims, %v", len(claims), err)
	}
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // access there is inherited from the profile's folder
	}
	dir := filepath.Join(t.TempDir(), "new", "state")
	path := filepath.Join(dir, "journal.db")
	j := openAt(t, path)
	accept(t, j, "a.md", 1)
	check := func(name string, want os.FileMode) {
		t.Helper()
		info, err := os.Stat(name)
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(name), got, want)
		}
	}
	check(dir, 0o700)
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		check(name, 0o600)
	}
	must(t, j.Close())
	must(t, os.Chmod(path, 0o644))
	openAt(t, path)
	check(path, 0o600)
}

func TestPathsThatLookLikeURLs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "50% off", "what?mode=memory", "#1", "ünïcode", "file:x", "q&_pragma=query_only(1)", ":memory:"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, `?:`) {
			continue // no such names there
		}
		path := filepath.Join(t.TempDir(), name, name+".db")
		j := openAt(t, path)
		d := accept(t, j, "a.md", 1)
		must(t, j.Close())
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: nothing is stored there: %v", name, err)
		}
		get(t, openAt(t, path), d.ID)
	}
}

// A caller whose context ends must know where it stands: an error means that
// nothing was stored, success that it was.
func TestCancelledContextLeavesNoDoubt(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	r := random(t)
	var stored, refused atomic.Int32
	var all sync.WaitGroup
	writers := 400
	if testing.Short() {
		writers = 60
	}
	for i := range writers {
		wait := time.Duration(r.IntN(100)) * time.Millisecond
		switch i { // however slow the disk is, both sides are seen
		case 0:
			wait = time.Minute
		case 1:
			wait = 0
		}
		all.Go(func() {
			file := fmt.Sprintf("%d.md", i)
			ctx, cancel := context.WithTimeout(context.Background(), wait)
			defer cancel()
			d, equal := group(file, 3)
			_, ok, err := j.Accept(ctx, d, equal)
			claims, readErr := j.Claims(context.Background(), "/vault", file)
			switch {
			case err == nil && readErr == nil && ok && len(claims) == 3:
				stored.Add(1)
			case errors.Is(err, context.DeadlineExceeded) && readErr == nil && len(claims) == 0:
				refused.Add(1)
			default:
				t.Errorf("accept: %v, %v; then %d claims, %v", ok, err, len(claims), readErr)
			}
		})
	}
	all.Wait()
	t.Logf("%d stored, %d refused", stored.Load(), refused.Load())
	if stored.Load() == 0 || refused.Load() == 0 {
		t.Error("the test saw one side only")
	}
}

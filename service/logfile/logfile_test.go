package logfile

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

// small returns a log that is set aside early.
func small(t *testing.T, limit int64) *File {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "log", "engine.log"))
	if err != nil {
		t.Fatal(err)
	}
	f.limit = limit
	t.Cleanup(func() { f.Close() })
	return f
}

func say(t *testing.T, f *File, line string) {
	t.Helper()
	if n, err := f.Write([]byte(line + "\n")); err != nil || n != len(line)+1 {
		t.Fatalf("write: %d, %v", n, err)
	}
}

func last(t *testing.T, f *File, n int) []string {
	t.Helper()
	lines, err := NewReader(f.path).Last(n)
	if err != nil {
		t.Fatal(err)
	}
	return texts(lines)
}

func texts(lines [][]byte) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = string(l)
	}
	return out
}

func TestStaysSmall(t *testing.T) {
	f := small(t, 100)
	var all []string
	for i := range 200 {
		all = append(all, fmt.Sprintf("line %04d", i)) // ten bytes with its end
		say(t, f, all[i])
	}
	entries, err := os.ReadDir(filepath.Dir(f.path))
	if err != nil || len(entries) != 1+older {
		t.Fatalf("%d files are there, error %v", len(entries), err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Size() > 100 {
			t.Errorf("%s has %d bytes, error %v", e.Name(), info.Size(), err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v", e.Name(), info.Mode())
		}
	}
	for _, n := range []int{0, 1, 5, 10, 11, 40} {
		if got, want := last(t, f, n), all[200-n:]; !slices.Equal(got, want) {
			t.Errorf("the last %d lines are %q", n, got)
		}
	}
	if got := last(t, f, 1000); !slices.Equal(got, all[200-len(got):]) || len(got) != 40 {
		t.Errorf("all lines are %d: %q", len(got), got)
	}
}

func TestGoesOn(t *testing.T) {
	f := small(t, 1000)
	say(t, f, "first")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("late\n")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("written after the end: %v", err)
	}
	g, err := Open(f.path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	say(t, g, "second")
	say(t, g, strings.Repeat("x", 2000)) // longer than a file may be
	say(t, g, "third")
	if got := last(t, g, 4); len(got) != 4 || got[0] != "first" || got[3] != "third" {
		t.Errorf("the lines are %q", got)
	}
}

// TestNoReader reads what is not there.
func TestNoReader(t *testing.T) {
	lines, err := NewReader(filepath.Join(t.TempDir(), "none.log")).Last(10)
	if len(lines) != 0 || err != nil {
		t.Errorf("%q, %v", lines, err)
	}
}

// TestSeveralWriters holds that no line is torn or lost, also of a second process
// under which the file is set aside.
func TestSeveralWriters(t *testing.T) {
	f := small(t, 4096)
	g, err := Open(f.path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	var wg sync.WaitGroup
	for w := range 4 {
		log := f
		if w == 3 {
			log = g
		}
		wg.Go(func() {
			for i := range 100 {
				fmt.Fprintf(log, "writer %d line %03d\n", w, i)
			}
		})
	}
	wg.Wait()
	got := last(t, f, 1000)
	if len(got) != 400 {
		t.Errorf("%d lines are there, not 400", len(got))
	}
	for _, line := range got {
		var w, i int
		if n, err := fmt.Sscanf(line, "writer %d line %d", &w, &i); n != 2 || err != nil || len(line) != len("writer 0 line 000") {
			t.Errorf("a torn line: %q", line)
		}
	}
}

// TestFollow sees each line once, in order, across files that are set aside, and
// no line before its end was written.
func TestFollow(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	synctest.Test(t, func(t *testing.T) {
		f := small(t, 300)
		say(t, f, "before")
		reader := NewReader(f.path)
		if lines, err := reader.Last(1); err != nil || len(lines) != 1 || string(lines[0]) != "before" {
			t.Fatalf("the last line is %q, error %v", lines, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var got, want []string
		ended := make(chan error, 1)
		go func() {
			ended <- reader.Follow(ctx, func(line []byte) error {
				got = append(got, string(line))
				return nil
			})
		}()
		for i := range 300 {
			want = append(want, fmt.Sprintf("line %d %s", i, strings.Repeat("x", r.IntN(50))))
			line := want[i] + "\n"
			cut := r.IntN(len(line))
			for _, part := range []string{line[:cut], line[cut:]} {
				if _, err := f.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
				if r.IntN(4) == 0 {
					synctest.Wait()
				}
			}
			if i%4 == 3 {
				wait(t.Context(), poll)
			}
		}
		wait(t.Context(), 2*poll)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: %d lines were seen and %d written; they differ", seed, len(got), len(want))
		}
	})
}

// A file that is set aside after it was opened is read once, and what is newer than it is not read before it.
func TestFileSetAsideWhileItIsRead(t *testing.T) {
	for _, c := range []struct {
		before, after []string
		want          string
	}{
		{before: []string{"second", "third"}, after: []string{"fourth"}, want: "second\n"},
		{before: []string{"second"}, after: []string{"third", "fourth"}, want: ""},
	} {
		f := small(t, 10)
		say(t, f, "first")
		reader := NewReader(f.path)
		if _, err := reader.Last(1); err != nil {
			t.Fatal(err)
		}
		for _, line := range c.before {
			say(t, f, line)
		}
		file, err := os.Open(f.path)
		if err != nil {
			t.Fatal(err)
		}
		opened, err := file.Stat() // unlike os.Stat it knows the file on Windows when the name has gone to another
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		for _, line := range c.after {
			say(t, f, line)
		}
		if got, err := reader.takeRemainder(opened); string(got) != c.want || err != nil {
			t.Errorf("before %q, after %q: what was written before the file that is open is %q, want %q; error %v", c.before, c.after, got, c.want, err)
		}
	}
}

// wait lets the time of a bubble pass.
func wait(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}

func TestFollowEndsWithItsReader(t *testing.T) {
	f := small(t, 1000)
	say(t, f, "one")
	gone := errors.New("gone")
	if err := NewReader(f.path).Follow(t.Context(), func([]byte) error { return gone }); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
}

package days_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, path string) *journal.Journal {
	t.Helper()
	j, err := journal.On(database.Open(t.Context(), path))
	must(t, err)
	return j
}

// first is a day in UTC, and after the one that is so many days later.
var first = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func after(days int) time.Time { return first.AddDate(0, 0, days) }

// written makes a journal that has said days in two vaults, and returns its mark.
func written(t *testing.T, path string) (mark time.Time) {
	t.Helper()
	j := open(t, path)
	_, err := j.RecordGiven(t.Context(), "/one", after(0))
	must(t, err)
	_, err = j.RecordGiven(t.Context(), "/clone", after(0))
	must(t, err)
	for _, said := range []struct {
		path string
		day  time.Time
	}{{"/one", after(2)}, {"/two", after(0)}, {"/one", after(1)}} { // at last the clock was set back
		mark, err = j.RecordDay(t.Context(), said.path, said.day)
		must(t, err)
	}
	must(t, j.Close())
	return mark
}

// A journal is behind a vault that was told a later day than the journal has said there, or the mark of another journal.
func TestIsBehind(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	none, err := journal.ReadDays(path)
	must(t, err)
	mark := written(t, path)
	j := open(t, path)
	defer j.Close()
	again, err := j.RecordDay(t.Context(), "/one", after(3)) // what is said now is no matter of what was known
	must(t, err)
	if !again.Equal(mark) || mark.IsZero() {
		t.Errorf("the marks %v and %v", mark, again)
	}
	other, unknown := mark.Add(time.Millisecond), time.Time{} // of an earlier version
	for _, c := range []struct {
		path      string
		day, mark time.Time
		want      bool
	}{
		{"/one", after(2), mark, false}, {"/one", after(2), unknown, false}, {"/one", unknown, unknown, false},
		{"/one", after(3), mark, true}, {"/one", after(3), unknown, true}, {"/one", after(3), other, true},
		{"/one", after(2), other, true}, // emptied on the same day
		{"/one", after(1), other, false},
		{"/two", after(0), mark, false}, {"/two", after(1), mark, true}, {"/two", after(1), unknown, true}, // whatever was said in others
		{"/clone", after(2), mark, false}, {"/clone", after(2), unknown, false}, {"/clone", after(3), mark, true}, {"/clone", after(0), other, true},
		{"/moved", after(2), mark, false}, {"/moved", after(2), unknown, false}, {"/moved", after(3), unknown, true}, {"/moved", after(0), other, true},
	} {
		if got := j.IsBehind(c.path, c.day, c.mark); got != c.want {
			t.Errorf("%s on %v with %v: %v", c.path, c.day, c.mark, got)
		}
		if got := none.IsBehind(c.path, c.day, c.mark); got == c.day.IsZero() {
			t.Errorf("without a journal: %s on %v with %v: %v", c.path, c.day, c.mark, got)
		}
	}
}

// One that was emptied or damaged is another journal, also for a vault that comes back later, and is as any other from then on.
func TestAnotherJournal(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(b []byte) []byte{
		"emptied":      func([]byte) []byte { return nil },
		"first pages":  func(b []byte) []byte { copy(b, bytes.Repeat([]byte("x"), 3*4096)); return b },
		"cut":          func(b []byte) []byte { return b[:len(b)-100] },
		"other format": func(b []byte) []byte { b[18] = 9; return b },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "journal.db")
			mark := written(t, path)
			b, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, spoil(b), 0o600))
			j := open(t, path)
			if !j.IsBehind("/one", after(2), mark) || !j.IsBehind("/two", after(0), mark) {
				t.Error("it is not behind")
			}
			next, err := j.RecordDay(t.Context(), "/one", after(2))
			must(t, err)
			must(t, j.Close())
			known, err := journal.ReadDays(path)
			must(t, err)
			if next.Equal(mark) || known.IsBehind("/one", after(2), next) || !known.IsBehind("/two", after(0), mark) {
				t.Errorf("at the next start: its mark is %v after %v", next, mark)
			}
		})
	}
}

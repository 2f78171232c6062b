package swap

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	before = "one\n> @agent-Miner what?\nthree\n"
	after  = "one\nan answer\nthree\n"
)

func TestFileReplacesExactlyTheBase(t *testing.T) {
	for name, texts := range map[string][2]string{
		"longer":   {"a\n", "a\nand much more\n"},
		"shorter":  {"a long line\n", "a\n"},
		"to empty": {"a\n", ""},
		"hostile":  {"\ufeffa\r\n\xff\xfe\x00", "\ufeffb\r\n\xff\xfe\x00"},
		"equal":    {"a\n", "a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, texts[0])
			file(t, On(nil), root, path, texts[0], texts[1])
		})
		t.Run(name+" in place", func(t *testing.T) {
			root, path := vault(t, texts[0])
			out := file(t, On(noExchange()), root, path, texts[0], texts[1])
			if out.InPlace != (texts[0] != texts[1]) {
				t.Errorf("InPlace is %v", out.InPlace)
			}
		})
	}
}

// The note is as young as its exchange, not as its temp: on a busy disk the log of the intention may take seconds, and a note that
// was written well before it came to its place looks like one that a sync program brought.
func TestNoteIsAsYoungAsItsExchange(t *testing.T) {
	root, path := vault(t, before)
	long := time.Now().Add(-time.Minute)
	_, err := On(nil).File(t.Context(), Change{Root: root, Path: path, Base: []byte(before), New: []byte(after), Log: func(in Intention) error {
		return os.Chtimes(in.Temp, long, long)
	}})
	fi, lost := os.Stat(path)
	if err != nil || lost != nil || !fi.ModTime().After(long.Add(30*time.Second)) {
		t.Fatalf("%v, %v: written at %v", err, lost, fi.ModTime())
	}
}

func TestFileRefuses(t *testing.T) {
	root, path := vault(t, before)
	folder := filepath.Join(root, "Folder.md")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(root, "Locked.md")
	write(t, locked, before)
	if err := os.Chmod(locked, 0o444); err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(root, "Huge.md")
	write(t, huge, strings.Repeat("x", Limit+1))
	_, elsewhere := vault(t, before)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()

	for name, c := range map[string]struct {
		ctx        context.Context
		path       string
		base, next string
		want       error
	}{
		"other base":   {path: path, base: "something else", next: after, want: ErrChanged},
		"read-only":    {path: locked, base: before, next: after, want: ErrReadOnly},
		"folder":       {path: folder, next: after, want: ErrNotAFile},
		"the vault":    {path: root, next: after, want: ErrOutside},
		"missing":      {path: filepath.Join(root, "No.md"), next: after, want: fs.ErrNotExist},
		"huge":         {path: huge, next: after, want: ErrTooLarge},
		"huge answer":  {path: path, base: before, next: strings.Repeat("x", Limit+1), want: ErrTooLarge},
		"other vault":  {path: elsewhere, base: before, next: after, want: ErrOutside},
		"dots":         {path: filepath.Join(root, "..", filepath.Base(filepath.Dir(elsewhere)), "Note.md"), base: before, next: after, want: ErrOutside},
		"cancelled":    {ctx: cancelled, path: path, base: before, next: after, want: context.Canceled},
		"prefix trick": {path: root + "-evil", base: before, next: after, want: fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			if c.ctx == nil {
				c.ctx = context.Background()
			}
			var log []Intention
			_, err := On(nil).File(c.ctx, change(root, c.path, c.base, c.next, &log))
			if !errors.Is(err, c.want) {
				t.Errorf("got error %v, want %v", err, c.want)
			}
			if len(log) > 0 {
				t.Errorf("an intention was recorded: %+v", log)
			}
		})
	}
	wantNote(t, path, before)
	wantNote(t, locked, before)
	wantNote(t, elsewhere, before)
	wantNoTemps(t, root)
	if _, err := On(nil).File(context.Background(), change(root+"-gone", path, before, after, nil)); !errors.Is(err, ErrVaultGone) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a vault that is gone gives %v, want ErrVaultGone alone", err)
	}
}

func TestNothingHappensWithoutTheLog(t *testing.T) {
	full := errors.New("disk full")
	for name, files := range map[string]Files{"exchange": nil, "in place": noExchange()} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, before)
			c := change(root, path, before, after, nil)
			c.Log = func(in Intention) error {
				if len(temps(t, root)) == 0 {
					t.Error("the intention comes before its temp")
				}
				return full
			}
			if _, err := On(files).File(context.Background(), c); !errors.Is(err, full) {
				t.Errorf("got error %v, want the log's", err)
			}
			wantNote(t, path, before)
			wantNoTemps(t, root)
		})
	}
}

func TestIntentionTellsTheHashes(t *testing.T) {
	root, path := vault(t, before)
	var log []Intention
	if _, err := On(nil).File(context.Background(), change(root, path, before, after, &log)); err != nil {
		t.Fatal(err)
	}
	want := intention(t, root, path, before, after, newKind)
	if len(log) != 1 || log[0].Base != want.Base || log[0].New != want.New || log[0].Path != path || filepath.Dir(log[0].Temp) != filepath.Dir(want.Temp) {
		t.Errorf("log got %+v", log)
	}
}

// A save that replaces the file between our last look and the exchange is what
// the exchange displaces.
func TestDisplacedSaveGoesBack(t *testing.T) {
	root, path := vault(t, before)
	first := true
	files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		if first {
			saveByRename(t, path, before+"saved\n")
			first = false
		}
		return exchange(temp, note)
	}}
	var log []Intention
	out, err := On(files).File(context.Background(), change(root, path, before, after, &log))
	if !errors.Is(err, ErrChanged) || out.Written || out.Conflict != "" {
		t.Errorf("got %+v, %v, want ErrChanged", out, err)
	}
	wantNote(t, path, before+"saved\n")
	if end, err := Settle(log[0]); err != nil || end.Conflict != "" {
		t.Errorf("at the end of the grace: %+v, %v", end, err)
	}
	wantNoTemps(t, root)
}

// A program reads the note in the moment in which it holds our bytes, and saves a
// new file over the save that was put back. What that said lives beside the note.
func TestReturnedSaveIsNotLost(t *testing.T) {
	for name, end := range map[string]func(Intention) (Outcome, error){"settle": Settle, "recover": Recover} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, before)
			exchanges, seen := 0, ""
			files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
				if exchanges++; exchanges == 1 {
					saveByRename(t, path, before+"saved\n")
				}
				if exchanges == 2 {
					seen = read(t, path) // ours
				}
				err := exchange(temp, note)
				if exchanges == 2 {
					saveByRename(t, path, seen+"more\n")
				}
				return err
			}}
			var log []Intention
			out, err := On(files).File(context.Background(), change(root, path, before, after, &log))
			if !errors.Is(err, ErrChanged) || out.Written || exchanges != 2 {
				t.Errorf("got %+v, %v after %d exchanges", out, err, exchanges)
			}
			wantNote(t, path, after+"more\n")
			for round := range 2 {
				out, err := end(log[0])
				if err != nil || (out.Conflict != "") != (round == 0) {
					t.Errorf("round %d: %+v, %v", round, out, err)
				}
			}
			if got := conflicts(t, root); len(got) != 1 || got[0] != before+"saved\n" {
				t.Errorf("conflict copies hold %q", got)
			}
			wantNoTemps(t, root)
		})
	}
}

// If saves come before the exchange and again before the return, the newest
// stays the note and the other lives beside it.
func TestNewestSaveStaysAndTheOtherIsKept(t *testing.T) {
	root, path := vault(t, before)
	saves := []string{"first save\n", "second save\n", "third save\n"}
	files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		if len(saves) > 0 {
			saveByRename(t, path, saves[0])
			saves = saves[1:]
		}
		return exchange(temp, note)
	}}
	var log []Intention
	out, err := On(files).File(context.Background(), change(root, path, before, after, &log))
	if !errors.Is(err, ErrChanged) || out.Written {
		t.Errorf("got %+v, %v, want ErrChanged", out, err)
	}
	if got := conflicts(t, root); len(got) != 1 || got[0] != "second save\n" {
		t.Errorf("conflict copies hold %q", got)
	}
	// The first save was the note when the third replaced it, but only for a moment.
	settleAll(t, log)
	if got := conflicts(t, root); len(got) != 2 || !slices.Contains(got, "first save\n") {
		t.Errorf("after the grace conflict copies hold %q", got)
	}
	if out.Conflict == "" || filepath.Dir(out.Conflict) != root {
		t.Errorf("the conflict copy is said to be %q", out.Conflict)
	}
	wantNote(t, path, "third save\n")
	wantNoTemps(t, root)
}

func TestUnsyncedExchangeIsTakenBack(t *testing.T) {
	root, path := vault(t, before)
	broken := errors.New("I/O error")
	calls := 0
	files := hooked{Files: osFiles{}, syncDir: func(dir string) error {
		if calls++; calls == 1 {
			return broken
		}
		return syncDir(dir)
	}}
	if _, err := On(files).File(context.Background(), change(root, path, before, after, nil)); !errors.Is(err, broken) {
		t.Errorf("got error %v, want the disk's", err)
	}
	wantNote(t, path, before)
	wantNoTemps(t, root)
}

func TestConflictCopiesNeverOverwrite(t *testing.T) {
	root, path := vault(t, before)
	s := On(nil)
	names := make(map[string]bool)
	for i := range 5 {
		temp := filepath.Join(root, "temp")
		write(t, temp, strings.Repeat("x", i+1))
		name, err := s.keepBoth(path, temp)
		if err != nil {
			t.Fatal(err)
		}
		if names[name] || filepath.Ext(name) != ".md" || !strings.HasPrefix(name, filepath.Join(root, "Note.conflict-")) {
			t.Errorf("conflict copy %d is called %s", i, name)
		}
		names[name] = true
		wantNote(t, name, strings.Repeat("x", i+1))
	}
}

func TestTempFolderMustBeAFolder(t *testing.T) {
	root, path := vault(t, before)
	write(t, filepath.Join(root, ".vault-mind"), "a file")
	if _, err := On(nil).File(context.Background(), change(root, path, before, after, nil)); err == nil {
		t.Error("File did not mind that .vault-mind is a file")
	}
	wantNote(t, path, before)
}

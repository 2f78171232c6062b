package swap

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// opened is a file that another program has open, sharing only what share says.
func opened(t *testing.T, path string, access, share uint32) windows.Handle {
	t.Helper()
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := windows.CreateFile(p, access, share, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Programs share what they have open in many ways. What the exchange cannot have
// makes the note busy, and it is as it was; when the program is done, all is well.
func TestOtherProgramsHaveTheNoteOpen(t *testing.T) {
	const (
		r, w          = windows.GENERIC_READ, windows.GENERIC_READ | windows.GENERIC_WRITE
		rd, wr, del   = windows.FILE_SHARE_READ, windows.FILE_SHARE_WRITE, windows.FILE_SHARE_DELETE
		all, ordinary = rd | wr | del, rd | wr
	)
	for name, c := range map[string]struct {
		access, share uint32
		busy          bool
	}{
		"writer that shares all":     {w, all, true},
		"writer that shares nothing": {w, 0, true},
		"reader that shares all":     {r, all, false},
		"reader as C programs open":  {r, ordinary, true},
		"reader that shares nothing": {r, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, before)
			h := opened(t, path, c.access, c.share)
			var log []Intention
			out, err := On(nil).File(context.Background(), change(root, path, before, after, &log))
			if errors.Is(err, ErrBusy) != c.busy || !c.busy && err != nil {
				t.Errorf("got %+v, %v; busy is to be %v", out, err, c.busy)
			}
			windows.CloseHandle(h)
			if c.busy {
				wantNote(t, path, before)
				wantNoTemps(t, root)
				file(t, On(nil), root, path, before, after)
				return
			}
			wantNote(t, path, after)
			settle(t, On(nil), out, log, "")
			wantNoTemps(t, root)
		})
	}
}

// While the note is held, readers are let in and writers are told to come later.
func TestHeldNoteIsNotWritten(t *testing.T) {
	root, path := vault(t, before)
	tried := false
	files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		tried = true
		if got := read(t, path); got != before {
			t.Errorf("read %q", got)
		}
		err := os.WriteFile(path, []byte("a save\n"), 0o644)
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			t.Errorf("a save while the note is held gives %v", err)
		}
		return exchange(temp, note)
	}}
	var log []Intention
	out, err := On(files).File(context.Background(), change(root, path, before, after, &log))
	if err != nil || !tried || !out.Written {
		t.Errorf("got %+v, %v", out, err)
	}
	wantNote(t, path, after)
}

// A scanner opens every new file for a moment.
func TestScannerHasTheTempOpen(t *testing.T) {
	root, path := vault(t, before)
	files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		h := opened(t, temp, windows.GENERIC_READ, windows.FILE_SHARE_READ)
		time.AfterFunc(20*time.Millisecond, func() { windows.CloseHandle(h) })
		return exchange(temp, note)
	}}
	var log []Intention
	out, err := On(files).File(context.Background(), change(root, path, before, after, &log))
	if err != nil || !out.Written {
		t.Fatalf("got %+v, %v", out, err)
	}
	wantNote(t, path, after)
	settle(t, On(nil), out, log, "")
	wantNoTemps(t, root)
}

// replace is what all else relies on: both files live, each under its new name.
func TestReplaceKeepsTheOldFile(t *testing.T) {
	root, path := vault(t, before)
	temp, old := filepath.Join(root, "x.new"), filepath.Join(root, "x.old")
	write(t, temp, after)
	h, _, err := openHeld(path, Quiet) // the file is known by its handle, not by its name
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	was, err := h.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := replace(path, temp, old); err != nil {
		t.Fatal(err)
	}
	wantNote(t, path, after)
	wantNote(t, old, before)
	is, err := os.Stat(old)
	if err != nil || !os.SameFile(was, is) {
		t.Errorf("the old name holds another file than the note was: %v", err)
	}
	if _, err := os.Stat(temp); !os.IsNotExist(err) {
		t.Errorf("the temp is still there: %v", err)
	}
}

// What is marked hidden, archived or indexed stays so.
func TestAttributesStay(t *testing.T) {
	root, path := vault(t, before)
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = windows.FILE_ATTRIBUTE_HIDDEN
	if err := windows.SetFileAttributes(p, want); err != nil {
		t.Fatal(err)
	}
	file(t, On(nil), root, path, before, after)
	if got, err := windows.GetFileAttributes(p); err != nil || got&want == 0 {
		t.Errorf("attributes are %x, %v", got, err)
	}
}

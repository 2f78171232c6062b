//go:build unix

package swap

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// blind is a system that tells nothing about who writes a note: a hold is
// nothing but an open file. Before a write to it, somebody else has a turn.
type blind struct {
	Files
	append, write func()
}

func (b blind) Open(name string, hold Hold) (Handle, error) {
	flag := os.O_RDONLY
	if hold == Alone {
		flag = os.O_RDWR
	}
	f, err := os.OpenFile(name, flag, 0)
	if err != nil {
		return nil, err
	}
	return blindHandle{&osHandle{File: f}, b}, nil
}

func (b blind) Create(name string) (Handle, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	return blindHandle{&osHandle{File: f}, blind{}}, err
}

type blindHandle struct {
	*osHandle
	turn blind
}

func (h blindHandle) Like(other Handle) error { return h.osHandle.Like(other.(blindHandle).osHandle) }

func (h blindHandle) Append(p []byte) (int64, error) {
	if h.turn.append != nil {
		h.turn.append()
	}
	return h.osHandle.Append(p)
}

func (h blindHandle) WriteAt(p []byte, off int64) (int, error) {
	if h.turn.write != nil {
		h.turn.write()
	}
	return h.osHandle.WriteAt(p, off)
}

// add returns a turn that adds a line to the note, once, through a file that
// has been open all the time.
func add(t *testing.T, path, line string) func() {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return func() {
		if line != "" {
			if _, err := f.WriteString(line); err != nil {
				t.Error(err)
			}
			line = ""
		}
	}
}

// A program that adds lines while we write in place, unknown to us, loses none
// of them, whether the note grows or shrinks and whoever comes first.
func TestLinesAddedDuringAWriteInPlace(t *testing.T) {
	const line = "the user's line, longer than what the answer adds to the note\n"
	long := before + strings.Repeat("more\n", 4)
	for name, c := range map[string]struct {
		base, next string
		early      bool // the line comes before the first of our bytes
		want       string
	}{
		"grows, early":       {before, long, true, before + line},
		"grows, late":        {before, long, false, long + line},
		"shrinks, too early": {long, after, false, long + line},
	} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, c.base)
			if err := os.Link(path, root+"/twin"); err != nil {
				t.Fatal(err)
			}
			b := blind{Files: osFiles{}}
			turn := add(t, path, line)
			if c.early {
				b.append = turn
			} else {
				b.write = turn
			}
			disk := &powered{Files: b}
			out, err := On(disk).File(context.Background(), change(root, path, c.base, c.next, nil))
			if wrote := strings.HasPrefix(c.want, c.next); out.Written != wrote || !wrote && !errors.Is(err, ErrChanged) || wrote && err != nil {
				t.Errorf("%+v, %v", out, err)
			}
			wantNote(t, path, c.want)
			disk.wantSynced(t, path)
			if copies := conflicts(t, root); len(copies) > 0 {
				t.Errorf("copies were kept: %q", copies)
			}
			wantNoTemps(t, root)
		})
	}
}

// What has changed before a byte of ours was written leaves no copy.
func TestAChangedNoteIsNotTouchedInPlace(t *testing.T) {
	root, path := vault(t, before)
	c := change(root, path, before, after, nil)
	c.Log = func(in Intention) error {
		write(t, path, "rewritten\n")
		return nil
	}
	if err := os.Link(path, root+"/twin"); err != nil {
		t.Fatal(err)
	}
	out, err := On(nil).File(context.Background(), c)
	if !errors.Is(err, ErrChanged) || out.Written || out.Conflict != "" || len(conflicts(t, root)) > 0 {
		t.Errorf("%+v, %v, copies %q", out, err, conflicts(t, root))
	}
	wantNote(t, path, "rewritten\n")
	wantNoTemps(t, root)
}

// Where the exchange turned out to be none there are two intentions. The first
// one is recovered first, and must not sweep away what the second one needs.
func TestRecoverOfBothIntentions(t *testing.T) {
	root, path := vault(t, before)
	first := intention(t, root, path, before, after, newKind)
	second := first
	second.Temp = siblingTemp(first.Temp, baseKind)
	write(t, first.Temp, after)
	write(t, second.Temp, before)
	write(t, path, after[:7]+before[7:])
	for _, in := range []Intention{first, second} {
		if out, err := Recover(in); err != nil || out.Note != IsBase || out.Conflict != "" {
			t.Errorf("%+v, %v", out, err)
		}
	}
	wantNote(t, path, before)
	wantNoTemps(t, root)
}

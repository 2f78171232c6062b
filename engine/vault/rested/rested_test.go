package rested

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// read is when the notes of these tests were read.
var read = time.Unix(1_700_000_000, 0)

// stampAged is the stamp of a note that was written so long before it was read.
func stampAged(age time.Duration) disk.Stamp {
	at := read.Add(-age).UnixNano()
	return disk.Stamp{MTime: at, CTime: at, Size: 2048, Ino: 7}
}

// saved is a set with one note, in a file.
func saved(t *testing.T, n Note) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cache", "rested")
	s := Open(file, "key")
	s.Keep(n, read)
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	return file
}

// A note is held as it was, and in no other state, whatever the clock says.
func TestOnlyTheSameStateIsHeld(t *testing.T) {
	note := Note{Rel: "a/b.md", Stamp: stampAged(time.Hour), Standing: 9}
	file := saved(t, note)
	for name, change := range map[string]func(*Note){
		"as it was":                  func(*Note) {},
		"another size":               func(n *Note) { n.Stamp.Size++ },
		"a later mtime":              func(n *Note) { n.Stamp.MTime++ },
		"an earlier mtime":           func(n *Note) { n.Stamp.MTime-- },
		"size and mtime put back":    func(n *Note) { n.Stamp.CTime++ },
		"the clock put back":         func(n *Note) { n.Stamp.CTime -= int64(time.Hour) },
		"replaced":                   func(n *Note) { n.Stamp.Ino++ },
		"another name":               func(n *Note) { n.Rel = "a/c.md" },
		"only its name is here":      func(n *Note) { n.Stamp.Size = ^n.Stamp.Size },
		"other lines in the journal": func(n *Note) { n.Standing++ },
		"a journal without it":       func(n *Note) { n.Standing = 0 },
	} {
		now := note
		change(&now)
		if got, want := Open(file, "key").Holds(now), name == "as it was"; got != want {
			t.Errorf("%s: held %v, want %v", name, got, want)
		}
	}
	if Open(file, "another vault or program").Holds(note) {
		t.Error("held with the key of another vault")
	}
}

// Stamps that do not tell one state from the next are not kept.
func TestDoubtfulStamps(t *testing.T) {
	for name, tt := range map[string]struct {
		stamp disk.Stamp
		want  bool
	}{
		"old":                      {stampAged(time.Hour), true},
		"written just before":      {stampAged(time.Second), false},
		"by a clock of ticks":      {stampAged(time.Second + time.Microsecond), true},
		"by it, just before":       {stampAged(100*time.Millisecond + time.Microsecond), false},
		"at the same time":         {stampAged(0), false},
		"in the future":            {stampAged(-time.Hour), false},
		"a change time of now":     {disk.Stamp{MTime: stampAged(time.Hour).MTime, CTime: stampAged(0).CTime, Size: 1, Ino: 7}, false},
		"a change time to come":    {disk.Stamp{MTime: stampAged(time.Hour).MTime, CTime: stampAged(-time.Hour).CTime, Size: 1, Ino: 7}, false},
		"an mtime to come":         {disk.Stamp{MTime: stampAged(-time.Hour).MTime, CTime: stampAged(time.Hour).CTime, Size: 1, Ino: 7}, false},
		"no change time (Windows)": {disk.Stamp{MTime: stampAged(time.Hour).MTime, Size: 1, Ino: 7}, false},
		"no inode":                 {disk.Stamp{MTime: stampAged(time.Hour).MTime, CTime: stampAged(time.Hour).CTime, Size: 1}, false},
	} {
		n := Note{Rel: "n.md", Stamp: tt.stamp}
		if got := Open(saved(t, n), "key").Holds(n); got != tt.want {
			t.Errorf("%s: held %v, want %v", name, got, tt.want)
		}
	}
}

// Whatever happens to the file, no note is held that was not kept.
func TestDamage(t *testing.T) {
	note := Note{Rel: "n.md", Stamp: stampAged(time.Hour)}
	file := saved(t, note)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := Note{Rel: "other.md", Stamp: stampAged(time.Hour)}
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1 << (i % 8)
		for name, text := range map[string][]byte{"flipped": damaged, "cut": whole[:i]} {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if s := Open(file, "key"); s.Holds(other) || s.Holds(note) {
				t.Errorf("%s at %d: a note is held", name, i)
			}
		}
	}
	later := bytes.Replace(whole, []byte(fmt.Sprintf("1.%d\n", rules)), []byte(fmt.Sprintf("1.%d\n", rules+1)), 1)
	if err := os.WriteFile(file, later, 0o600); err != nil || Open(file, "key").Holds(note) {
		t.Errorf("a note of other rules is held, %v", err)
	}
}

// What is held and what is kept is saved, and nothing else; and what has not changed is not written.
func TestSave(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	file := filepath.Join(t.TempDir(), "rested")
	held := make(map[int]bool)
	for round := range 50 {
		s := Open(file, "key")
		next := make(map[int]bool)
		for i := range 20 {
			n := Note{Rel: fmt.Sprint(i), Stamp: stampAged(time.Hour)}
			switch r.IntN(3) {
			case 0: // gone, or it holds something
			case 1:
				s.Keep(n, read)
				next[i] = true
			default:
				if got := s.Holds(n); got != held[i] {
					t.Fatalf("round %d: %d is held: %v", round, i, got)
				}
				next[i] = held[i]
			}
		}
		if err := s.Save(); err != nil {
			t.Fatal(err)
		}
		held = next
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	s := Open(file, "key")
	for i := range 20 {
		s.Holds(Note{Rel: fmt.Sprint(i), Stamp: stampAged(time.Hour)})
	}
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
		t.Errorf("what has not changed is written again, %v", err)
	}
	if err := Open(file, "key").Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a set of no note is left, %v", err)
	}
}

// A program of the same version and another commit holds nothing of an earlier one.
func TestKeyHasTheCommit(t *testing.T) {
	of := func(commit string) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "vcs.revision", Value: commit}}}
	}
	known := map[string]string{}
	for what, key := range map[string]string{
		"a release without a stamp": keyOf("1.0.0", "/v", nil), "a commit": keyOf("1.0.0", "/v", of("1")), "another": keyOf("1.0.0", "/v", of("2")),
		"another version": keyOf("1.0.1", "/v", of("1")), "another vault": keyOf("1.0.0", "/w", of("1")),
	} {
		if other := known[key]; other != "" {
			t.Errorf("%s and %s have the key %q", what, other, key)
		}
		known[key] = what
	}
}

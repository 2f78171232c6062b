package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/watch/disk"
)

// What a note of these tests holds when the first engine reads it, and of the same length with a
// question in it.
const (
	quietNote  = "# Note\n\n> what somebody said, once upon a time\n"
	askingNote = "# Note\n\n> @agent-Miner what is asked while it is off\n"
)

// restart is a vault that one engine has read and another one will.
type restart struct {
	t    *testing.T
	dir  string
	text string
}

// rel returns the path of a file of the test.
func (r *restart) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *restart) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// write writes a note with the times of another file.
func (r *restart) write(name, text string, like os.FileInfo) {
	r.t.Helper()
	r.check(os.MkdirAll(filepath.Dir(r.path(name)), 0o700))
	r.check(os.WriteFile(r.path(name), []byte(text), 0o600))
	if like != nil {
		r.check(os.Chtimes(r.path(name), like.ModTime(), like.ModTime()))
	}
}

// info is what the system says of a file.
func (r *restart) info(name string) os.FileInfo {
	r.t.Helper()
	info, err := os.Stat(r.path(name))
	r.check(err)
	return info
}

// read has an engine read the vault, and returns it while it runs.
func (r *restart) read(tune ...func(*config.Config)) *running {
	r.t.Helper()
	e := startEngine(r.t, r.dir, &echoes{}, tune...)
	for !e.vaults[0].Catalog.State().Complete {
		e.pause()
	}
	return e
}

// changedWhileOff are the ways in which a question gets into a note while no engine runs, such that
// its size and its time are those of the note without it.
var changedWhileOff = map[string]func(r *restart, was os.FileInfo){
	"written in place": func(r *restart, was os.FileInfo) { r.write("vault/n.md", r.text, was) },
	"replaced": func(r *restart, was os.FileInfo) {
		r.write("vault/n.md.tmp~", r.text, was)
		r.check(os.Rename(r.path("vault/n.md.tmp~"), r.path("vault/n.md")))
	},
	"brought by a backup": func(r *restart, was os.FileInfo) {
		r.check(os.Remove(r.path("vault/n.md")))
		r.write("vault/n.md", r.text, was)
	},
	"another note under its name": func(r *restart, was os.FileInfo) {
		r.write("elsewhere/other.md", r.text, was)
		r.check(os.Remove(r.path("vault/n.md")))
		r.check(os.Rename(r.path("elsewhere/other.md"), r.path("vault/n.md")))
	},
	"the whole vault copied": func(r *restart, was os.FileInfo) {
		r.check(os.Rename(r.path("vault"), r.path("old")))
		r.write("vault/n.md", r.text, was)
		r.write("vault/stays.md", quietNote, was)
	},
	"a link in its place": func(r *restart, was os.FileInfo) {
		r.write("vault/sub/other.md", r.text, was)
		r.check(os.Remove(r.path("vault/n.md")))
		r.check(os.Link(r.path("vault/sub/other.md"), r.path("vault/n.md")))
		r.check(os.Remove(r.path("vault/sub/other.md")))
	},
	"its clock put back": func(r *restart, was os.FileInfo) {
		r.write("vault/n.md", r.text, nil)
		early := was.ModTime().Add(-time.Hour)
		r.check(os.Chtimes(r.path("vault/n.md"), early, early))
	},
	"a clock of the future": func(r *restart, was os.FileInfo) {
		r.write("vault/n.md", r.text, nil)
		late := time.Now().Add(24 * time.Hour)
		r.check(os.Chtimes(r.path("vault/n.md"), late, late))
	},
}

// plant makes the vaults of a test and waits until their notes are old enough to be remembered.
func plant(t *testing.T, names []string) map[string]*restart {
	t.Helper()
	vaults := make(map[string]*restart)
	for _, name := range names {
		r := &restart{t: t, dir: t.TempDir(), text: askingNote}
		r.write("vault/n.md", quietNote+strings.Repeat(".", len(askingNote)-len(quietNote)), nil)
		r.write("vault/stays.md", quietNote, nil)
		vaults[name] = r
	}
	awaitAge(t)
	return vaults
}

// awaitAge waits until what was written before is older than the times of files are coarse. It asks a file that is younger.
func awaitAge(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "young")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for {
		e, err := disk.Inspect(file)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Stamp.IsFresh(time.Now()) {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
}

// TestChangedWhileOff: whatever a note's size and time say, a question that came while no engine ran
// is answered.
func TestChangedWhileOff(t *testing.T) {
	t.Parallel()
	names := []string{}
	for name := range changedWhileOff {
		names = append(names, name)
	}
	vaults := plant(t, names)
	for name, change := range changedWhileOff {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := vaults[name]
			r.t = t
			r.read().stop()
			change(r, r.info("vault/n.md"))
			r.read().until("n.md", "answer to what is asked while it is off")
		})
	}
}

// TestAskedTheMomentItWasRead: a note that is changed just after it was read, within the resolution
// of its times, is read again.
func TestAskedTheMomentItWasRead(t *testing.T) {
	t.Parallel()
	r := &restart{t: t, dir: t.TempDir(), text: askingNote}
	r.write("vault/n.md", quietNote+strings.Repeat(".", len(askingNote)-len(quietNote)), nil)
	first := r.read()
	was := r.info("vault/n.md")
	r.write("vault/n.md", askingNote, was)
	first.stop()
	r.read().until("n.md", "answer to what is asked while it is off")
}

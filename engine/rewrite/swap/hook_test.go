package swap

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hooked is the operating system's Files with some calls replaced.
type hooked struct {
	Files
	exchange func(temp, note string) error
	syncDir  func(dir string) error
	mkdir    func(dir string) error
	remove   func(name string) error

	noRenameNew bool
}

func (h hooked) RenameNew(from, to string) error {
	if h.noRenameNew {
		return errors.ErrUnsupported
	}
	return h.Files.RenameNew(from, to)
}

func (h hooked) Remove(name string) error {
	if h.remove != nil {
		return h.remove(name)
	}
	return h.Files.Remove(name)
}

func (h hooked) Exchange(temp, note string) error {
	if h.exchange != nil {
		return h.exchange(temp, note)
	}
	return h.Files.Exchange(temp, note)
}

func (h hooked) SyncDir(dir string) error {
	if h.syncDir != nil {
		return h.syncDir(dir)
	}
	return h.Files.SyncDir(dir)
}

func (h hooked) Mkdir(dir string, perm os.FileMode) error {
	if h.mkdir != nil {
		return h.mkdir(dir)
	}
	return h.Files.Mkdir(dir, perm)
}

// noExchange is a file system that cannot exchange names.
func noExchange() Files {
	return hooked{Files: osFiles{}, exchange: func(string, string) error { return errors.ErrUnsupported }}
}

// vault makes a vault with one note and returns both paths.
func vault(t testing.TB, text string) (root, path string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(root, "Note.md")
	write(t, path, text)
	return root, path
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func wantNote(t testing.TB, path, want string) {
	t.Helper()
	if got := read(t, path); got != want {
		t.Errorf("note holds %q, want %q", got, want)
	}
}

// change is a wanted exchange whose log remembers.
func change(root, path, base, next string, log *[]Intention) Change {
	return Change{Root: root, Path: path, Base: []byte(base), New: []byte(next), Log: func(in Intention) error {
		if log != nil {
			*log = append(*log, in)
		}
		return nil
	}}
}

// file exchanges and expects it to go well.
func file(t testing.TB, s Swapper, root, path, base, next string) Outcome {
	t.Helper()
	var log []Intention
	out, err := s.File(context.Background(), change(root, path, base, next, &log))
	if err != nil {
		t.Fatalf("File: %v", err)
	}
	if !out.Written || out.Note != IsNew {
		t.Fatalf("File: %+v, want it written", out)
	}
	wantNote(t, path, next)
	settle(t, s, out, log, "")
	wantNoTemps(t, root)
	return out
}

// settle ends the grace of what an exchange displaced, and expects a conflict
// copy that holds want, or none if that is empty.
func settle(t testing.TB, s Swapper, out Outcome, log []Intention, want string) {
	t.Helper()
	for _, in := range log {
		if in.Temp != out.Displaced {
			continue
		}
		end, err := s.Settle(in)
		if err != nil || !end.Written || (end.Conflict != "") != (want != "") {
			t.Errorf("Settle: %+v, %v", end, err)
		}
		if want != "" {
			wantNote(t, end.Conflict, want)
		}
	}
}

// settleAll ends the grace of all that was logged.
func settleAll(t testing.TB, log []Intention) {
	t.Helper()
	for _, in := range log {
		if _, err := Settle(in); err != nil {
			t.Errorf("Settle: %v", err)
		}
	}
}

func temps(t testing.TB, root string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, ".vault-mind", "tmp"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func wantNoTemps(t testing.TB, root string) {
	t.Helper()
	if names := temps(t, root); len(names) > 0 {
		t.Errorf("temps left behind: %q", names)
	}
}

// conflicts returns what the conflict copies beside a note hold.
func conflicts(t testing.TB, root string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "*.conflict-*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, name := range names {
		texts = append(texts, read(t, name))
	}
	return texts
}

// intention makes the intention of an attempt whose temp is of the given kind.
func intention(t testing.TB, root, path, base, next, kind string) Intention {
	t.Helper()
	dir, err := On(nil).tempDir(root)
	if err != nil {
		t.Fatal(err)
	}
	in := Intention{Path: path, Base: sha256.Sum256([]byte(base)), New: sha256.Sum256([]byte(next))}
	in.Temp = filepath.Join(dir, makeStem("", in)+kind)
	return in
}

// saveByRename saves as an editor does that writes a new file and renames it. On
// Windows a file that somebody has open cannot be renamed over, only away.
func saveByRename(t testing.TB, path, text string) {
	t.Helper()
	tmp := filepath.Join(filepath.Dir(path), ".editor-"+strings.TrimSuffix(filepath.Base(path), ".md"))
	write(t, tmp, text)
	err := os.Rename(tmp, path)
	if errors.Is(err, fs.ErrPermission) {
		aside := path + ".aside"
		err = errors.Join(os.Rename(path, aside), os.Rename(tmp, path), os.Remove(aside))
	}
	if err != nil {
		t.Fatal(err)
	}
}

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// Others read the file for a moment, and what is done to it is done all the same.
func TestWhatIsRead(t *testing.T) {
	for name, do := range map[string]func(file string) error{
		"replaced":       func(file string) error { return Write(file, []byte("new"), 0o600) },
		"removed":        Remove,
		"folder removed": func(file string) error { return RemoveAll(filepath.Dir(file)) },
		"all of it":      RemoveAll,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "folder", "file")
			if err := Write(file, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			reader, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			read := make(chan error, 1)
			time.AfterFunc(20*time.Millisecond, func() { read <- reader.Close() })
			if err := do(file); err != nil {
				t.Error(err)
			}
			if err := <-read; err != nil {
				t.Error(err)
			}
			text, err := os.ReadFile(file)
			if name == "replaced" && string(text) != "new" || name != "replaced" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("afterwards it holds %q, %v", text, err)
			}
		})
	}
}

// What has another reason fails at once, as it does in package os.
func TestOtherReasons(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	if err := Remove(none); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("remove: %v", err)
	}
	if err := RemoveAll(none); err != nil {
		t.Errorf("remove all: %v", err)
	}
	if err := WriteInside(none, "file", nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("write inside: %v", err)
	}
}

// A file has the mode that was asked for, whatever it had before, and nothing is left
// beside it.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a", "b", "file.yaml")
	for _, mode := range []fs.FileMode{0o600, 0o664, 0o600} {
		if err := Write(file, []byte(mode.String()), mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil || runtime.GOOS != "windows" && info.Mode() != mode {
			t.Errorf("mode %v, not %v: %v", info.Mode(), mode, err)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != mode.String() {
			t.Errorf("%q, %v", text, err)
		}
	}
	if info, err := os.Stat(filepath.Join(folder, "a")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("its folder: %v, %v", info.Mode(), err)
	}
	expectNames(t, filepath.Dir(file), "file.yaml")
}

// What cannot be put into its place leaves what was there, and no other file.
func TestWriteFails(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "taken", "by a folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(folder, "taken"), nil, 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	expectNames(t, folder, "taken")
}

// A link is replaced, and one that leads out of the folder is not followed.
func TestLinks(t *testing.T) {
	folder, outside := t.TempDir(), t.TempDir()
	err := errors.Join(os.Symlink(outside, filepath.Join(folder, "out")), os.WriteFile(filepath.Join(outside, "kept"), []byte("old"), 0o600),
		os.Symlink(filepath.Join(outside, "kept"), filepath.Join(folder, "link")))
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteInside(folder, "out/name", nil, 0o600); err == nil {
		t.Error("written through a link that leads out")
	}
	if err := WriteInside(folder, "link", []byte("new"), 0o600); err != nil {
		t.Error(err)
	}
	expectNames(t, outside, "kept")
	if text, err := os.ReadFile(filepath.Join(outside, "kept")); err != nil || string(text) != "old" {
		t.Errorf("what the link led to: %q, %v", text, err)
	}
}

func expectNames(t *testing.T, folder, only string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != only {
		t.Errorf("%s holds %v, %v", folder, entries, err)
	}
}

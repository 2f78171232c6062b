package inuse

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Others read the file for a moment, and what is done to it is done all the same.
func TestWhatIsRead(t *testing.T) {
	for name, do := range map[string]func(file, other string) error{
		"replaced":       func(file, other string) error { return Rename(other, file) },
		"renamed":        func(file, other string) error { return Rename(file, file+".aside") },
		"removed":        func(file, other string) error { return Remove(file) },
		"folder removed": func(file, other string) error { return RemoveAll(filepath.Dir(file)) },
		"all of it":      func(file, other string) error { return RemoveAll(file) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "folder")
			file, other := filepath.Join(dir, "file"), filepath.Join(dir, "other")
			err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(file, []byte("old"), 0o600), os.WriteFile(other, []byte("new"), 0o600))
			if err != nil {
				t.Fatal(err)
			}
			reader, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			read := make(chan error, 1)
			time.AfterFunc(20*time.Millisecond, func() { read <- reader.Close() })
			if err := do(file, other); err != nil {
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
	if err := Rename(none, none+".2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rename: %v", err)
	}
	if err := RemoveAll(none); err != nil {
		t.Errorf("remove all: %v", err)
	}
}

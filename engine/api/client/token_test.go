package client

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestTokenIsMadeOnceAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "token")
	if _, err := LoadToken(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before it is made: %v", err)
	}
	first, err := EnsureToken(path)
	if err != nil || len(first) != 64 {
		t.Fatalf("%q, %v", first, err)
	}
	again, err := EnsureToken(path)
	loaded, err2 := LoadToken(path)
	if err != nil || err2 != nil || again != first || loaded != first {
		t.Errorf("%q then %q then %q: %v, %v", first, again, loaded, err, err2)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestUselessTokenIsReplaced(t *testing.T) {
	spoil := map[string]func(path string) error{
		"empty":     func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"cut short": func(path string) error { return os.WriteFile(path, []byte("abcd"), 0o600) },
		"no hex":    func(path string) error { return os.WriteFile(path, make([]byte, 64), 0o600) },
		"a link": func(path string) error {
			other := path + ".other"
			return errors.Join(os.Rename(path, other), os.Symlink(other, path))
		},
	}
	if runtime.GOOS != "windows" {
		spoil["readable by the group"] = func(path string) error { return os.Chmod(path, 0o640) }
		spoil["readable by all"] = func(path string) error { return os.Chmod(path, 0o604) }
	}
	for name, spoil := range spoil {
		path := filepath.Join(t.TempDir(), "token")
		first, err := EnsureToken(path)
		if err := errors.Join(err, spoil(path)); err != nil {
			t.Fatal(err)
		}
		if token, err := LoadToken(path); err == nil {
			t.Errorf("%s: loaded %q", name, token)
		}
		second, err := EnsureToken(path)
		if err != nil || second == first {
			t.Errorf("%s: %q after %q, %v", name, second, first, err)
		}
		if loaded, err := LoadToken(path); err != nil || loaded != second {
			t.Errorf("%s: then loaded %q, %v", name, loaded, err)
		}
	}
}

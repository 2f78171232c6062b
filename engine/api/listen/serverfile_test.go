package listen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestServerFile(t *testing.T) {
	vault := t.TempDir()
	file := filepath.Join(vault, ".vault-mind", "server.json")
	for _, port := range []int{11435, 12000} {
		if err := WriteServerFile(vault, port); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "{\"port\":12000}\n" {
		t.Errorf("%q, %v", text, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := RemoveServerFile(vault, 11435); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("another engine's file was removed: %v", err)
	}
	for range 2 {
		if err := RemoveServerFile(vault, 12000); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("our file is still there: %v", err)
	}
}

// Sync programs and git carry every write of the file.
func TestServerFileIsWrittenOnlyWhenItChanges(t *testing.T) {
	for name, there := range map[string]struct {
		text  string
		stays bool
	}{
		"the same":          {"{\"port\":11435}\n", true},
		"the same, spelled": {"{ \"port\": 11435 }", true},
		"another port":      {"{\"port\":12000}\n", false},
		"half of it":        {"{\"port\":11", false},
		"nothing in it":     {"", false},
		"another form":      {"[11435]", false},
	} {
		t.Run(name, func(t *testing.T) {
			vault := t.TempDir()
			file := filepath.Join(vault, ".vault-mind", "server.json")
			was := time.Now().Add(-time.Hour).Truncate(time.Second)
			if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(there.text), 0o600), os.Chtimes(file, was, was)); err != nil {
				t.Fatal(err)
			}
			if err := WriteServerFile(vault, 11435); err != nil {
				t.Fatal(err)
			}
			is, err := os.Stat(file)
			if err != nil || is.ModTime().Equal(was) != there.stays {
				t.Errorf("it stays as it was: %v, want %v; %v", !there.stays, there.stays, err)
			}
			if !namesPort(vault, 11435) {
				t.Error("the file does not name the port")
			}
		})
	}
}

func TestServerFileStaysInTheVault(t *testing.T) {
	vault, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(vault, ".vault-mind")); err != nil {
		t.Fatal(err)
	}
	if err := WriteServerFile(vault, 1); err == nil {
		t.Error("written through a link that leaves the vault")
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside: %v, %v", entries, err)
	}
}

func TestReadOnlyVaultIsNoError(t *testing.T) {
	for _, err := range []error{fs.ErrPermission, os.NewSyscallError("mkdir", fs.ErrPermission)} {
		if !isReadOnly(err) {
			t.Errorf("%v counts as a failure", err)
		}
	}
	if err := WriteServerFile(filepath.Join(t.TempDir(), "gone"), 1); err == nil {
		t.Error("a vault that is not there is an error")
	}
}

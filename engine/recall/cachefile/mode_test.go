package cachefile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The words of notes are for their owner alone, in new files and in those of earlier versions.
func TestOnlyTheOwnerReads(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("the modes of files are those of the other systems")
		return
	}
	dir := t.TempDir()
	older := filepath.Join(dir, "older.db")
	if err := os.WriteFile(older, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{older, filepath.Join(dir, "new.db")} {
		db, err := Open(path, "", 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("CREATE TABLE t (x)"); err != nil {
			t.Fatal(err)
		}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			info, err := os.Stat(path + suffix)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s%s: %v, %v", path, suffix, info.Mode(), err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

package dbfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// AsideMark separates a database's path from the time it was moved aside.
const AsideMark = ".corrupt-"

// MoveAside renames a damaged database and its write-ahead log; not a byte of them is changed. It removes the shared
// memory, which holds nothing of its own.
//
// It renames the database before its log: a crash between the two leaves a log without a database, which the next
// start takes for damage again and keeps as well.
func MoveAside(path string, now time.Time) error {
	aside := path + AsideMark + now.UTC().Format("20060102T150405.000Z")
	if _, err := os.Lstat(aside); err == nil {
		return fmt.Errorf("%s exists", aside)
	}
	err := os.Rename(path, aside)
	if errors.Is(err, fs.ErrNotExist) { // only the log is left; its name needs a database beside it
		err = os.WriteFile(aside, nil, 0o600)
	}
	if err != nil {
		return err
	}
	for _, tail := range []string{"-wal", "-journal"} {
		if err := os.Rename(path+tail, aside+tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ListAsides returns the damaged databases beside path, oldest first.
func ListAsides(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var asides []string
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), filepath.Base(path)+AsideMark)
		if ok && strings.HasSuffix(rest, "Z") { // not the log of one
			asides = append(asides, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return asides, nil // ReadDir sorts by name, which is by time
}

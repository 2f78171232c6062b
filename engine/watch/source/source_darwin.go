package source

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Open takes kqueue for a small vault only: it holds a descriptor for each file and
// folder (https://github.com/fsnotify/fsnotify, "kqueue"), and a process that has run
// out of them can do nothing else either.
func Open(root string, h *Hints, log *slog.Logger) (Source, error) {
	most := maxDescriptors()
	if err := countFilesUpTo(root, most); err != nil {
		return nil, err
	}
	return openNative(root, h, log)
}

// maxDescriptors is how many descriptors a vault may take: a quarter of what the
// process has, and not so many that other programs lack them.
func maxDescriptors() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 64
	}
	return int(min(limit.Cur/4, 2048))
}

// countFilesUpTo fails when the folder at root holds more than most files and folders,
// those in folders that begin with a dot not counted: they are not watched.
func countFilesUpTo(root string, most int) error {
	n := 0
	enough := errors.New("enough")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // an unreadable folder is not watched either
		}
		if d.IsDir() && path != root && d.Name()[0] == '.' {
			return filepath.SkipDir
		}
		if n++; n > most {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		return fmt.Errorf("the vault holds more than %d files, and notifications would keep each of them open", most)
	}
	return nil
}

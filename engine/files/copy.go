package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// KeepCopy keeps a text beside its file, under a name that was free.
func KeepCopy(file string, text []byte, mode fs.FileMode) (string, error) {
	stamp := time.Now().Format("20060102-150405")
	for n := 0; ; n++ {
		name := fmt.Sprintf("%s.%s.bak", file, stamp)
		if n > 0 {
			name = fmt.Sprintf("%s.%s-%d.bak", file, stamp, n)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(text)
		return name, errors.Join(err, f.Sync(), f.Close())
	}
}

// FollowLinks is a path without links, as far as it is there.
func FollowLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

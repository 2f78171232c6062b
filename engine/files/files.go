// Package files replaces and removes small files that other programs may be reading at
// that moment, locks what only one process may do at a time ([TakeLock]), and reads with
// a limit ([ReadLimited]).
//
//	err := files.Write(file, text, 0o600)                // a reader sees the old text or the new one
//	err := files.WriteInside(vault, "dir/name", text, 0o644) // no link leads out of the vault
//	err := files.Remove(file)
//
// A crash leaves the old text or the new one in a file, never half of one. Windows
// refuses to replace or remove a file that another program has open. Readers of ours and
// virus scanners are soon done, so Windows is asked again for some seconds.
package files

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// pause is the longest one between two attempts.
const pause = 50 * time.Millisecond

// Write replaces a file in one step, and makes the folders above it for the user alone.
func Write(file string, text []byte, mode fs.FileMode) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return WriteInside(dir, filepath.Base(file), text, mode)
}

// WriteInside replaces a file in a folder that other programs write to as well, such as a
// vault. The name has slashes. The folders in it are made; a link in it that leads out of
// the folder is an error.
func WriteInside(folder, name string, text []byte, mode fs.FileMode) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	dir, base := path.Split(name)
	if dir != "" {
		if err := root.MkdirAll(path.Clean(dir), 0o755); err != nil {
			return err
		}
	}
	temp := dir + "." + strings.TrimSuffix(base, path.Ext(base)) + "-" + rand.Text()
	err = writeNew(root, temp, text, mode)
	if err == nil {
		err = repeatWhileRead(func() error { return root.Rename(temp, name) })
	}
	if err != nil {
		root.Remove(temp)
	}
	return err
}

// writeNew makes a file with this text and mode. A file system without modes keeps its own.
func writeNew(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if failed := f.Chmod(mode); !errors.Is(failed, fs.ErrPermission) && !errors.Is(failed, errors.ErrUnsupported) {
		err = errors.Join(err, failed)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// Remove is os.Remove.
func Remove(name string) error {
	return repeatWhileRead(func() error { return os.Remove(name) })
}

// RemoveAll is os.RemoveAll.
func RemoveAll(path string) error {
	return repeatWhileRead(func() error { return os.RemoveAll(path) })
}

func repeatWhileRead(do func() error) error {
	begun := time.Now()
	for wait := time.Millisecond; ; wait = min(2*wait, pause) {
		err := do()
		if time.Since(begun) >= retryTime(err) {
			return err
		}
		time.Sleep(wait)
	}
}

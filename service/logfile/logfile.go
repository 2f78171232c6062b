// Package logfile keeps the log of a program in the background: lines in a file that is set aside when it has grown,
// so that the total size of all its files has a limit.
//
//	f, err := logfile.Open("state/log/engine.log")
//	r := logfile.NewReader("state/log/engine.log")
//
// Lines are written whole, in the order of the calls. A line is only lost when its disk
// is full or broken. A second process may add its lines; only when both set the file
// aside in the same instant can older lines be lost. Readers hold it open for no longer
// than they read, because Windows sets no file aside that is open.
package logfile

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

const (
	// limit is how large a file becomes before it is set aside.
	limit = 4 << 20
	// older is how many are kept that were set aside.
	older = 3
	// again is how much is written before a file that could not be set aside is
	// tried once more.
	again = 64 << 10
)

// File is a log that is written to. Its methods are safe for concurrent use.
type File struct {
	path  string
	limit int64

	mu   sync.Mutex // guards the fields below
	file *os.File
	size int64
	shut bool
}

// Open opens a log to append to it, and makes its folder.
func Open(path string) (*File, error) {
	f := &File{path: path, limit: limit}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return f, f.openFile()
}

func (f *File) openFile() error {
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file, f.size = file, info.Size()
	return nil
}

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shut {
		return 0, os.ErrClosed
	}
	if f.file != nil && f.size > 0 && f.size+int64(len(p)) > f.limit {
		if err := f.rotateFiles(); err != nil {
			f.size = f.limit - again
		}
	}
	if f.file == nil { // the last rotation could not open it
		if err := f.openFile(); err != nil {
			return 0, err
		}
	}
	n, err := f.file.Write(p)
	f.size += int64(n)
	return n, err
}

// rotateFiles sets the file aside, unless another process has done so already.
func (f *File) rotateFiles() error {
	own, err := f.file.Stat()
	if err != nil {
		return err
	}
	if err := f.file.Close(); err != nil {
		return err
	}
	f.file = nil
	var problem error
	if now, err := os.Stat(f.path); err == nil && os.SameFile(own, now) {
		for n := older; n > 0 && problem == nil; n-- {
			if err := os.Rename(numberedPath(f.path, n-1), numberedPath(f.path, n)); !errors.Is(err, os.ErrNotExist) {
				problem = err
			}
		}
	}
	return errors.Join(problem, f.openFile())
}

// numberedPath is the n-th file that was set aside, the latest being the first; the file
// itself for 0.
func numberedPath(path string, n int) string {
	if n == 0 {
		return path
	}
	return path + "." + strconv.Itoa(n)
}

// Close ends the writing.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shut = true
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Package inuse renames and removes files that others may be reading at that moment.
//
//	err := inuse.Rename(temp, file) // in the place of what others read
//	err := inuse.Remove(file)
//
// Windows refuses both for as long as somebody has the file open, and those who read
// ours, as a scanner of viruses does too, are soon done: so it is tried again, for some
// seconds. Elsewhere nobody is in the way, and these are the functions of package os.
package inuse

import (
	"os"
	"time"
)

// pause is the longest one between two attempts.
const pause = 50 * time.Millisecond

// Rename is os.Rename. It may take the place of a file that is read.
func Rename(from, to string) error {
	return repeatWhileRead(func() error { return os.Rename(from, to) })
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
		if time.Since(begun) >= worthWaiting(err) {
			return err
		}
		time.Sleep(wait)
	}
}

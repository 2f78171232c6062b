// Package notefile reads the note that a person names, without waiting for a disk that hangs.
package notefile

import (
	"errors"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/patience"
)

// Read reads a file, but does not wait for a disk that does not respond.
func Read(file string) ([]byte, error) {
	type reading struct {
		src []byte
		err error
	}
	r, answered := patience.Await(func() reading { src, err := os.ReadFile(file); return reading{src, err} })
	if !answered {
		return nil, errors.New("its disk does not respond now")
	}
	return r.src, r.err
}

// Locate makes a path that exists here absolute; any other is taken as one
// relative to a vault.
func Locate(file string) string {
	err, answered := patience.Await(func() error { _, err := os.Stat(file); return err })
	if answered && err != nil {
		return file
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

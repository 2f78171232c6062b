// Package notefile reads the note that a person names, without waiting for a disk that hangs.
package notefile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
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
	if filepath.IsAbs(file) || isGone(file) {
		return file
	}
	return absolute(file)
}

// absolute is a path from where this process is.
func absolute(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

// Folder is where this process is, with symlinks resolved; empty where its disk does not respond.
func Folder() string {
	folder, _ := patience.Await(func() string {
		folder := absolute(".")
		if real, err := filepath.EvalSymlinks(folder); err == nil {
			return real
		}
		return folder
	})
	return folder
}

// Find is [Locate], but finds a path that is relative to a vault in the vault that has it; two that have
// it are an error. A vault whose disk does not respond counts only where no other has it. The vaults are those of the
// engine; where none answers, those of the configuration.
func Find(ctx context.Context, file string, engine func(context.Context) (*client.Client, error), load func() (config.Config, error)) (string, error) {
	if !filepath.IsLocal(file) {
		return Locate(file), nil
	}
	if !isGone(file) {
		return absolute(file), nil
	}
	var paths, found, silent []string
	for _, folder := range vaults(ctx, engine, load) {
		paths = append(paths, filepath.Join(folder, file))
	}
	for _, e := range patience.Look(paths...) {
		if e.Silent {
			silent = append(silent, e.Named)
		} else if e.Info != nil {
			found = append(found, e.Named)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("%d vaults have %s: %s", len(found), file, strings.Join(found, ", "))
	case len(silent) == 1: // no other vault has it
		return silent[0], nil
	case len(silent) > 1:
		return "", fmt.Errorf("the disks of %d vaults that may have %s do not respond: %s", len(silent), file, strings.Join(silent, ", "))
	}
	return file, nil
}

// vaults are the folders in which [Find] looks.
func vaults(ctx context.Context, engine func(context.Context) (*client.Client, error), load func() (config.Config, error)) (folders []string) {
	if c, err := engine(ctx); err == nil {
		if status, err := c.Status(ctx); err == nil {
			for _, v := range status.Vaults {
				folders = append(folders, v.Path)
			}
			return folders
		}
	}
	cfg, _ := load() // other commands report its faults
	for _, v := range cfg.Vaults {
		folders = append(folders, v.Path)
	}
	return folders
}

// isGone reports whether a path is known to lead nowhere; of a disk that hangs nothing is known.
func isGone(path string) bool { return patience.Look(path)[0].Err != nil }

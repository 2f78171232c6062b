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
	if isGone(file) {
		return file
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

// Find is [Locate], but finds a path that is relative to a vault in the vault that has it; two that have
// it are an error. The vaults are those of the engine; where none answers, those of the configuration.
func Find(ctx context.Context, file string, engine func(context.Context) (*client.Client, error), load func() (config.Config, error)) (string, error) {
	if !filepath.IsLocal(file) || !isGone(file) {
		return Locate(file), nil
	}
	var found []string
	for _, folder := range vaults(ctx, engine, load) {
		if path := filepath.Join(folder, file); !isGone(path) {
			found = append(found, path)
		}
	}
	switch len(found) {
	case 0:
		return file, nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%d vaults have %s: %s", len(found), file, strings.Join(found, ", "))
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
	cfg, _ := load() // what is wrong with it, other commands say
	for _, v := range cfg.Vaults {
		folders = append(folders, v.Path)
	}
	return folders
}

// isGone reports whether a path is known to lead nowhere; of a disk that hangs nothing is known.
func isGone(path string) bool {
	err, answered := patience.Await(func() error { _, err := os.Stat(path); return err })
	return answered && err != nil
}

// IsInside reports whether a path is in a folder, also where links lead to either; of disks that hang the names alone
// are known.
func IsInside(file, folder string) bool {
	path, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	within := func(path, folder string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rel)
	}
	inside, answered := patience.Await(func() bool { return within(followLinks(path), followLinks(folder)) })
	return inside || !answered && within(path, folder)
}

func followLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

package installer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/files"
)

// Purge is what an uninstallation may remove beside the login service.
type Purge struct {
	Paths []string // that are there; of a folder only what is ours
	Left  []string // what was found in our folders and is not ours
}

// PurgeError says why nothing can be removed. Nothing was changed.
type PurgeError struct {
	Err  error
	Next string // what to do about it
}

func (e *PurgeError) Error() string { return e.Err.Error() }
func (e *PurgeError) Unwrap() error { return e.Err }

func noPurge(next, format string, args ...any) error {
	return &PurgeError{fmt.Errorf(format, args...), next}
}

// ourNames are the names of what we make in our folders. Any other file there may be
// the user's only copy.
var ourNames = []string{
	"config.yaml", "config.yaml.*.bak", ".config-*",
	"journal.db*", "token", "token.tmp", ".token-*", "lock", "tray.lock", "port", "port.tmp", ".port-*", "log", "service", "doctor-*",
	strings.Repeat("[0-9a-f]", 16), "pi",
}

// FindPurge finds what can be removed, and refuses while an engine uses it or if a
// vault lies in it.
func (l *Login) FindPurge(ctx context.Context) (p Purge, err error) {
	const end = "end it, then try again"
	now, err := l.View(ctx)
	if err != nil {
		return p, err
	}
	if now.Running && !now.Active && !now.Orphan {
		return p, noPurge(end, "an engine that the service did not start runs with pid %d and uses what would be removed; nothing was changed", now.PID)
	}
	if pid, isOurs := l.FindEngine(ctx); !isOurs && pid > 0 {
		return p, noPurge(end, "an engine with another state folder runs with pid %d, perhaps with the configuration that would be removed; nothing was changed", pid)
	}
	if l.file != "" && l.Problem != nil {
		return p, noPurge("name your configuration, or leave --config out; nothing was changed", "%s is not a usable configuration, and may be something else: %w", l.file, l.Problem)
	}
	places, err := OwnFolders(l.file, l.State)
	if err != nil {
		return p, err
	}
	for _, path := range places {
		if _, err := os.Lstat(path); err == nil {
			p.Paths = append(p.Paths, path)
		}
	}
	for _, path := range p.Paths {
		vault, err := findVaultIn(path, l.Config.Vaults)
		if err != nil {
			return p, fmt.Errorf("look for notes in what would be removed: %w", err)
		}
		if vault != "" {
			return p, noPurge("move the vault, or remove by hand what you do not need", "the vault %s lies in %s, which would be removed; nothing was changed", vault, path)
		}
	}
	return p, nil
}

// OwnFolders are the folders of the configuration, the state and the cache, each once.
// Of a configuration that was named it is only its file.
func OwnFolders(file, state string) ([]string, error) {
	settings := file
	if settings == "" {
		usual, err := config.Path()
		if err != nil {
			return nil, err
		}
		settings = filepath.Dir(usual)
	}
	cache, err := config.CacheDir("")
	if err != nil {
		return nil, err
	}
	var places []string
	for _, path := range []string{settings, state, filepath.Dir(cache)} {
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		if !slices.Contains(places, path) { // on some systems they share a folder
			places = append(places, path)
		}
	}
	return places, nil
}

// findVaultIn returns a vault that lies in a folder: one of these, or one that an engine
// has watched and left its mark in.
func findVaultIn(folder string, vaults []config.Vault) (string, error) {
	for _, v := range vaults {
		if rel, err := filepath.Rel(followLinks(folder), followLinks(v.Path)); err == nil && filepath.IsLocal(rel) {
			return v.Path, nil
		}
	}
	var found string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".vault-mind" {
			found = filepath.Dir(path)
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// Remove removes what was found, unless an engine uses it again.
func (p *Purge) Remove(ctx context.Context, l *Login) error {
	if len(p.Paths) == 0 {
		return nil
	}
	if pid, isThere := l.FindEngine(ctx); isThere {
		return noPurge("end it, then try again", "the service was removed, but an engine runs with pid %d; configuration and state stay", pid)
	}
	var problems []error
	for _, path := range p.Paths {
		left, err := removeOurs(path)
		p.Left = append(p.Left, left...)
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// removeOurs removes a file, or our files in a folder and the folder itself if nothing
// else is in it. It returns what is left.
func removeOurs(path string) (left []string, err error) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return nil, errors.Join(err, files.Remove(path))
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, e := range entries {
		file := filepath.Join(path, e.Name())
		if slices.ContainsFunc(ourNames, func(name string) bool { same, _ := filepath.Match(name, e.Name()); return same }) {
			problems = append(problems, files.RemoveAll(file)) // a supervisor that is about to end still has its log
		} else {
			left = append(left, file)
		}
	}
	if err := errors.Join(problems...); err != nil || len(left) > 0 {
		return left, err
	}
	return nil, os.Remove(path)
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/inuse"
)

// purge is what `uninstall --purge` removes.
type purge struct {
	paths []string // that are there; of a folder only what is ours
	yes   bool     // nobody is asked
	left  []string // what was found in our folders and is not ours
}

// ours are the names of what we make in our folders. Whatever else lies there
// somebody has put there, and may be the only one of its kind.
var ours = []string{
	"config.yaml", "config.yaml.*.bak", ".config-*",
	"journal.db*", "token", "token.tmp", ".token-*", "lock", "tray.lock", "port", "port.tmp", "log", "service", "doctor-*",
	strings.Repeat("[0-9a-f]", 16), "pi",
}

// purging finds what is to be removed, and refuses where that could hurt: while an
// engine uses it that stays, and where a vault lies in it.
func (a *app) purging(ctx context.Context, l *login, yes bool) (purge, error) {
	p := purge{yes: yes}
	now, err := l.view(ctx)
	if err != nil {
		return p, err
	}
	if now.Running && !now.Active && !now.Orphan {
		return p, fail("end it, then once more", "an engine that the service did not start runs with pid %d and uses what would be removed; nothing was changed", now.PID)
	}
	if pid, ours := l.answers(ctx); !ours && pid > 0 {
		return p, fail("end it, then once more", "an engine with another state folder runs with pid %d, perhaps with the configuration that would be removed; nothing was changed", pid)
	}
	if a.configFile != "" && l.err != nil {
		return p, fail("name your configuration, or leave --config out; nothing was changed", "%s is no configuration that can be used, and may be something else: %w", a.configFile, l.err)
	}
	places, err := a.belongings(l.state)
	if err != nil {
		return p, err
	}
	for _, path := range places {
		if _, err := os.Lstat(path); err == nil {
			p.paths = append(p.paths, path)
		}
	}
	for _, path := range p.paths {
		vault, err := vaultIn(path, l.vaults)
		if err != nil {
			return p, fmt.Errorf("look for notes in what would be removed: %w", err)
		}
		if vault != "" {
			return p, fail("move the vault, or remove by hand what you do not need", "the vault %s lies in %s, which would be removed; nothing was changed", vault, path)
		}
	}
	return p, nil
}

// belongings are the configuration, the state and the cache: our own folders, each
// once, but of a configuration that was named only its file.
func (a *app) belongings(state string) ([]string, error) {
	settings := a.configFile
	if settings == "" {
		file, err := config.Path()
		if err != nil {
			return nil, err
		}
		settings = filepath.Dir(file)
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

// vaultIn returns a vault that lies in a folder: one of these, or one that an engine
// has watched and left its mark in.
func vaultIn(folder string, vaults []config.Vault) (string, error) {
	for _, v := range vaults {
		if rel, err := filepath.Rel(resolved(folder), resolved(v.Path)); err == nil && filepath.IsLocal(rel) {
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

// resolved is a path without the links in it, as far as it is there.
func resolved(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	return path
}

// agreed asks whoever sits there.
func (a *app) agreed(ctx context.Context, p purge) error {
	if p.yes || len(p.paths) == 0 {
		return nil
	}
	if a.json || !term.IsTerminal(int(os.Stdin.Fd())) {
		return usage("with --yes they are removed, without --purge they stay", "nobody can be asked whether to remove %s", strings.Join(p.paths, ", "))
	}
	fmt.Fprintln(a.stderr, "What is ours in these is removed for good, and with it the history, parked answers and what")
	fmt.Fprintln(a.stderr, "undo needs. Your notes stay.")
	for _, path := range p.paths {
		fmt.Fprintf(a.stderr, "  %s\n", path)
	}
	fmt.Fprint(a.stderr, "Remove them? [y/N] ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no answer is no
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case line := <-answer:
		if word := strings.ToLower(strings.TrimSpace(line)); word != "y" && word != "yes" {
			return fail("without --purge only the login service is removed", "nothing was changed")
		}
		return nil
	}
}

// remove takes away what was agreed on, when no engine uses it any more.
func (p *purge) remove(ctx context.Context, l *login) error {
	if len(p.paths) == 0 {
		return nil
	}
	if pid, there := l.answers(ctx); there {
		return fail("end it, then once more", "the service was removed, but an engine runs with pid %d; configuration and state stay", pid)
	}
	var problems []error
	for _, path := range p.paths {
		left, err := removeOurs(path)
		p.left = append(p.left, left...)
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// removeOurs removes a file, or of a folder what is ours in it and the folder, if
// that is all. What is left it returns.
func removeOurs(path string) (left []string, err error) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return nil, errors.Join(err, inuse.Remove(path))
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, e := range entries {
		file := filepath.Join(path, e.Name())
		if slices.ContainsFunc(ours, func(name string) bool { same, _ := filepath.Match(name, e.Name()); return same }) {
			problems = append(problems, inuse.RemoveAll(file)) // a supervisor that is about to end still has its log
		} else {
			left = append(left, file)
		}
	}
	if err := errors.Join(problems...); err != nil || len(left) > 0 {
		return left, err
	}
	return nil, os.Remove(path)
}

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
)

// purge is what `uninstall --purge` removes.
type purge struct {
	paths []string // that are there
	yes   bool     // nobody is asked
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
		if rel, err := filepath.Rel(folder, v.Path); err == nil && filepath.IsLocal(rel) {
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

// agreed asks whoever sits there.
func (a *app) agreed(ctx context.Context, p purge) error {
	if p.yes || len(p.paths) == 0 {
		return nil
	}
	if a.json || !term.IsTerminal(int(os.Stdin.Fd())) {
		return usage("with --yes they are removed, without --purge they stay", "nobody can be asked whether to remove %s", strings.Join(p.paths, ", "))
	}
	fmt.Fprintln(a.stderr, "These are removed for good, and with them the history, parked answers and what")
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
func (p purge) remove(ctx context.Context, l *login) error {
	if len(p.paths) == 0 {
		return nil
	}
	if pid, there := l.answers(ctx); there {
		return fail("end it, then once more", "the service was removed, but an engine runs with pid %d; configuration and state stay", pid)
	}
	var problems []error
	for _, path := range p.paths {
		problems = append(problems, os.RemoveAll(path))
	}
	return errors.Join(problems...)
}

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
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/installer/clients"
	"vaultdispatcher/installer/noteplugin"
)

// Purge is what an uninstallation may remove beside the login service.
type Purge struct {
	Paths   []string // that are there, and then those that were removed; of a folder only what is ours
	Foreign []string // files in the program's folders that belong to others
	Record  string   // kept, because a vault still has the plugin; "" = no vault has it

	Clients []clients.Done    // agents that had this program as a server, once it is removed
	Plugins []noteplugin.Done // vaults that had our plugin for Obsidian, once that is done
}

// TakenOut returns the files and folders of other programs that had an entry or files of this one, and the backups of
// those files.
func (p *Purge) TakenOut() (paths []string) {
	for _, client := range p.Clients {
		if client.Changed {
			paths = append(paths, client.File+"; what was there before: "+client.Backup)
		}
	}
	for _, plugin := range p.Plugins {
		if plugin.Changed {
			paths = append(paths, plugin.Folder)
		}
	}
	return paths
}

// Unreached are the vaults that our plugin was put into and that are not there now.
func (p *Purge) Unreached() (vaults []string) {
	for _, plugin := range p.Plugins {
		if plugin.Absent {
			vaults = append(vaults, plugin.Vault)
		}
	}
	return vaults
}

// PurgeError says why nothing can be removed. Nothing was changed.
type PurgeError struct {
	Err    error
	Remedy string // the next step
}

func (e *PurgeError) Error() string { return e.Err.Error() }
func (e *PurgeError) Unwrap() error { return e.Err }

func purgeErrorf(next, format string, args ...any) error {
	return &PurgeError{fmt.Errorf(format, args...), next}
}

// ourNames are the names of what we make in our folders. Any other file there may be
// the user's only copy.
var ourNames = []string{
	"config.yaml", "config.yaml.*.bak", ".config-*",
	"journal.db*", "token", "token.tmp", ".token-*", "lock", "tray.lock", "port", "port.tmp", ".port-*", "log", "service", "doctor-*", noteplugin.Record, ".obsidian-*",
	"hub", "worker.json", ".worker-*", "speech", // keys, tasks and texts of notes
	strings.Repeat("[0-9a-f]", 16), "pi",
}

// FindPurge finds what can be removed. It refuses while an engine uses it, and if it contains a vault.
func (l *Login) FindPurge(ctx context.Context) (p Purge, err error) {
	const end = "end it, then try again"
	now, err := l.View(ctx)
	if err != nil {
		return p, err
	}
	if now.Running && !now.Active && !now.Orphan {
		return p, purgeErrorf(end, "an engine that the service did not start runs with pid %d and uses what would be removed; nothing was changed", now.PID)
	}
	if pid, isOurs := l.FindEngine(ctx); !isOurs && pid > 0 {
		return p, purgeErrorf(end, "an engine with another state folder runs with pid %d, perhaps with the configuration that would be removed; nothing was changed", pid)
	}
	if l.file != "" && l.Problem != nil {
		return p, purgeErrorf("name your configuration, or leave --config out; nothing was changed", "%s is not a usable configuration, and may be something else: %w", l.file, l.Problem)
	}
	if l.hubRuns() {
		return p, purgeErrorf(end, "the hub of this user runs and uses what would be removed; nothing was changed")
	}
	folders, err := OwnFolders(l.file, l.State)
	if err != nil {
		return p, err
	}
	for _, path := range folders {
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
			return p, purgeErrorf("move the vault, or remove by hand what you do not need", "the vault %s lies in %s, which would be removed; nothing was changed", vault, path)
		}
	}
	return p, nil
}

// hubRuns reports whether a hub uses the state folder.
func (l *Login) hubRuns() bool {
	lock, err := files.TakeLock(filepath.Join(l.State, "hub", "lock"))
	if err == nil {
		err = lock.Close()
	}
	return errors.Is(err, files.ErrHeld)
}

// OwnFolders are the folders of the configuration, the state and the cache, each once.
// A configuration that was named counts as its file alone.
func OwnFolders(file, state string) ([]string, error) {
	settings := file
	if settings == "" {
		usual, err := place.ConfigFile()
		if err != nil {
			return nil, err
		}
		settings = filepath.Dir(usual)
	}
	cache, err := place.CacheDir("")
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, path := range []string{settings, state, filepath.Dir(cache)} {
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		if !slices.Contains(folders, path) { // on some systems they share a folder
			folders = append(folders, path)
		}
	}
	return folders, nil
}

// findVaultIn returns a vault inside a folder: one of vaults, or one that an engine has watched and left its mark in.
// It returns an error if the disk of a vault does not respond, because its place is then not known.
func findVaultIn(folder string, vaults []config.Vault) (string, error) {
	for _, v := range vaults {
		real, responds := patience.Await(func() string { return files.FollowLinks(v.Path) }) // that the system remembers it is enough
		if !responds {
			return "", purgeErrorf("connect it, or take the vault out of the configuration", "the disk of %s does not respond; nothing was changed", v.Path)
		}
		if rel, err := filepath.Rel(files.FollowLinks(folder), real); err == nil && filepath.IsLocal(rel) {
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
	problems := append(p.leaveClients(), p.leaveVaults(l.Config.Vaults, l.State)...)
	paths := p.Paths
	marks, err := leaveGit(l.Config.Vaults, presence.IDOf(presence.ThisMachine(), l.State))
	if p.Paths, problems = marks, append(problems, err); len(paths) == 0 {
		return errors.Join(problems...)
	}
	if pid, isThere := l.FindEngine(ctx); isThere {
		return errors.Join(append(problems, purgeErrorf("end it, then try again", "the service was removed, but an engine runs with pid %d; configuration and state stay", pid))...)
	}
	if l.hubRuns() {
		return errors.Join(append(problems, purgeErrorf("end it, then try again", "the service was removed, but a hub runs; configuration and state stay"))...)
	}
	for _, path := range paths {
		left, err := removeOurs(path, p.Record)
		p.Foreign = append(p.Foreign, left...)
		if problems = append(problems, err); err == nil {
			p.Paths = append(p.Paths, path)
		}
	}
	return errors.Join(problems...)
}

// leaveClients takes our entry out of the configuration of each agent that has it.
func (p *Purge) leaveClients() (problems []error) {
	for _, client := range clients.Installed() {
		done, err := clients.Uninstall(client)
		p.Clients, problems = append(p.Clients, done), append(problems, err)
	}
	return problems
}

// leaveVaults takes the plugin out of each vault that has it, while the record in the state folder still tells which
// files belong to this program. It keeps the record of a vault that could not be reached or changed.
func (p *Purge) leaveVaults(vaults []config.Vault, state string) (problems []error) {
	p.Plugins = noteplugin.RemoveAll(vaults)
	for _, plugin := range p.Plugins {
		p.Foreign = append(p.Foreign, plugin.Foreign...)
		if plugin.Problem != "" {
			problems = append(problems, fmt.Errorf("take the plugin out of %s: %s", plugin.Vault, plugin.Problem))
		}
		record := filepath.Join(state, noteplugin.Record)
		if _, err := os.Lstat(record); err == nil && (plugin.Absent || plugin.Problem != "") {
			p.Record = record
		}
	}
	return problems
}

// leaveGit takes the marks of this engine out of each vault, and the rules that keep the vault clean in git unless
// another engine works on it. It returns the folders that were removed.
func leaveGit(vaults []config.Vault, engine string) (removed []string, err error) {
	type left struct {
		removed bool
		err     error
	}
	for _, v := range vaults {
		var done left
		responds := !patience.Look(v.Path)[0].Silent
		if responds { // or the system only remembers the folder
			done, responds = patience.AwaitAct(v.Path, func() (l left) {
				failed := presence.Withdraw(v.Path, engine)
				if errors.Is(failed, fs.ErrNotExist) {
					failed = nil // the vault is not there
				}
				l.removed, l.err = presence.LeaveGit(v.Path)
				l.err = errors.Join(failed, l.err)
				return l
			})
		}
		if !responds {
			done.err = fmt.Errorf("the disk of %s does not respond; what we have made there stays", v.Path)
		}
		if err = errors.Join(err, done.err); done.removed {
			removed = append(removed, filepath.Join(v.Path, ".vault-mind"))
		}
	}
	return removed, err
}

// removeOurs removes a file, or our files in a folder and the folder itself if nothing
// else is in it. It returns what is left beside the one file that is to be kept.
func removeOurs(path, keep string) (left []string, err error) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return nil, errors.Join(err, files.Remove(path))
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var problems []error
	stays := false
	for _, e := range entries {
		file := filepath.Join(path, e.Name())
		if file == keep {
			stays = true
		} else if slices.ContainsFunc(ourNames, func(name string) bool { same, _ := filepath.Match(name, e.Name()); return same }) {
			problems = append(problems, files.RemoveAll(file)) // a supervisor that is about to end still has its log
		} else {
			left = append(left, file)
		}
	}
	if err := errors.Join(problems...); err != nil || len(left) > 0 || stays {
		return left, err
	}
	return nil, os.Remove(path)
}

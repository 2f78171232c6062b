package presence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"vaultdispatcher/engine/files"
)

// ignoreFile keeps out of git what is of this machine alone. It names itself, so that git shows
// nothing of ours that a person would have to decide on. What all machines must know is not in
// it: owner.json, vault.json and engines/ are how clones of one vault learn of each other.
const ignoreFile = folder + "/.gitignore"

// ignored has the forms of https://git-scm.com/docs/gitignore; each line begins at the folder.
const ignored = `# Vault Dispatcher wrote this file and leaves yours alone. These are of one computer only.
/.gitignore
/server.json
/tmp/
/probe/
/probe-*
/.server-*
/.owner-*
/.-*
/engines/.*
`

// HideFromGit writes the file, unless one is there: that is ours, or a person's own.
func HideFromGit(vault string) error {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return fmt.Errorf("write %s: %w", ignoreFile, err)
	}
	defer root.Close()
	if _, err := root.Lstat(ignoreFile); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := files.WriteInside(vault, ignoreFile, []byte(ignored), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", ignoreFile, err)
	}
	return nil
}

// IsBare reports whether the folder is there without the file: a person or program has removed all of
// it, and an answer has made the folder anew.
func IsBare(vault string) bool {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return false
	}
	defer root.Close()
	if info, err := root.Lstat(folder); err != nil || !info.IsDir() {
		return false // a link is another's own
	}
	_, err = root.Lstat(ignoreFile)
	return errors.Is(err, fs.ErrNotExist)
}

// LeaveGit removes the file, and the folder with it if it is then empty. If the folder has a file of
// another engine, an owner or a person, LeaveGit removes nothing. It reports whether the folder is
// gone.
func LeaveGit(vault string) (gone bool, err error) {
	root, err := os.OpenRoot(vault)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("remove %s: %w", ignoreFile, err)
	}
	defer root.Close()
	if info, err := root.Lstat(folder); err != nil || !info.IsDir() {
		return false, nil // a link is another's own
	}
	names, err := listFolder(root, folder, -1)
	if err != nil || !slices.ContainsFunc(names, func(name string) bool { return folder+"/"+name == ignoreFile }) {
		return false, err
	}
	for _, name := range names {
		if !isSpare(root, folder+"/"+name) {
			return false, nil
		}
	}
	for _, name := range append(names, "") {
		if err := root.Remove(path.Join(folder, name)); err != nil {
			return false, fmt.Errorf("remove %s: %w", ignoreFile, err)
		}
	}
	return true, nil
}

// isSpare reports whether a file in the folder is of no use without an engine: ours for git as we wrote it, or an empty
// folder for temporary files.
func isSpare(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return false
	case name == ignoreFile && info.Mode().IsRegular() && info.Size() == int64(len(ignored)):
		text, err := root.ReadFile(name)
		return err == nil && string(text) == ignored
	case info.IsDir() && (name == folder+"/tmp" || name == folder+"/probe"):
		inside, err := listFolder(root, name, 1)
		return err == nil && len(inside) == 0
	}
	return false
}

package presence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

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

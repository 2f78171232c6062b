//go:build unix

package service

import (
	"errors"
	"io/fs"
	"os"

	"vaultdispatcher/engine/files"
)

// On these systems an applet is a file that the desktop reads at login. entryFile returns its path and its text.

func (a Applet) addEntry() error {
	file, text, err := a.entryFile()
	if err != nil {
		return err
	}
	return files.Write(file, []byte(text), 0o600)
}

func (a Applet) removeEntry() error {
	file, _, err := a.entryFile()
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// hasEntry reads the file, for that is where most desktops note that the user has
// switched an entry off; macOS keeps that elsewhere.
func (a Applet) hasEntry() bool {
	file, _, err := a.entryFile()
	if err != nil {
		return false
	}
	text, err := os.ReadFile(file)
	return err == nil && !switchedOff(string(text))
}

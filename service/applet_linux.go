package service

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

func (a Applet) file() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "autostart", a.Name+".desktop"), err
}

func (a Applet) add() error {
	file, err := a.file()
	if err != nil {
		return err
	}
	return writeFile(file, desktopEntry(a.Title, a.words()), 0o600)
}

func (a Applet) remove() error {
	file, err := a.file()
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (a Applet) there() bool {
	file, err := a.file()
	if err != nil {
		return false
	}
	text, err := os.ReadFile(file)
	return err == nil && !switchedOff(string(text))
}

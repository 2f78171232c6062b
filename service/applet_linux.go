package service

import (
	"os"
	"path/filepath"
)

// entryFile is an XDG autostart entry.
func (a Applet) entryFile() (file, text string, err error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "autostart", a.Name+".desktop"), desktopEntry(a.Title, a.commandWords()), err
}

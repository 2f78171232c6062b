package service

import (
	"os"
	"path/filepath"
)

// entry is an XDG autostart entry.
func (a Applet) entry() (file, text string, err error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "autostart", a.Name+".desktop"), desktopEntry(a.Title, a.words()), err
}

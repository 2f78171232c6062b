package service

import (
	"os"
	"path/filepath"
)

// entryFile is a LaunchAgent.
func (a Applet) entryFile() (file, text string, err error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", a.Name+".plist"), appletPlist(a), err
}

package service

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

func (a Applet) file() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", a.Name+".plist"), err
}

func (a Applet) add() error {
	file, err := a.file()
	if err != nil {
		return err
	}
	return writeFile(file, appletPlist(a), 0o600)
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
	_, err = os.Stat(file)
	return err == nil
}

// appletPlist is a LaunchAgent of the graphical session that is started once.
func appletPlist(a Applet) string {
	text := `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + xmlText(a.Name) + `</string>
	<key>ProgramArguments</key>
	<array>
`
	for _, word := range a.words() {
		text += "\t\t<string>" + xmlText(word) + "</string>\n"
	}
	return text + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>LimitLoadToSessionType</key>
	<string>Aqua</string>
</dict>
</plist>
`
}

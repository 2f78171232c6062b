package installer

import (
	"fmt"
	"path/filepath"

	"vaultdispatcher/service"
)

// TrayProgram returns the path of wiki-tray, beside this program or on the PATH; "" without one.
func TrayProgram() string { return service.FindProgram("wiki-tray") }

// SwitchTray makes the entry that starts the tray at login with a configuration file,
// or removes it.
func SwitchTray(file string, on bool) error {
	var args []string
	if file != "" {
		full, err := filepath.Abs(file)
		if err != nil {
			return fmt.Errorf("find the configuration: %w", err)
		}
		args = []string{"--config", full}
	}
	entry := service.Tray(TrayProgram(), args...)
	if on {
		return entry.Install()
	}
	return entry.Uninstall()
}

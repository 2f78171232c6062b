package installer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"vaultdispatcher/service"
)

// TrayProgram is the program wiki-tray beside this one, or the one on the PATH; empty
// if there is none.
func TrayProgram() string {
	name := "wiki-tray"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	own, err := os.Executable()
	if err == nil {
		beside := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside
		}
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	if found, err = filepath.Abs(found); err != nil {
		return ""
	}
	return found
}

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

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"vaultdispatcher/service"
)

// trayProgram is the program wiki-tray beside this one, or the one on the PATH;
// empty = there is none.
func trayProgram() string {
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

// trayEntry is the tray as it is started at login, with the configuration of this
// command.
func (a *app) trayEntry() (service.Applet, error) {
	if a.configFile == "" {
		return service.Tray(trayProgram()), nil
	}
	file, err := filepath.Abs(a.configFile)
	if err != nil {
		return service.Applet{}, fmt.Errorf("find the configuration: %w", err)
	}
	return service.Tray(trayProgram(), "--config", file), nil
}

// trayAtLogin makes the tray's entry or takes it away, and says how it is. An entry
// that nobody asked about stays as it is.
func (a *app) trayAtLogin(p plan) (bool, error) {
	entry, err := a.trayEntry()
	if err != nil {
		return false, err
	}
	before := entry.Installed()
	switch {
	case !p.asked && !before:
		return false, nil
	case !p.asked:
		a.tell("tray", "starts when you log in, as before; --tray=false takes that away")
		return true, nil
	case p.tray:
		if err := entry.Install(); err != nil {
			return before, err
		}
		a.tell("tray", "starts when you log in; wiki-tray shows it now")
	default:
		if err := entry.Uninstall(); err != nil {
			return before, err
		}
		a.tell("tray", "does not start when you log in")
	}
	return p.tray, nil
}

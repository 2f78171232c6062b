package service

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Applet is a program with something to show, such as an icon in a panel. The desktop starts it at login; after it
// ends, it does not run until the next login. A service manager would start it without a screen.
type Applet struct {
	Name    string // of the entry
	Title   string // shown to people
	Program string // absolute
	Args    []string
}

// Tray is the product's icon in the desktop's panel. All programs that make or remove its entry know it by this name.
func Tray(program string, args ...string) Applet {
	return Applet{Name: "vault-dispatcher-tray", Title: "Vault Dispatcher tray", Program: program, Args: args}
}

// Install has the applet started at login from now on. It starts nothing.
func (a Applet) Install() error {
	spec := Spec{Name: a.Name, Title: a.Title, Program: a.Program, Args: a.Args, Dir: filepath.Dir(a.Program)}
	if err := errors.Join(spec.checkFields(), spec.checkWords()); err != nil {
		return err
	}
	if err := a.addEntry(); err != nil {
		return fmt.Errorf("have %s started at login: %w", a.Title, err)
	}
	return nil
}

// Uninstall takes the entry away; none is as good.
func (a Applet) Uninstall() error {
	if err := a.removeEntry(); err != nil {
		return fmt.Errorf("stop starting %s at login: %w", a.Title, err)
	}
	return nil
}

// Installed reports whether the applet is started at login: there is an entry, and
// the user has not switched it off in the desktop's settings.
func (a Applet) Installed() bool { return a.hasEntry() }

func (a Applet) commandWords() []string { return append([]string{a.Program}, a.Args...) }

// FindProgram returns the path of a program of this product, beside this one or on the PATH; "" without one.
func FindProgram(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
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

package service

import (
	"path/filepath"
	"testing"
)

// An applet comes and goes, and twice is as good as once.
func TestApplet(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, home)
	}
	a := Applet{Name: "an-applet-of-the-tests", Title: "An applet", Program: filepath.Join(home, "a b", "wiki-tray"), Args: []string{"--config", "x%y"}}
	t.Cleanup(func() { a.Uninstall() }) // from the registry of whoever runs this, if it failed
	for range 2 {
		if err := a.Uninstall(); err != nil || a.Installed() {
			t.Fatalf("taken away: %v, there %v", err, a.Installed())
		}
	}
	for range 2 {
		if err := a.Install(); err != nil || !a.Installed() {
			t.Fatalf("made: %v, there %v", err, a.Installed())
		}
	}
	if err := a.Uninstall(); err != nil || a.Installed() {
		t.Fatalf("taken away: %v, there %v", err, a.Installed())
	}
	a.Program = "wiki-tray"
	if a.Install() == nil {
		t.Error("a program is started that nobody finds")
	}
}

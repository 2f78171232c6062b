package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A tray that is not there is refused before anything is written.
func TestTrayNeedsItsProgram(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	cmd := (&app{}).setupCommand()
	wanted := setupFlags{tray: true}
	if err := wanted.check(cmd); err == nil {
		t.Errorf("it is taken to be %q", trayProgram())
	}
	if err := (setupFlags{trayAsked: true}).check(cmd); err != nil {
		t.Errorf("it cannot be taken away: %v", err)
	}
	file := filepath.Join(dir, "wiki-tray")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := wanted.check(cmd); err != nil || trayProgram() != file {
		t.Errorf("found %q, %v", trayProgram(), err)
	}
}

package agent

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// What is found is what a run would start: by the role's own PATH, and never a
// file of the vault.
func TestFind(t *testing.T) {
	name := "some-agent"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir, vault := t.TempDir(), t.TempDir()
	for _, folder := range []string{dir, vault} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Program{Path: "some-agent", Dir: vault, Env: map[string]string{"PATH": vault + string(os.PathListSeparator) + dir}}.Find()
	if err != nil || got != filepath.Join(dir, name) {
		t.Errorf("found %q, %v", got, err)
	}
	got, err = Program{Path: "some-agent", Dir: vault, Env: map[string]string{"PATH": t.TempDir()}}.Find()
	if missing, ok := errors.AsType[*NotFound](err); !ok || missing.Program != "some-agent" || got != "" {
		t.Errorf("nowhere: %q, %v", got, err)
	}
	if got, err := (Program{Path: "some-agent", Dir: vault, Env: map[string]string{"PATH": vault}}).Find(); err == nil {
		t.Errorf("in the vault: %q", got)
	}
}

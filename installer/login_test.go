package installer

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestHandedOn(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"PATH", "/usr/bin", true},
		{"PATH", "", false},
		{"XDG_STATE_HOME", filepath.Join(t.TempDir(), "x"), true},
		{"XDG_STATE_HOME", "relative", false},
		{"WIKI_HTTPPORT", "1234", true},
		{"OPENAI_API_KEY", "secret", false},
		{"DISPLAY", ":0", false},
	} {
		if got := isHandedOn(c.name, c.value); got != c.want {
			t.Errorf("%s=%s: %v", c.name, c.value, got)
		}
	}
}

// An engine that has failed is not waited for; one of which nothing is heard may be on
// a machine that needs seconds to begin a program.
func TestOverdue(t *testing.T) {
	for _, c := range []struct {
		kept, failed bool
		no, yes      time.Duration
	}{
		{kept: false, failed: true, no: time.Second, yes: 3 * time.Second},
		{kept: true, failed: true, no: 15 * time.Second, yes: 25 * time.Second}, // it is started again
		{kept: false, failed: false, no: 15 * time.Second, yes: 25 * time.Second},
		{kept: true, failed: false, no: 45 * time.Second, yes: 90 * time.Second},
	} {
		if isOverdue(c.no, c.kept, c.failed) || !isOverdue(c.yes, c.kept, c.failed) {
			t.Errorf("kept %v, failed %v: not waited for %v, or for %v", c.kept, c.failed, c.no, c.yes)
		}
	}
}

func TestTemporary(t *testing.T) {
	for program, want := range map[string]bool{
		"/tmp/go-build2913/b001/exe/wiki":           true,
		`C:\Temp\go-build77\b001\exe\wiki.exe`:      true,
		"/home/a/go/bin/wiki":                       false,
		"/home/a/go-build/wiki":                     false,
		"/tmp/go-build2913/b123/wiki.test":          false,
		"/opt/vault-dispatcher/bin/exe/wiki":        false,
		`C:\Program Files\VaultDispatcher\wiki.exe`: false,
	} {
		if temporary.MatchString(program) != want {
			t.Errorf("%s is temporary: %v", program, !want)
		}
	}
}

// A tray whose program is not there is refused before anything is written.
func TestTrayNeedsItsProgram(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	yes, no := true, false
	if err := (Plan{Choice: Choice{Tray: &yes}}).checkLogin(); err == nil {
		t.Errorf("it is taken to be %q", TrayProgram())
	}
	if err := (Plan{Choice: Choice{Tray: &no}}).checkLogin(); err != nil {
		t.Errorf("it cannot be taken away: %v", err)
	}
	file := filepath.Join(dir, "wiki-tray")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (Plan{Choice: Choice{Tray: &yes}}).checkLogin(); err != nil || TrayProgram() != file {
		t.Errorf("found %q, %v", TrayProgram(), err)
	}
}

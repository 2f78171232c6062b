package roles

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
)

// A list shows within a second that a program is there now, and at once that a definition is broken.
func TestListIsNotOld(t *testing.T) {
	dir := t.TempDir()
	program, definition := filepath.Join(dir, "answers"), filepath.Join(dir, "agents", "Own.md")
	if err := os.Mkdir(filepath.Dir(definition), 0o700); err != nil {
		t.Fatal(err)
	}
	cfg := config.Config{File: filepath.Join(dir, "config.yaml"), Agents: map[string]config.Agent{"Own": {Runner: "command", Command: []string{program}}}}
	r, err := New(cfg, fstest.MapFS{}, Own{})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		show := func(what string, want bool) {
			t.Helper()
			if list := r.List(); len(list) != 1 || list[0].Usable != want {
				t.Errorf("%s: %+v", what, list)
			}
		}
		show("without the program", false)
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		show("with the program", true)
		if err := os.WriteFile(definition, []byte("---\nname: [\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		show("with a broken definition", false)
	})
}

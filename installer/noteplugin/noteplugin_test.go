package noteplugin

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
)

// vaults makes folders, those of names with a star vaults of Obsidian, and a state folder.
func vaults(t *testing.T, names ...string) (all []config.Vault) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, name := range names {
		path := filepath.Join(t.TempDir(), strings.Trim(name, "*"))
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "*") {
			write(t, filepath.Join(path, ".obsidian", "app.json"), "{}")
		}
		all = append(all, config.Vault{Path: path})
	}
	return all
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// names are the files below a folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(folder, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

const whole = ".obsidian/app.json .obsidian/plugins/vault-dispatcher/main.js .obsidian/plugins/vault-dispatcher/manifest.json .obsidian/plugins/vault-dispatcher/styles.css"

func TestPutAndRemove(t *testing.T) {
	all := vaults(t, "Notes*", "Plain")
	if done := PutAll(all, false); len(done) != 0 {
		t.Errorf("unasked: %+v", done)
	}
	done := PutAll(all, true)
	if len(done) != 1 || !done[0].Changed || done[0].Problem != "" || names(t, all[0].Path) != whole || names(t, all[1].Path) != "" {
		t.Fatalf("%+v: %s", done, names(t, all[0].Path))
	}
	if done := PutAll(all, false); len(done) != 1 || done[0].Changed || done[0].Problem != "" {
		t.Errorf("again: %+v", done)
	}
	gone := RemoveAll(nil) // it is written down where it is
	if len(gone) != 1 || !gone[0].Changed || len(gone[0].Foreign) != 0 || gone[0].Problem != "" || names(t, all[0].Path) != ".obsidian/app.json" {
		t.Errorf("%+v: %s", gone, names(t, all[0].Path))
	}
	if _, err := os.Stat(done[0].Folder); !os.IsNotExist(err) {
		t.Errorf("its folder: %v", err)
	}
	if again := RemoveAll(all); len(again) != 0 {
		t.Errorf("removed again: %+v", again)
	}
}

// An earlier version of ours is replaced and removed; what somebody has changed is neither.
func TestOnlyOurs(t *testing.T) {
	all := vaults(t, "Notes*")
	done := PutAll(all, true)
	script := filepath.Join(done[0].Folder, "main.js")
	write(t, script, "an earlier version")
	state, err := place.StateDir()
	if err != nil {
		t.Fatal(err)
	}
	known := readSums(state)
	known[all[0].Path]["main.js"] = sumOf([]byte("an earlier version"))
	if err := writeSums(state, known); err != nil {
		t.Fatal(err)
	}
	if done := PutAll(all, false); !done[0].Changed || names(t, all[0].Path) != whole {
		t.Errorf("an earlier version: %+v", done)
	}
	if text, err := os.ReadFile(script); err != nil || !bytes.Equal(text, pluginFiles()["main.js"]) {
		t.Errorf("it is not replaced: %v", err)
	}

	write(t, script, "mine")
	write(t, filepath.Join(done[0].Folder, "data.json"), "{}")
	if done := PutAll(all, true); done[0].Changed || !strings.Contains(done[0].Problem, "main.js is not ours") {
		t.Errorf("somebody's own: %+v", done)
	}
	gone := RemoveAll(all)
	if len(gone) != 1 || len(gone[0].Foreign) != 2 || names(t, done[0].Folder) != "data.json main.js" {
		t.Errorf("%+v", gone)
	}
	if text, err := os.ReadFile(script); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

// What leads out of the vault is left alone, and a vault that is gone is no problem.
func TestLinksAndAbsence(t *testing.T) {
	all := vaults(t, "Notes*", "Gone*")
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(all[0].Path, ".obsidian", "plugins")); err != nil {
		t.Fatal(err)
	}
	done := PutAll(all, true)
	if len(done) != 2 || done[0].Problem == "" || done[1].Problem != "" || names(t, outside) != "" {
		t.Errorf("%+v: %s", done, names(t, outside))
	}
	if err := os.RemoveAll(all[1].Path); err != nil {
		t.Fatal(err)
	}
	if gone := RemoveAll(all); len(gone) != 1 || gone[0].Vault != all[1].Path || !gone[0].Absent || gone[0].Changed || gone[0].Problem != "" {
		t.Errorf("%+v", gone)
	}
	if err := os.Mkdir(all[1].Path, 0o755); err != nil { // as the place of a drive that is away
		t.Fatal(err)
	}
	if gone := RemoveAll(nil); len(gone) != 1 || !gone[0].Absent {
		t.Errorf("%+v", gone)
	}
}

// What cannot be written down is put nowhere: nobody would know it for ours later.
func TestUnrecorded(t *testing.T) {
	all := vaults(t, "Notes*")
	state, err := place.StateDir()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(state, Record, "x"), "a folder is in the place of the file")
	if done := PutAll(all, true); len(done) != 1 || done[0].Changed || done[0].Problem == "" || names(t, all[0].Path) != ".obsidian/app.json" {
		t.Errorf("%+v: %s", done, names(t, all[0].Path))
	}
}

// Every version that was put somewhere stays known: a sync program or a copy may bring it back.
func TestEarlierVersions(t *testing.T) {
	all := vaults(t, "Notes*")
	script := filepath.Join(PutAll(all, true)[0].Folder, "main.js")
	state, err := place.StateDir()
	if err != nil {
		t.Fatal(err)
	}
	known := readSums(state)
	known[all[0].Path]["main.js"] = sumOf([]byte("2")) + " " + sumOf([]byte("1")) // an earlier format had one
	if err := writeSums(state, known); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"1", "2"} {
		write(t, script, text)
		if done := PutAll(all, false); len(done) != 1 || !done[0].Changed || done[0].Problem != "" {
			t.Errorf("%s: %+v", text, done)
		}
	}
	write(t, script, "1")
	if gone := RemoveAll(nil); !gone[0].Changed || names(t, all[0].Path) != ".obsidian/app.json" {
		t.Errorf("%+v: %s", gone, names(t, all[0].Path))
	}
}

func TestFilesAreWhole(t *testing.T) {
	var manifest struct{ ID, Name, Version, MinAppVersion, Description, Author string }
	if err := json.Unmarshal(pluginFiles()["manifest.json"], &manifest); err != nil || manifest.ID != filepath.Base(folder) || manifest.Version == "" || manifest.MinAppVersion == "" {
		t.Errorf("%+v, %v", manifest, err)
	}
	lines := 0
	for name, text := range pluginFiles() {
		if lines += bytes.Count(text, []byte("\n")); len(text) == 0 {
			t.Errorf("%s is empty", name)
		}
		for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", "saveData", "localStorage", "https:"} {
			if bytes.Contains(text, []byte(word)) {
				t.Errorf("%s has %s", name, word)
			}
		}
	}
	if lines >= 1000 { // with the changes that the editor shows and decides
		t.Errorf("%d lines", lines)
	}
}

package places

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"vaultdispatcher/engine/api/winpath"
)

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// registry is Obsidian's file with these vaults, the last one open.
func registry(t *testing.T, file string, paths ...string) {
	t.Helper()
	type entry struct {
		Path string `json:"path"`
		TS   int    `json:"ts"`
		Open bool   `json:"open,omitempty"`
	}
	list := map[string]entry{}
	for i, p := range paths {
		list[fmt.Sprint(i)] = entry{p, i, i == len(paths)-1}
	}
	text, err := json.Marshal(map[string]any{"vaults": list, "frame": "hidden"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, string(text))
}

func TestObsidian(t *testing.T) {
	home := t.TempDir()
	vaults := make(map[string]string)
	for _, name := range []string{"a", "b b", "c"} {
		vaults[name] = filepath.Join(home, "vaults", name)
		if err := os.MkdirAll(vaults[name], 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"APPDATA": filepath.Join(home, "roaming"), "XDG_CONFIG_HOME": filepath.Join(home, "xdg")}
	for _, test := range []struct{ name, system, file string }{
		{"XDG", "linux", "xdg/obsidian/obsidian.json"},
		{"flatpak", "linux", ".var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json"},
		{"snap", "linux", "snap/obsidian/current/.config/obsidian/obsidian.json"},
		{"macOS", "darwin", "Library/Application Support/obsidian/obsidian.json"},
		{"Windows", "windows", "roaming/obsidian/obsidian.json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := Machine{System: test.system, Home: home, Getenv: func(name string) string { return env[name] }}
			if found := Obsidian(m); len(found) > 0 {
				t.Fatalf("found before anything was there: %+v", found)
			}
			file := filepath.Join(home, filepath.FromSlash(test.file))
			registry(t, file, vaults["a"], filepath.Join(home, "gone"), vaults["c"], vaults["b b"])
			defer os.Remove(file)
			var got []string
			for _, v := range Obsidian(m) {
				got = append(got, fmt.Sprintf("%s %v", filepath.Base(v.Path), v.Active))
			}
			if want := []string{"b b true", "c false", "a false"}; !reflect.DeepEqual(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			put(t, file, "{broken")
			if found := Obsidian(m); len(found) > 0 {
				t.Errorf("found in a broken file: %+v", found)
			}
		})
	}
}

func TestObsidianOfWindowsSeenFromWSL(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths are those of Linux here")
		return
	}
	home := t.TempDir()
	drives := filepath.Join(home, "mnt")
	notes := filepath.Join(drives, "c", "Users", "me", "My Notes")
	for _, dir := range []string{notes, filepath.Join(home, "inside")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m := Machine{System: "linux", Home: home, Getenv: func(string) string { return "" }, Drives: drives, Distro: "Debian"}
	registry(t, filepath.Join(drives, "c/Users/me/AppData/Roaming/obsidian/obsidian.json"),
		`\\wsl$\Other\srv`, `C:\Users\me\Gone`, `\\wsl.localhost\debian`+strings.ReplaceAll(home, "/", `\`)+`\inside`, `C:\Users\me\My Notes`)
	found := Obsidian(m)
	if len(found) != 2 || found[0].Path != notes || found[1].Path != filepath.Join(home, "inside") {
		t.Errorf("%+v", found)
	}
}

// TestDrivesOfWSL: the folder of the drives is where they are mounted, not where they usually are.
func TestDrivesOfWSL(t *testing.T) {
	for _, c := range []struct {
		want    string
		mounted []winpath.Drive
	}{
		{"/mnt", nil},
		{"/mnt", []winpath.Drive{{Folder: "C:", Point: "/mnt/c"}}},
		{"/windows", []winpath.Drive{{Folder: "D:/Notes", Point: "/data"}, {Folder: "E:", Point: "/elsewhere"}, {Folder: "C:", Point: "/windows/c"}}},
		{"/", []winpath.Drive{{Folder: "C:", Point: "/c"}}},
	} {
		if got := drivesIn(c.mounted); got != c.want {
			t.Errorf("%v: %q, want %q", c.mounted, got, c.want)
		}
	}
	if runtime.GOOS == "windows" { // the paths below are those of Linux
		return
	}
	for _, root := range []string{"/", "/windows"} {
		m := Machine{System: "linux", Home: "/home/me", Drives: root}
		if got := m.localPath(`C:\Users\me\Notes`); got != filepath.Join(root, "c/Users/me/Notes") {
			t.Errorf("%s: %s", root, got)
		}
		if !m.isDrive(filepath.Join(root, "c")) || m.isDrive(filepath.Join(root, "c/Notes")) {
			t.Errorf("%s: a drive is not known", root)
		}
	}
}

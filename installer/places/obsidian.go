package places

import (
	"cmp"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"vaultdispatcher/engine/api/winpath"
	"vaultdispatcher/engine/patience"
)

// Machine is where other programs keep things.
type Machine struct {
	System string // as runtime.GOOS
	Home   string
	Getenv func(string) string
	Drives string // where a Linux inside Windows sees the drives, such as /mnt; empty elsewhere
	Distro string // its name there
}

// ThisMachine is the one that this program runs on.
func ThisMachine() Machine {
	home, _ := os.UserHomeDir() // without one nothing is found
	m := Machine{System: runtime.GOOS, Home: home, Getenv: os.Getenv}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease") // no such file, no such Linux
	if m.System == "linux" && strings.Contains(strings.ToLower(string(release)), "microsoft") {
		table, _ := os.ReadFile("/proc/self/mountinfo") // without it the drives are where they usually are
		m.Drives, m.Distro = drivesIn(winpath.ReadDrives(string(table), func(tag string) string {
			folder, _ := os.Readlink(filepath.Join("/run/wsl/virtiofs", filepath.Base(tag))) // no link, no drive
			return folder
		})), os.Getenv("WSL_DISTRO_NAME")
	}
	return m
}

// drivesIn is the folder in which the drives are, each by its letter: root of [automount] in /etc/wsl.conf.
// https://learn.microsoft.com/windows/wsl/wsl-config#automount-settings
func drivesIn(mounted []winpath.Drive) string {
	for _, d := range mounted {
		if len(d.Folder) == 2 && path.Base(d.Point) == strings.ToLower(d.Folder[:1]) {
			return path.Dir(d.Point)
		}
	}
	return "/mnt"
}

// Vault is a folder that another program knows as a vault.
type Vault struct {
	Path   string `json:"path"`
	Active bool   `json:"open"` // it is open there, or was last

	opened int64
}

// Obsidian returns the vaults that Obsidian knows and that are there, on disks that respond, the one it had
// open last first.
func Obsidian(m Machine) []Vault {
	var found []Vault
	for _, file := range m.obsidianFiles() {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // Obsidian was not installed in this way
		}
		var registry struct {
			Vaults map[string]struct {
				Path string
				TS   int64
				Open bool
			}
		}
		if json.Unmarshal(text, &registry) != nil {
			continue
		}
		var paths []string
		for _, v := range registry.Vaults {
			paths = append(paths, m.localPath(v.Path))
		}
		isFolder := make(map[string]bool, len(paths))
		for _, e := range patience.Look(paths...) {
			isFolder[e.Named] = e.Info != nil && e.Info.IsDir()
		}
		for _, v := range registry.Vaults {
			path := m.localPath(v.Path)
			known := slices.ContainsFunc(found, func(f Vault) bool { return f.Path == path })
			if isFolder[path] && filepath.IsAbs(path) && !known {
				found = append(found, Vault{Path: path, Active: v.Open, opened: v.TS})
			}
		}
	}
	slices.SortFunc(found, func(a, b Vault) int {
		if a.Active != b.Active {
			if a.Active {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.opened, a.opened), strings.Compare(a.Path, b.Path))
	})
	return found
}

// obsidianFiles are the files in which Obsidian keeps the list of its vaults, by the
// ways it can be installed.
func (m Machine) obsidianFiles() []string {
	const file = "obsidian/obsidian.json"
	at := func(base string, parts ...string) string {
		return filepath.Join(append([]string{base}, parts...)...)
	}
	switch m.System {
	case "windows":
		return []string{at(m.Getenv("APPDATA"), file)}
	case "darwin":
		return []string{at(m.Home, "Library/Application Support", file)}
	}
	config := m.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = at(m.Home, ".config")
	}
	list := []string{at(config, file),
		at(m.Home, ".var/app/md.obsidian.Obsidian/config", file),
		at(m.Home, "snap/obsidian/current/.config", file)}
	if m.Drives != "" { // Windows' own Obsidian, seen from WSL
		users, _ := filepath.Glob(at(m.Drives, "c/Users/*/AppData/Roaming", file)) // the pattern is well formed
		list = append(list, users...)
	}
	return list
}

// localPath is a path of Windows as this machine writes it.
func (m Machine) localPath(path string) string {
	if m.Drives == "" {
		return filepath.Clean(path)
	}
	slashed := strings.ReplaceAll(path, `\`, "/")
	if len(slashed) > 2 && slashed[1] == ':' && slashed[2] == '/' {
		return filepath.Join(m.Drives, strings.ToLower(slashed[:1]), slashed[3:])
	}
	for _, share := range []string{"//wsl$/", "//wsl.localhost/"} {
		if rest, ok := strings.CutPrefix(slashed, share); ok {
			distro, inside, _ := strings.Cut(rest, "/")
			if strings.EqualFold(distro, m.Distro) {
				return "/" + inside
			}
		}
	}
	return path
}

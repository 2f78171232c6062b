package notepath

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/winpath"
)

// LocateHere is [Locate] by the rules of this machine. Inside WSL the absolute paths of
// Windows programs name places too.
func LocateHere(file string, roots []api.Root) ([]Place, error) {
	if OnWindows || !winpath.IsWindows(file) {
		return Locate(file, roots, OnWindows)
	}
	return locateFromWindows(file, roots, readHost())
}

// locateFromWindows is Locate for an absolute path as Windows writes it, read on Linux.
// Neither the drives nor this distribution's own share are touched by it.
func locateFromWindows(file string, roots []api.Root, host winpath.Host) ([]Place, error) {
	if err := wellFormed(file); err != nil {
		return nil, err
	}
	for _, local := range host.Local(file) {
		if err := windowsNames(local.Inside); err != nil {
			return nil, err
		}
		var places []Place
		for _, root := range roots {
			if rel, ok := pathBelow(local.Path, root, false, local.AnyCase); ok {
				places = append(places, Place{Root: root, Rel: rel, anyCase: local.AnyCase})
			}
		}
		switch {
		case len(places) == 0:
		case isFolder(strings.ReplaceAll(file, `\`, "/")):
			return nil, ErrNotNote()
		default:
			return []Place{innermostPlace(places)}, nil
		}
	}
	return nil, errOutside()
}

// inWSL reports whether Windows runs this Linux.
var inWSL = sync.OnceValue(func() bool {
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease") // no such file, no such Linux
	return strings.Contains(strings.ToLower(string(release)), "microsoft")
})

// readHost says how this Linux and Windows see each other's files now.
func readHost() winpath.Host {
	if !inWSL() {
		return winpath.Host{}
	}
	table, _ := os.ReadFile("/proc/self/mountinfo") // without it there are no drives
	return winpath.Host{Distro: os.Getenv("WSL_DISTRO_NAME"), Drives: winpath.ReadDrives(string(table), readTag)}
}

// readTag returns the folder of a virtiofs of WSL's.
func readTag(tag string) string {
	folder, _ := os.Readlink(filepath.Join("/run/wsl/virtiofs", filepath.Base(tag))) // no link, no drive
	return folder
}

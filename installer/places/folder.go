// Package places knows where things are on this machine: the vaults that Obsidian has,
// the folders that are perhaps not the folder of notes that was meant, and how a note app
// calls this program.
//
//	vaults := places.Obsidian(places.ThisMachine())
//	doubt := machine.Doubt(ctx, path, own, vaults) // what speaks against a folder
//
// It changes nothing. A look at a folder ends after a few seconds, however large it is.
package places

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/patience"
)

// Risk is why a folder is perhaps not the folder of notes that was meant.
type Risk string

// Folders that are never a vault, and folders a person should be asked about.
const (
	System Risk = "system" // part of the operating system
	Ours   Risk = "ours"   // the engine's own state, configuration or cache
	Nested Risk = "nested" // inside another vault, or around one; Detail says which
	Around Risk = "around" // around the engine's own folders, and those of other programs
	Home   Risk = "home"   // everything a person has, or more
	Drive  Risk = "drive"  // a whole drive
	Huge   Risk = "huge"   // more than [MostFiles] files
	Silent Risk = "silent" // its disk does not respond, so it cannot be judged
)

// MostFiles is how many files a folder of notes may hold before it is asked about.
const MostFiles = 100_000

// countTime is how long files are counted. What takes longer is not called huge.
const countTime = 5 * time.Second

// inspectTime is how long the disks of the other vaults may take to say which
// folders they are.
const inspectTime = 2 * time.Second

// Doubt is a risk of one folder. The zero Doubt means no risk.
type Doubt struct {
	Risk   Risk
	Detail string
}

// Never reports whether the folder can be no vault now, whatever a person says.
func (d Doubt) Never() bool {
	return d.Risk == System || d.Risk == Ours || d.Risk == Nested || d.Risk == Silent
}

// Doubt judges a folder that shall become a vault beside others, by its path and by the target of its links. own are
// the engine's folders. It does not wait for a disk that does not respond.
func (m Machine) Doubt(ctx context.Context, path string, own, vaults []string) Doubt {
	paths := append(slices.Clone(vaults), path)
	_, err := config.NewVaults(paths...)
	if problems, ok := errors.AsType[config.Problems](err); ok {
		for _, p := range problems {
			if p.Path == len(paths) { // faults of other vaults are reported for those
				return Doubt{Nested, p.Text}
			}
		}
	}
	inspecting, cancel := context.WithTimeout(ctx, patience.Of(inspectTime))
	defer cancel()
	sites := site.InspectAll(inspecting, paths, patience.AwaitAt[site.Site])
	for _, other := range sites[:len(vaults)] {
		if err := config.CheckDisjoint(sites[len(vaults)], other); err != nil {
			return Doubt{Nested, err.Error()}
		}
	}
	looking, end := context.WithTimeout(ctx, patience.Of(inspectTime)+countTime)
	defer end()
	found, responds := patience.AwaitAt(looking, path, func() Doubt { return m.doubtDisk(looking, path, own) })
	if !responds {
		return Doubt{Risk: Silent}
	}
	return found
}

// doubtDisk judges by what a path leads to, and by how much is there.
func (m Machine) doubtDisk(ctx context.Context, path string, own []string) Doubt {
	names := []string{path}
	if real := files.FollowLinks(path); real != path {
		names = append(names, real)
	}
	for _, name := range names {
		if risk := m.pathRisk(name, own); risk != "" {
			return Doubt{Risk: risk}
		}
	}
	for _, folder := range own { // a configuration that a person keeps among their notes is a file
		info, err := os.Stat(folder)
		if err == nil && info.IsDir() && strings.HasPrefix(m.normalPath(files.FollowLinks(folder)), m.normalPath(files.FollowLinks(path))+"/") {
			return Doubt{Risk: Around}
		}
	}
	if holdsTooMany(ctx, path, MostFiles) {
		return Doubt{Risk: Huge}
	}
	return Doubt{}
}

// pathRisk judges by the path alone.
func (m Machine) pathRisk(path string, own []string) Risk {
	same := func(other string) bool { return other != "" && m.normalPath(path) == m.normalPath(other) }
	in := func(folder string) bool {
		return same(folder) || folder != "" && strings.HasPrefix(m.normalPath(path), strings.TrimSuffix(m.normalPath(folder), "/")+"/")
	}
	whole, alone, open := m.systemFolders()
	inOpen := slices.ContainsFunc(open, func(folder string) bool { return in(folder) && !same(folder) })
	switch {
	case slices.ContainsFunc(own, in), slices.ContainsFunc(own, func(folder string) bool { return in(files.FollowLinks(folder)) }):
		return Ours
	case m.Home != "/" && (same(m.Home) || same(files.FollowLinks(m.Home))):
		return Home
	case slices.ContainsFunc(alone, same), !inOpen && slices.ContainsFunc(whole, in):
		return System
	case m.isDrive(path):
		return Drive
	case strings.HasPrefix(m.normalPath(m.Home), m.normalPath(path)+"/"):
		return Home
	}
	return ""
}

// normalPath is a path as it is compared: with slashes, none at the end, and in lower case
// where the system does not tell cases apart.
func (m Machine) normalPath(path string) string {
	if m.System == "windows" {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	if m.System == "windows" || m.System == "darwin" {
		path = strings.ToLower(path)
	}
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" {
		return trimmed
	}
	return path
}

// systemFolders returns the folders that belong to the operating system with their contents,
// those that do without their contents, and the exceptions inside the first.
func (m Machine) systemFolders() (whole, alone, open []string) {
	switch m.System {
	case "windows":
		for _, name := range []string{"SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramData"} {
			whole = append(whole, m.Getenv(name))
		}
		return append(whole, `C:\Windows`, `C:\$Recycle.Bin`, `C:\System Volume Information`),
			[]string{`C:\Users`, m.Home + `\AppData`, m.Getenv("APPDATA"), m.Getenv("LOCALAPPDATA")}, nil
	case "darwin":
		return []string{"/System", "/Library", "/Applications", "/bin", "/sbin", "/usr", "/etc", "/private/etc", "/dev", "/cores"},
			[]string{"/", "/Users", "/Volumes", "/private", "/private/var", "/private/tmp", "/var", "/tmp", "/opt"},
			[]string{"/usr/local"}
	}
	return []string{"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/sys", "/usr"},
		[]string{"/", "/home", "/media", "/mnt", "/opt", "/root", "/run", "/run/media", "/srv", "/tmp", "/var", "/var/lib", "/var/log", "/var/tmp"},
		[]string{"/usr/local", "/usr/home", "/dev/shm"}
}

// isDrive reports whether a path is all of a drive, as Windows names them.
func (m Machine) isDrive(path string) bool {
	plain := m.normalPath(path)
	if m.Drives != "" {
		letter, ok := strings.CutPrefix(plain, strings.TrimSuffix(m.Drives, "/")+"/")
		return ok && len(letter) == 1
	}
	return m.System == "windows" && len(plain) == 2 && plain[1] == ':'
}

// errCrowded ends the count.
var errCrowded = errors.New("too many files")

// holdsTooMany reports whether there are more files than most to be looked at.
func holdsTooMany(ctx context.Context, path string, most int) bool {
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	n, top := 0, files.FollowLinks(path)
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil // an unreadable folder is not watched
		case d.IsDir() && name != top && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		if !d.IsDir() {
			n++
		}
		if n > most {
			return errCrowded
		}
		return nil
	})
	return errors.Is(err, errCrowded)
}

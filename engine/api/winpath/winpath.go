// Package winpath says what the paths of Windows programs mean to an engine inside WSL.
//
// [ReadDrives] finds in the table of mounts where the drives of Windows are, and [Host.Local] turns a path. Both are
// pure functions of texts. They do not decide whether the path is in a vault, and do not change a path that names
// nothing here.
package winpath

import (
	"path"
	"slices"
	"strings"
)

// Host is how a Linux inside Windows and Windows see the files of one another.
type Host struct {
	Distro string // the name of this distribution; empty = not known
	Drives []Drive
}

// Drive is a folder of Windows that is mounted here.
type Drive struct {
	Folder string // with slashes, without one at its end: C: or D:/Notes
	Point  string // where it is mounted
}

// Local is what a path means here.
type Local struct {
	Path    string // absolute and clean
	Inside  string // the part of it that Windows has named
	AnyCase bool   // it is on a drive of Windows, which tells no cases apart
}

// ReadDrives finds the drives in the text of /proc/self/mountinfo: of the type drvfs in
// WSL 1, in WSL 2 a 9p whose options name the folder, or a virtiofs whose tag does. The
// folder of a tag is what its link in /run/wsl/virtiofs says.
// https://github.com/microsoft/WSL/blob/0646cd1/src/linux/init/drvfs.cpp
func ReadDrives(mountinfo string, folderOfTag func(tag string) string) []Drive {
	var drives []Drive
	for line := range strings.Lines(mountinfo) {
		before, after, _ := strings.Cut(line, " - ")
		mount, system := strings.Fields(before), strings.Fields(after)
		if len(mount) < 5 || len(system) < 3 || mount[3] != "/" {
			continue
		}
		folder := ""
		switch source := unescape.Replace(system[1]); system[0] {
		case "drvfs":
			folder = source
		case "9p":
			folder = nameOfShare(unescape.Replace(system[2]))
		case "virtiofs":
			folder = folderOfTag(source)
		}
		folder = strings.TrimRight(strings.ReplaceAll(folder, `\`, "/"), "/")
		if hasDrive(folder) && !climbsOut(folder) {
			drives = append(drives, Drive{Folder: folder, Point: path.Clean(unescape.Replace(mount[4]))})
		}
	}
	return drives
}

// unescape reads the characters that mountinfo cannot write as they are.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`, `\054`, ",")

// nameOfShare returns the folder in the options of a 9p: aname=drvfs;path=C:\;uid=1000.
func nameOfShare(options string) string {
	_, share, found := strings.Cut(options, "aname=drvfs;")
	if !found {
		return ""
	}
	_, folder, _ := strings.Cut(";"+share, ";path=")
	return folder[:strings.IndexAny(folder+";", ";,")]
}

// Local returns the places that an absolute path of Windows names here, those of the
// longest mounted folder first: a drive's, or that of this distribution itself under
// \\wsl.localhost and \\wsl$. Other distributions, servers and devices have none, nor has
// a path that leaves its drive.
func (h Host) Local(file string) []Local {
	slashed := strings.ReplaceAll(file, `\`, "/")
	if inside, ok := h.cutDistro(slashed); ok {
		if climbsOut(inside) {
			return nil
		}
		return []Local{{Path: path.Clean("/" + inside), Inside: inside}}
	}
	if !hasDrive(slashed) || climbsOut(slashed[2:]) {
		return nil
	}
	var found []Local
	for _, d := range h.Drives {
		if inside, ok := cutFolder(slashed, d.Folder); ok {
			found = append(found, Local{Path: path.Clean(d.Point + "/" + inside), Inside: inside, AnyCase: true})
		}
	}
	slices.SortStableFunc(found, func(a, b Local) int { return len(a.Inside) - len(b.Inside) })
	return found
}

// IsWindows reports whether a path is written as Windows writes absolute ones. On Linux no
// client means a file of its own by it.
func IsWindows(file string) bool {
	slashed := strings.ReplaceAll(file, `\`, "/")
	return hasDrive(slashed) || strings.HasPrefix(slashed, "//")
}

// cutDistro returns what is behind //wsl.localhost/<this distribution>.
func (h Host) cutDistro(slashed string) (inside string, ok bool) {
	server, rest, _ := strings.Cut(strings.TrimPrefix(slashed, "//"), "/")
	distro, inside, ok := strings.Cut(rest, "/")
	ok = ok && strings.HasPrefix(slashed, "//") && h.Distro != "" && strings.EqualFold(distro, h.Distro) &&
		(strings.EqualFold(server, "wsl.localhost") || strings.EqualFold(server, "wsl$"))
	return inside, ok
}

// cutFolder returns what of a clean path is behind a folder, in any case of its letters.
func cutFolder(slashed, folder string) (inside string, ok bool) {
	names := strings.Split(path.Clean(slashed), "/")
	base := strings.Split(folder, "/")
	if len(names) < len(base) || !slices.EqualFunc(base, names[:len(base)], strings.EqualFold) {
		return "", false
	}
	return strings.Join(names[len(base):], "/"), true
}

// hasDrive reports whether a path begins at the top of a drive.
func hasDrive(slashed string) bool {
	return len(slashed) >= 2 && slashed[1] == ':' && (slashed[0]|0x20) >= 'a' && (slashed[0]|0x20) <= 'z' &&
		(len(slashed) == 2 || slashed[2] == '/')
}

// climbsOut reports whether a path leaves its start by "..", at any of its names.
func climbsOut(slashed string) bool {
	depth := 0
	for name := range strings.SplitSeq(slashed, "/") {
		switch name {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return true
			}
		default:
			depth++
		}
	}
	return false
}

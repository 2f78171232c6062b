// Package notepath finds the note that a path from outside names.
//
// [LocateHere] judges the path by its text alone, by the rules of this machine, and [Resolve]
// then looks at a place it has returned. Both refuse with an [api.StatusError] or [api.ErrOffline].
//
// # Promises
//
// Nothing outside the vaults is ever touched: what may lead anywhere else ends in LocateHere,
// and Resolve looks through an [os.Root] of a vault only, link by link. A disk that does
// not respond holds no caller for longer than a second.
package notepath

import (
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/api"

	"golang.org/x/text/unicode/norm"
)

const (
	maxPath = 4096     // bytes of a path; Linux's own limit
	maxNote = 10 << 20 // bytes of a note
)

// OnWindows chooses the rules of Windows for paths. The rules are pure
// functions of it, so every platform tests both.
const OnWindows = runtime.GOOS == "windows"

// Place is a path inside a vault.
type Place struct {
	Root api.Root
	Rel  string // with slashes, clean; empty for the vault's own folder

	anyCase bool // it was named by a program that tells no cases apart
}

// Locate decides without touching the file system which places a path names:
// one for an absolute path, one per vault for a relative one. What may lead
// anywhere else (another server, a device, a parent folder) ends here, so that
// no such path is ever handed to the system.
func Locate(file string, roots []api.Root, windows bool) ([]Place, error) {
	if err := wellFormed(file); err != nil {
		return nil, err
	}
	if leadsOut(file, windows) {
		return nil, errOutside()
	}
	if windows {
		file = strings.ReplaceAll(file, `\`, "/")
		if err := windowsNames(file); err != nil {
			return nil, err
		}
	}
	var places []Place
	for _, root := range roots {
		if rel, ok := pathInside(file, root, windows); ok && !climbsOut(rel) {
			places = append(places, Place{Root: root, Rel: rel})
		}
	}
	if len(places) == 0 {
		return nil, errOutside()
	}
	if isFolder(file) {
		return nil, ErrNotNote()
	}
	if isAbsolute(file, windows) {
		return []Place{innermostPlace(places)}, nil
	}
	return places, nil
}

// isFolder reports whether a path with slashes is one of a folder, by its form.
func isFolder(file string) bool { return strings.HasSuffix(file, "/") || strings.HasSuffix(file, "/.") }

// wellFormed refuses what cannot be the path of a note on any system.
func wellFormed(file string) error {
	switch {
	case file == "":
		return errBadPath("is empty")
	case len(file) > maxPath:
		return errBadPath("is longer than 4096 bytes")
	case !utf8.ValidString(file):
		return errBadPath("is not UTF-8")
	case strings.ContainsFunc(file, unicode.IsControl):
		return errBadPath("holds control characters")
	}
	return nil
}

// leadsOut reports paths that lead out of every folder by their form alone: UNC and device paths (two separators in
// front, of either kind, and `\??\`), a drive on a system without drives, a rooted path without its drive, and any
// way up.
func leadsOut(file string, windows bool) bool {
	separator := func(i int) bool { return i < len(file) && (file[i] == '/' || file[i] == '\\') }
	switch {
	case separator(0) && separator(1), strings.HasPrefix(file, `\??\`):
		return true
	case windows && separator(0):
		return true
	case hasDrive(file) && !(windows && separator(2)):
		return true
	}
	return climbsOut(file)
}

// climbsOut reports whether the path leaves its start by "..", where a backslash
// counts as a separator too. A ".." that only undoes an earlier name is fine.
func climbsOut(file string) bool {
	depth := 0
	for segment := range strings.FieldsFuncSeq(file, func(r rune) bool { return r == '/' || r == '\\' }) {
		switch segment {
		case ".":
		case "..":
			depth--
		default:
			depth++
		}
		if depth < 0 {
			return true
		}
	}
	return false
}

func hasDrive(file string) bool {
	return len(file) >= 2 && file[1] == ':' && (file[0]|0x20) >= 'a' && (file[0]|0x20) <= 'z'
}

func isAbsolute(file string, windows bool) bool {
	return !windows && file[0] == '/' || windows && hasDrive(file)
}

// windowsNames refuses the names Windows gives a second meaning: streams behind
// a colon, a dot or space that is silently dropped at the end, and devices.
func windowsNames(file string) error {
	if hasDrive(file) {
		file = file[2:]
	}
	for segment := range strings.SplitSeq(file, "/") {
		switch {
		case segment == "." || segment == ".." || segment == "":
		case strings.ContainsAny(segment, `:*?"<>|`), strings.HasSuffix(segment, "."), strings.HasSuffix(segment, " "):
			return ErrNotNote()
		case isDevice(segment):
			return errOutside()
		}
	}
	return nil
}

// isDevice reports whether Windows opens a device by this name, extension or not.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(base, "COM")
	if !ok {
		port, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && slices.Contains([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"}, port)
}

// pathInside returns the path in the vault, and false for a path outside of it.
func pathInside(file string, root api.Root, windows bool) (string, bool) {
	if !isAbsolute(file, windows) {
		return cleanRelative(file), true
	}
	return pathBelow(file, root, windows, windows)
}

// pathBelow is pathInside for an absolute path. Both spellings of the vault's folder
// count, in any normal form of their letters.
func pathBelow(file string, root api.Root, windows, anyCase bool) (string, bool) {
	names := splitPath(path.Clean(file))
	for _, spelling := range append([]string{root.Path}, root.Aliases...) {
		if windows {
			spelling = strings.ReplaceAll(spelling, `\`, "/")
		}
		base := splitPath(path.Clean(spelling))
		if spelling != "" && len(names) >= len(base) && slices.EqualFunc(base, names[:len(base)], sameName(anyCase)) {
			return strings.Join(names[len(base):], "/"), true
		}
	}
	return "", false
}

func cleanRelative(file string) string {
	if file = path.Clean(file); file == "." {
		return ""
	}
	return file
}

func splitPath(clean string) []string {
	return strings.FieldsFunc(clean, func(r rune) bool { return r == '/' })
}

func sameName(anyCase bool) func(a, b string) bool {
	return func(a, b string) bool {
		return a == b || foldName(a) == foldName(b) || anyCase && strings.EqualFold(foldName(a), foldName(b))
	}
}

// foldName maps the spellings of one name onto one: composed letters, and a plain
// space for the two hard ones. Note apps send a name changed in just this way.
func foldName(name string) string {
	return norm.NFC.String(hardSpaces.Replace(name))
}

var hardSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// innermostPlace chooses among vaults that contain each other.
func innermostPlace(places []Place) Place {
	return slices.MinFunc(places, func(a, b Place) int { return len(a.Rel) - len(b.Rel) })
}

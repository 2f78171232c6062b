package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// This file finds out whether another user may change a file that this program obeys: its configuration, which names
// programs to start, or such a program.
//
// Other programs check the same. ssh refuses a configuration that is neither its user's nor root's or that others may
// write (https://github.com/openssh/openssh-portable/blob/master/readconf.c), sshd looks at the folders above too
// (safe_path in https://github.com/openssh/openssh-portable/blob/master/misc.c), and Debian's ssh lets the group of
// one user write (https://sources.debian.org/patches/openssh/1:9.2p1-2/user-group-modes.patch/). sudo refuses files
// that everybody may write (https://github.com/sudo-project/sudo/blob/main/lib/util/secure_path.c). git asks whose a
// repository is, takes that of the user behind sudo for root's own
// (https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory), and knows disks that record no
// owner (https://github.com/git/git/blob/master/compat/mingw.c).

// Foreign says that others may change what is obeyed.
type Foreign struct {
	Path  string // the file, or a folder or link on the way to it
	Owner string // whose it is; empty = everybody may write it
	Mend  string // the command that mends it
}

// Error is one sentence with what to type.
func (f *Foreign) Error() string {
	if f.Owner != "" {
		return f.Path + " belongs to " + f.Owner + ": type " + f.Mend
	}
	return "everybody may write " + f.Path + ": type " + f.Mend
}

// CheckOwner returns a *[Foreign] if another user may change the file at path, or put another in its place: it, or a
// folder or link on the way to it, belongs to another user than this one or root, or everybody may write it. A folder
// like /tmp, in which everybody may make files and only their owners may replace them, passes. Groups are trusted:
// distributions give each user a group of its own and a umask of 002, and Homebrew's folders and Debian's /usr/local
// belong to a group of administrators.
//
// Nothing is refused on a file system that makes up owners and modes, as FAT, Windows drives in WSL, most shares and
// FUSE do, nor in a mount of a container, where the numbers are those of the machine outside. For a file that is
// absent or cannot be looked at, CheckOwner returns nil: its reader reports the error.
func CheckOwner(path string) error {
	l := ownerLook{user: currentUser(), mount: FindMount}
	return l.follow(path)
}

// maxLinks is after how many links a path is given up, as the systems do.
const maxLinks = 40

// ownerLook is one look at whose a file is.
type ownerLook struct {
	user
	mount func(path string) (Mount, error)
}

// follow looks at each part of a path, and of the links in it, in the order in which the system resolves them.
func (l ownerLook) follow(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	at, rest := splitRoot(path) // at has no link in it
	for links := 0; links < maxLinks; {
		info, err := os.Lstat(at)
		if err != nil {
			return nil
		}
		if f := l.judge(at, info); f != nil && l.keeps(at, f) {
			return f
		}
		if to, err := os.Readlink(at); err == nil {
			links++
			if rest = to + string(filepath.Separator) + rest; filepath.IsAbs(to) {
				at, rest = splitRoot(rest)
				continue
			}
			at = filepath.Dir(at)
		}
		var part string
		for part == "" || part == "." {
			if rest == "" {
				return nil
			}
			part, rest, _ = strings.Cut(filepath.FromSlash(rest), string(filepath.Separator))
		}
		at = filepath.Join(at, part) // the parent of a folder that is no link is above it
	}
	return nil
}

func splitRoot(path string) (root, rest string) {
	n := len(filepath.VolumeName(path))
	return path[:n] + string(filepath.Separator), path[n:]
}

// keeps reports whether the disk keeps what f tells, so that it says something about people.
func (l ownerLook) keeps(path string, f *Foreign) bool {
	m, err := l.mount(path)
	fromOutside := runtime.GOOS == "linux" && m.Path != "/" && m.FS != "tmpfs" && isContainer()
	if err != nil || !m.KeepsModes() || fromOutside {
		return false
	}
	return f.Owner == "" || Classify(m) == Trusted // the users of another machine have other numbers
}

// isContainer reports whether this process runs in a container for one program: Docker and Podman leave these files, and
// Kubernetes sets the variable.
func isContainer() bool {
	for _, file := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return os.Getenv("KUBERNETES_SERVICE_HOST") != ""
}

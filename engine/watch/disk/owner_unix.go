//go:build unix

package disk

import (
	"io/fs"
	"os"
	osuser "os/user"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// user is who this process runs for.
type user struct {
	owners  []uint32 // the users whose files are obeyed
	uid     int
	unknown bool // the system shows all users outside of a namespace as nobody
}

// nobody is the user number that Linux shows for a user that a namespace does not know, and for root's files on a
// server: https://man7.org/linux/man-pages/man7/user_namespaces.7.html ("Unmapped user and group IDs").
const nobody = 65534

func currentUser() user {
	u := user{owners: []uint32{0, uint32(os.Geteuid())}, uid: os.Geteuid()}
	if behind, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32); err == nil && u.uid == 0 {
		u.owners = append(u.owners, uint32(behind))
	}
	u.unknown = isInNamespace()
	return u
}

// isInNamespace reports whether the system shows this process some users only. It stays so for as long as the process runs.
var isInNamespace = sync.OnceValue(func() bool {
	table, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && strings.Join(strings.Fields(string(table)), " ") != "0 0 4294967295"
})

// judge returns what lets others change a path: its owner, or its mode.
func (u user) judge(path string, info fs.FileInfo) *Foreign {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if !u.isOwn(st.Uid) {
		return &Foreign{Path: path, Owner: nameUser(st.Uid), Mend: u.asRoot("chown -h " + nameUser(uint32(u.uid)) + " " + quote(path))}
	}
	mode := info.Mode()
	isShared := mode.IsDir() && mode&fs.ModeSticky != 0
	if mode.Perm()&0o002 == 0 || mode&fs.ModeSymlink != 0 || isShared {
		return nil
	}
	mend := "chmod o-w " + quote(path)
	if st.Uid != uint32(u.uid) {
		mend = u.asRoot(mend)
	}
	return &Foreign{Path: path, Mend: mend}
}

func (u user) isOwn(uid uint32) bool {
	for _, own := range u.owners {
		if uid == own {
			return true
		}
	}
	return u.unknown && uid == nobody
}

// asRoot is a command that only root may use.
func (u user) asRoot(command string) string {
	if u.uid == 0 {
		return command
	}
	return "sudo " + command
}

func nameUser(uid uint32) string {
	number := strconv.FormatUint(uint64(uid), 10)
	if known, err := osuser.LookupId(number); err == nil {
		return known.Username
	}
	return number
}

// quote makes one word of a path for a shell.
func quote(path string) string {
	if !strings.ContainsAny(path, " \t\n'\"\\$`!&|;()<>*?[]{}#~") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

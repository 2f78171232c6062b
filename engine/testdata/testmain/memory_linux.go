package testmain

import "syscall"

// shared is the folder in memory that most Linux systems have.
const shared = "/dev/shm"

// hasRoom reports whether a folder lies in memory, has a gibibyte free and lets programs be started from it: in many
// containers it has 64 MiB and does not.
func hasRoom(folder string) bool {
	const tmpfs, noExec, gibibyte = 0x01021994, 0x8, 1 << 30
	var s syscall.Statfs_t
	err := syscall.Statfs(folder, &s)
	return err == nil && s.Type == tmpfs && s.Flags&noExec == 0 && s.Bavail*uint64(s.Bsize) >= gibibyte
}

//go:build !windows

package copies

import (
	"os"
	"syscall"
)

// identify says which file something is, and how many names that has.
func identify(info os.FileInfo) (id fileID, names uint64) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}, 1
	}
	return fileID{device: uint64(stat.Dev), number: uint64(stat.Ino)}, uint64(stat.Nlink)
}

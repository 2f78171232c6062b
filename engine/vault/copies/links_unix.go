//go:build !windows

package copies

import (
	"os"
	"syscall"
)

func countLinks(info os.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

//go:build !windows

package client

import (
	"io/fs"
	"os"
	"syscall"
)

// isExposed reports whether anyone but the file's owner, who must be us, may have
// to do with it.
func isExposed(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return info.Mode().Perm()&0o077 != 0 || ok && int(stat.Uid) != os.Geteuid()
}

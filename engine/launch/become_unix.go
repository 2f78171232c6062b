//go:build unix

package launch

import (
	"os"
	"syscall"
)

func replaceBy(program string, args []string) error {
	return syscall.Exec(program, append([]string{program}, args...), os.Environ())
}

//go:build !linux

package sandbox

import (
	"errors"
	"io/fs"
	"os"
)

var errNoLandlock = errors.New("this system has no Landlock")

func findSupport() error { return errNoLandlock }

const nonblocking = 0

func takeLock(string) (*os.File, error) { return nil, errNoLandlock }

func giveBack(*os.File) {}

func isMine(fs.FileInfo) bool { return false }

func (r rules) enforce() error { return errNoLandlock }

func replaceProcess(string, []string) error { return errNoLandlock }

//go:build !linux

package sandbox

import (
	"errors"
	"io/fs"
)

var errNoLandlock = errors.New("this system has no Landlock")

func findSupport() error { return errNoLandlock }

const nonblocking = 0

func isMine(fs.FileInfo) bool { return false }

func (r rules) enforce() error { return errNoLandlock }

func replaceProcess(string, []string) error { return errNoLandlock }

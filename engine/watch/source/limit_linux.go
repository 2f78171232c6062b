package source

import (
	"errors"
	"syscall"
)

// NameLimit names the knob to turn when the kernel grants no more watches.
func NameLimit(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "fs.inotify.max_user_watches"
	case errors.Is(err, syscall.EMFILE):
		return "fs.inotify.max_user_instances"
	case errors.Is(err, syscall.ENFILE):
		return "fs.file-max"
	}
	return "the available memory"
}

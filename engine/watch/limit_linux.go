package watch

import (
	"errors"
	"syscall"
)

// limitName names the knob to turn when the kernel grants no more watches.
func limitName(err error) string {
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

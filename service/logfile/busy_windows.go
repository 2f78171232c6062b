package logfile

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBusy reports whether a file could not be opened because another process renames it or has it alone.
func isBusy(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }

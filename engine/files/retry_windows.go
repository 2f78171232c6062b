package files

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

const (
	// patience is how long a file is waited for that another program has open.
	patience = 10 * time.Second
	// doubt is how long a file is waited for that may be open: Windows refuses to rename
	// over an open file with the same error as over one that the user may not write
	// (https://go.dev/issue/31247).
	doubt = 5 * time.Second
)

// retryTime is how long it is worth to try again after an error.
func retryTime(err error) time.Duration {
	switch {
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION):
		return patience
	case errors.Is(err, windows.ERROR_ACCESS_DENIED):
		return doubt
	}
	return 0
}

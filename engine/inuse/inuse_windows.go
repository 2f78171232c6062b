package inuse

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

const (
	// patience is how long a file is waited for that somebody has open.
	patience = 10 * time.Second
	// doubt is how long one is waited for of which that may be so: over a file that is
	// open Windows refuses a rename in the words for what the user is not allowed.
	doubt = 5 * time.Second
)

// worthWaiting is how long it is worth to try again after an error.
func worthWaiting(err error) time.Duration {
	switch {
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION):
		return patience
	case errors.Is(err, windows.ERROR_ACCESS_DENIED):
		return doubt
	}
	return 0
}

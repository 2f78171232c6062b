//go:build !linux

package source

import (
	"errors"
	"syscall"
)

// NameLimit names the knob to turn when the system grants no more watches.
func NameLimit(err error) string {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "the limit of open files (ulimit -n)"
	}
	return "the available memory"
}

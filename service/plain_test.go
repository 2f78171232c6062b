package service

import (
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

// What the supervisor prints of an engine that cannot be started are no words of the system.
func TestEndingIsPlain(t *testing.T) {
	err := fmt.Errorf("start: %w", &fs.PathError{Op: "fork/exec", Path: "/opt/wiki", Err: syscall.EACCES})
	for want, got := range map[string]string{"start: this user may not use /opt/wiki": describeEnding(0, err), "status 3": describeEnding(3, nil)} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package agent

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
)

// A program is not started in a folder whose disk hangs: that would keep all other
// programs from starting.
func TestFolderThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		thaw := make(chan struct{})
		defer close(thaw)
		real := statFolder
		defer func() { statFolder = real }()
		statFolder = func(string) (os.FileInfo, error) { <-thaw; return nil, nil }
		if err := awaitFolder(context.Background(), "/share"); err == nil {
			t.Error("a folder that does not answer was taken for one that does")
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if err := awaitFolder(ended, "/share"); err == nil {
			t.Error("a run that has ended goes on")
		}
	})
}

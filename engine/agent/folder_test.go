package agent

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/testdata/silentdisk"
)

// A program is not started in a folder whose disk hangs: that would keep all other
// programs from starting.
func TestFolderThatHangs(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := Program{Path: self, Dir: t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		thaw := make(chan struct{})
		defer close(thaw)
		real := statFolder
		defer func() { statFolder = real }()
		statFolder = func(string) (os.FileInfo, error) { <-thaw; return nil, nil }
		if _, _, err := p.awaitCommand(t.Context(), t.Context()); err == nil || err.Error() != "the disk of "+p.Dir+" does not respond" {
			t.Errorf("a folder that does not answer was taken for one that does: %v", err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := p.awaitCommand(ended, ended); err != context.Canceled {
			t.Errorf("a run that has ended goes on: %v", err)
		}
	})
}

// A look may take long while the disk answers, and not when it says nothing more.
func TestAwaitFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		walk := func(thaw <-chan struct{}) func(context.Context, func()) int {
			return func(_ context.Context, answered func()) int {
				for range 10 {
					time.Sleep(folderTime - time.Second)
					answered()
				}
				<-thaw
				return 7
			}
		}
		thaw, begun := make(chan struct{}), time.Now()
		if _, err := AwaitFolder(t.Context(), "/share", walk(thaw)); err == nil || time.Since(begun) != 10*(folderTime-time.Second)+folderTime {
			t.Errorf("a disk that says nothing more: %v after %v", err, time.Since(begun))
		}
		close(thaw)
		if n, err := AwaitFolder(t.Context(), "/share", walk(thaw)); n != 7 || err != nil {
			t.Errorf("a disk that answers: %d, %v", n, err)
		}
	})
}

// What is asked of the disk of a vault to make the command of a program, to confine it and to see that it does not lie in the
// vault, is bounded too, wherever the program works.
func TestCommandBesideASilentVault(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	usual := folderTime
	defer func() { folderTime = usual }()
	folderTime = 10 * time.Millisecond
	silentdisk.Hang(t)
	vault := t.TempDir()
	_, err = Program{Path: self, Args: []string{"-test.run=none"}, Vault: vault, Sandbox: "codex", Scratch: t.TempDir()}.Run(t.Context())
	if f, ok := errors.AsType[*Failure](err); !ok || f.Kind != Transient || !strings.HasSuffix(f.Reason, " could not be started: the disk of "+vault+" does not respond") {
		t.Errorf("it was started, or refused otherwise: %v", err)
	}
}

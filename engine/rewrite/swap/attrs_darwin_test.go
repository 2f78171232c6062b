package swap

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// People sort notes by their creation date. SetFile is not on every Mac, but touch moves the date back
// when it makes a file older than that.
func TestCreationDateStays(t *testing.T) {
	root, path := vault(t, before)
	if out, err := exec.Command("touch", "-t", "200102030405.06", path).CombinedOutput(); err != nil {
		t.Fatal(errors.New(string(out)))
	}
	created := func() syscall.Timespec {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Sys().(*syscall.Stat_t).Birthtimespec
	}
	was := created()
	for _, next := range [][2]string{{before, after}, {after, before}} {
		file(t, On(nil), root, path, next[0], next[1])
		if is := created(); is != was {
			t.Errorf("created %v, was %v", is, was)
		}
	}
}

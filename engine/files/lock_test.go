package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// fileToHold has this test program be a process that holds that file.
const fileToHold = "LOCKFILE_TO_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(fileToHold); path != "" {
		f, err := TakeLock(path)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin) // until it is killed
		fmt.Println(f.Close())
	}
	os.Exit(m.Run())
}

func TestTakeLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for range 2 { // what the first leaves behind is in nobody's way
		f, err := TakeLock(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := TakeLock(path); !errors.Is(err, ErrHeld) {
			t.Errorf("taken twice: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := TakeLock(filepath.Join(path, "below")); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("a place that cannot be: %v", err)
	}
	if _, err := TakeLock(filepath.Join(t.TempDir(), "none", "lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// A process that is killed holds nothing any more.
func TestKilledProcess(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fileToHold+"="+path)
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	_, taken := TakeLock(path)
	cmd.Process.Kill()
	cmd.Wait()
	in.Close()
	if line != "held\n" || !errors.Is(taken, ErrHeld) {
		t.Fatalf("the process said %q, and then: %v", line, taken)
	}
	f, err := TakeLock(path)
	if err != nil {
		t.Fatalf("after its end: %v", err)
	}
	f.Close()
}

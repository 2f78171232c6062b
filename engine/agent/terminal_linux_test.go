package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onTerminal is the variable that names where the process at a terminal says how its agent fared.
const onTerminal = "AGENT_TEST_TERMINAL"

// A program that asks at the terminal of who started it is told at once that it has none, and so is its child. Otherwise
// the kernel stops it until its time is up (https://man7.org/linux/man-pages/man7/credentials.7.html, sessions), for
// nobody sees the question.
func TestNoTerminalToAskAt(t *testing.T) {
	if file := os.Getenv(onTerminal); file != "" {
		runAtTerminal(t, file)
		return
	}
	file := filepath.Join(t.TempDir(), "said")
	pty, tty := openTerminal(t)
	defer pty.Close()
	starter := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	starter.Env = append(os.Environ(), onTerminal+"="+file)
	starter.Stdin, starter.Stdout, starter.Stderr = tty, tty, tty
	starter.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	err := starter.Start()
	tty.Close()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- starter.Wait() }()
	select {
	case err = <-ended:
	case <-time.After(time.Minute):
		_ = starter.Process.Kill()
		t.Fatal("an agent waits at a terminal where nobody is asked")
	}
	said, _ := os.ReadFile(file)
	if want := "fake ended with status 3: open /dev/tty: no such device or address\n"; err != nil || string(said) != want+want {
		t.Errorf("%v; said %q, want twice %q", err, said, want)
	}
}

// runAtTerminal runs an agent that asks at the terminal, and one whose child does.
func runAtTerminal(t *testing.T, file string) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		t.Fatal("this process has no terminal itself: ", err)
	}
	defer tty.Close()
	said := ""
	for _, role := range []string{"asks at the terminal", "has its child ask"} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		_, err := fakeAgent(t, role).Run(ctx, taskIn(t, ""))
		cancel()
		if failure, ok := errors.AsType[*Failure](err); ok {
			failure.Reason = "fake ended with status 3"
		}
		said += fmt.Sprintln(err)
	}
	if err := os.WriteFile(file, []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
}

// openTerminal makes a pseudo terminal: the side of the person, and the program's.
func openTerminal(t *testing.T) (pty, tty *os.File) {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(pty.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(pty.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pty, tty
}

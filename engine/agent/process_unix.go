//go:build unix

package agent

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// group is the process group of one program: the program leads it, and every
// child that does not ask for a session of its own belongs to it.
type group struct{ cmd *exec.Cmd }

// newGroup makes the program the leader of a new group and has the system end
// it if this process dies without a chance to do so itself, where the system
// can (Linux). What the program has started by then is left to it, and a
// program that changes its user is not reached either.
//
// The system takes the end of the thread that starts the program for the end of
// the process. So from here to [group.kill], which the same goroutine must
// call, the goroutine keeps its thread to itself.
func newGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithStarter(cmd.SysProcAttr)
	runtime.LockOSThread()
	return &group{cmd}, nil
}

// adopt has nothing to do: the program was born into its group.
func (g *group) adopt() error { return nil }

// terminate asks every member to end.
func (g *group) terminate() error { return g.signal(syscall.SIGTERM) }

// kill ends what is left of the group and waits until it is gone. The wait is
// bounded: a member that has died but is not collected by anybody counts as
// one to the system and can do nothing any more.
func (g *group) kill() {
	defer runtime.UnlockOSThread()
	if g.signal(syscall.SIGKILL) != nil {
		return
	}
	for wait := time.Millisecond; wait < 256*time.Millisecond; wait *= 2 {
		time.Sleep(wait)
		if g.signal(0) != nil {
			return
		}
	}
}

func (g *group) signal(s syscall.Signal) error {
	if g.cmd.Process == nil {
		return os.ErrProcessDone
	}
	err := syscall.Kill(-g.cmd.Process.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func isBatch(string) bool { return false }

// checkArguments has nothing to refuse: arguments reach a program as they are.
func checkArguments(string, []string) error { return nil }

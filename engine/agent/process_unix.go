//go:build unix

package agent

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// group is the process group of one program: the program leads it, and every
// child that does not ask for a session of its own belongs to it.
type group struct{ cmd *exec.Cmd }

// newGroup makes the program the leader of a new group.
func newGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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

// checkArguments has nothing to refuse: arguments reach a program as they are.
func checkArguments(string, []string) error { return nil }

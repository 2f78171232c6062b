//go:build unix

package agent

import (
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// group is the process group of one program: the program leads it, as [launch] has it, and
// every child that does not ask for a group or a session of its own belongs to it. Those
// that do are found by their mark, where the system can tell (Linux).
type group struct {
	cmd  *exec.Cmd
	mark string // a variable of the program that no other run has

	mu       sync.Mutex // guards runaways
	runaways []process  // members that had left the group when it was asked to end
}

// newGroup makes a group of the program and has the system end
// it if this process dies without a chance to do so itself, where the system
// can (Linux). What the program has started by then is left to it, and a
// program that changes its user is not reached either.
//
// The system takes the end of the thread that starts the program for the end of
// the process. So from here to [group.kill], which the same goroutine must
// call, the goroutine keeps its thread to itself.
func newGroup(cmd *exec.Cmd) (*group, error) {
	endWithStarter(cmd.SysProcAttr)
	g := &group{cmd: cmd, mark: "VAULT_DISPATCHER_RUN=" + rand.Text()}
	if marked {
		cmd.Env = append(cmd.Env, g.mark)
	}
	runtime.LockOSThread()
	return g, nil
}

// adopt has nothing to do: the program was born into its group.
func (g *group) adopt() error { return nil }

// terminate asks every member of the group to end, and every process that has left it.
func (g *group) terminate() error {
	if g.cmd.Process != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.runaways = findDescendants(g.cmd.Process.Pid, g.mark, nil)
		signalAll(g.runaways, syscall.SIGTERM)
	}
	return g.signal(syscall.SIGTERM)
}

// kill ends the rest of the group and the processes that have left it, and waits until they are gone. The wait is
// bounded: the system still counts a dead member that no process has collected, and such a member can do nothing.
func (g *group) kill() {
	defer runtime.UnlockOSThread()
	if g.cmd.Process == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for wait := time.Millisecond; wait < 256*time.Millisecond; wait *= 2 {
		gone := g.signal(syscall.SIGKILL) != nil
		left := findDescendants(0, g.mark, g.runaways)
		if gone && len(left) == 0 {
			return
		}
		signalAll(left, syscall.SIGKILL)
		time.Sleep(wait)
	}
}

func signalAll(processes []process, s syscall.Signal) {
	for _, p := range processes {
		_ = syscall.Kill(p.pid, s) // gone already is as good
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

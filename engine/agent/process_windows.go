package agent

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"

	"vaultdispatcher/engine/launch"
)

// group is the job object of one program. Every child belongs to it, and the
// system ends them all when its handle is closed, even if this process dies.
type group struct {
	cmd *exec.Cmd
	job windows.Handle
}

// newGroup creates the job and has the program started suspended, so that it
// cannot have children before it is in the job.
func newGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP
	job, err := launch.NewJob()
	if err != nil {
		return nil, err
	}
	return &group{cmd, job}, nil
}

// adopt puts the suspended program into the job and lets it run. When that
// fails the program is ended: outside a job it could leave children behind.
func (g *group) adopt() error {
	pid := uint32(g.cmd.Process.Pid)
	err := launch.Assign(g.job, pid)
	if err == nil {
		err = resumeThreads(pid)
	}
	if err != nil {
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
		g.cmd.ProcessState = nil // it never ran
	}
	return err
}

// resumeThreads lets the one thread of a suspended process go.
func resumeThreads(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("listing threads: %w", err)
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return fmt.Errorf("opening the thread: %w", err)
		}
		defer windows.CloseHandle(thread)
		if _, err := windows.ResumeThread(thread); err != nil {
			return fmt.Errorf("resuming the thread: %w", err)
		}
		return nil
	}
	return fmt.Errorf("finding the thread: %w", err)
}

// terminate ends every member at once: a program without a console has no way
// to be asked.
func (g *group) terminate() error { return windows.TerminateJobObject(g.job, 1) }

// kill ends what is left of the job and closes it.
func (g *group) kill() {
	_ = windows.TerminateJobObject(g.job, 1)
	_ = windows.CloseHandle(g.job)
}

// checkArguments refuses what the command interpreter would read as its own in
// the arguments of a batch file. They may hold the name of a note.
func checkArguments(path string, args []string) error {
	if !isBatch(path) {
		return nil
	}
	for _, arg := range args {
		if strings.ContainsAny(arg, "\"%&|<>^!\r\n") {
			return fmt.Errorf("the argument %q is not safe for a batch file", arg)
		}
	}
	return nil
}

func isBatch(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".bat" || ext == ".cmd"
}

// Package launch makes the commands of programs that run without a user: agents, and calls of system programs.
//
//	out, err := launch.Command(ctx, "systemctl", "--user", "show").Output()
//
// # Promises
//
// Such a program has no terminal, even if this one has: on Unix it leads a session of its own, and opening /dev/tty
// fails at once with ENXIO (https://man7.org/linux/man-pages/man2/setsid.2.html). A program that shared this terminal
// would be stopped at its first read, with a question on a screen that no user watches. Its process group has its own
// number, so that a signal to the group reaches it and its children.
//
// On Windows it has a console that is not shown, which what it starts shares
// (https://learn.microsoft.com/en-us/windows/win32/procthread/process-creation-flags). To have none would be wrong there: each
// program that it starts would open a window. So a question to that console is not refused, it waits until the program's time
// is up.
//
// [Become] is the other way: a program of ours that takes the place of this one keeps its terminal.
//
// cmd/launch_test.go lists the few starts of programs that do not begin here, each with its reason.
package launch

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Command is [exec.CommandContext] of a program without a terminal or a window. Its SysProcAttr is set, and may be added to.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = apart()
	return cmd
}

// Become has a program take the place of this one, with its streams, its environment and its terminal, and with the signals that
// it gets. It returns only if that fails. On Windows the program is a child, which ends with this process and gives its
// status; a Ctrl-C reaches both, so the caller takes that signal and does nothing.
func Become(program string, args ...string) error {
	return fmt.Errorf("start %s: %w", filepath.Base(program), replaceBy(program, args))
}

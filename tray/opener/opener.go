// Package opener has the desktop open a link, by the program that the system has for it: the page of a browser, a note in
// its app, a file.
//
//	err := opener.Open(ctx, "http://127.0.0.1:11436/open/...")
//
// # Promises
//
// A call waits at most [Patience] for the program that opens links. A program that becomes the browser itself
// continues after that, which is a success. An earlier failure is an error.
package opener

import (
	"context"
	"os/exec"
	"time"

	"vaultdispatcher/engine/launch"
)

// Patience is how long the program that opens a link is waited for. Tests raise it.
var Patience = 3 * time.Second

// Start starts a program and reports whether it failed soon. The program continues when ctx ends or this program
// does.
func Start(ctx context.Context, cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	return failsSoon(ctx, cmd.Wait)
}

// startTool starts a program of the desktop's.
func startTool(ctx context.Context, name string, args ...string) error {
	return Start(ctx, launch.Command(context.WithoutCancel(ctx), name, args...))
}

// failsSoon reports whether something went wrong soon.
func failsSoon(ctx context.Context, do func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(Patience):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

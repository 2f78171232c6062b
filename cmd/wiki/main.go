// Command wiki is the engine of the vault dispatcher and its operator's voice:
// `wiki run` is the engine in the foreground, every other command talks to a
// running engine over its loopback server.
package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A reader that leaves must not end the process before it has cleaned up: the
	// signal is taken, so that the write is what fails. Ignoring it would be
	// handed down to the agents.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Main runs one command line and returns the status to exit with. What could
// not be written to stdout is never a success.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	app := &app{stdout: &output{w: stdout}, stderr: stderr}
	root := app.root()
	root.SetArgs(args)
	root.SetOut(app.stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = cmp.Or(app.misused, app.stdout.err)
	}
	return app.explain(ctx, err)
}

// Command wiki-tray is the icon of Vault Dispatcher in the desktop's panel. All it
// does is in package tray; here is where it finds the engine, as the program wiki
// does, and what it says to a person.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"vaultdispatcher/tray"
)

const (
	exitOK        = 0
	exitFailed    = 1
	exitUsage     = 2
	exitNoDesktop = 3 // no desktop session, or it has ended
)

func main() { os.Exit(runTray(os.Args[1:], os.Stdout, os.Stderr)) }

func runTray(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("wiki-tray", flag.ContinueOnError)
	flags.SetOutput(stderr)
	config := flags.String("config", "", "the configuration `file`, the same as for wiki")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "wiki-tray shows Vault Dispatcher in the desktop's panel; quitting it leaves the engine running.")
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "wiki-tray: there is no argument %q\n", flags.Arg(0))
		return exitUsage
	}
	log.SetOutput(stderr) // systray writes to it
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	options, err := readOptions(*config, logger)
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = tray.Run(ctx, options)
	}
	return explainEnd(err, stdout, stderr)
}

// explainEnd says how it ended.
func explainEnd(err error, stdout, stderr io.Writer) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, tray.ErrRunning):
		fmt.Fprintln(stdout, "wiki-tray:", err)
		return exitOK
	case errors.Is(err, tray.ErrNoDesktop):
		fmt.Fprintln(stderr, "wiki-tray:", err)
		fmt.Fprintln(stderr, "hint: start it inside a desktop session; without one, wiki status says the same")
		return exitNoDesktop
	case errors.Is(err, tray.ErrNoTray):
		fmt.Fprintln(stderr, "wiki-tray:", err)
		fmt.Fprintln(stderr, "hint: build it on a Mac with CGO_ENABLED=1 go build ./cmd/wiki-tray")
		return exitFailed
	}
	fmt.Fprintln(stderr, "wiki-tray:", err)
	return exitFailed
}

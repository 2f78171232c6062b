package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strings"

	"golang.org/x/term"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/installer"
)

// purgeFailure adds the next step to what keeps a purge from being made.
func purgeFailure(err error) error {
	if refused, ok := errors.AsType[*installer.PurgeError](err); ok {
		return fail(refused.Next, "%w", err)
	}
	return err
}

// confirmPurge asks the person at the terminal.
func (a *app) confirmPurge(ctx context.Context, paths []string, yes bool) error {
	if yes || len(paths) == 0 {
		return nil
	}
	if a.json || !term.IsTerminal(int(os.Stdin.Fd())) {
		return usage("with --yes they are removed, without --purge they stay", "there is no terminal to ask whether to remove %s", strings.Join(paths, ", "))
	}
	printable.Fprintln(a.stderr, "Our files in these are removed for good, and with them the history, kept answers and what")
	printable.Fprintln(a.stderr, "undo needs. Your notes stay.")
	for _, path := range paths {
		printable.Fprintf(a.stderr, "  %s\n", path)
	}
	if yes, err := a.confirm(ctx, "Remove them?"); err != nil || yes {
		return err
	}
	return fail("without --purge only the login service is removed", unchanged)
}

// confirm asks the person at the terminal; no answer is no.
func (a *app) confirm(ctx context.Context, question string) (bool, error) {
	printable.Fprintf(a.stderr, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case line := <-answer:
		word := strings.ToLower(strings.TrimSpace(line))
		return word == "y" || word == "yes", nil
	}
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

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
	fmt.Fprintln(a.stderr, "Our files in these are removed for good, and with them the history, parked answers and what")
	fmt.Fprintln(a.stderr, "undo needs. Your notes stay.")
	for _, path := range paths {
		fmt.Fprintf(a.stderr, "  %s\n", path)
	}
	fmt.Fprint(a.stderr, "Remove them? [y/N] ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no answer is no
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case line := <-answer:
		if word := strings.ToLower(strings.TrimSpace(line)); word != "y" && word != "yes" {
			return fail("without --purge only the login service is removed", unchanged)
		}
		return nil
	}
}

package machine

import (
	"context"
	"errors"
	"strings"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/installer"
)

// purgeFailure adds the next step to what keeps a purge from being made.
func purgeFailure(err error) error {
	if refused, ok := errors.AsType[*installer.PurgeError](err); ok {
		return command.Fail(refused.Remedy, "%w", err)
	}
	return err
}

// confirmPurge asks the person at the terminal.
func confirmPurge(ctx context.Context, a *command.App, paths []string, yes bool) error {
	if yes || len(paths) == 0 {
		return nil
	}
	if !a.CanAsk() {
		return command.Usage("with --yes they are removed, without --purge they stay", "there is no terminal to ask whether to remove %s", strings.Join(paths, ", "))
	}
	printable.Fprintln(a.Stderr, "Our files in these are removed for good, and with them the history, kept answers and what")
	printable.Fprintln(a.Stderr, "undo needs. Your notes stay.")
	for _, path := range paths {
		printable.Fprintf(a.Stderr, "  %s\n", path)
	}
	if yes, err := a.Confirm(ctx, "Remove them?"); err != nil || yes {
		return err
	}
	return command.Fail("without --purge only the login service is removed", "nothing was changed")
}

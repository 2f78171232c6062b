package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/installer"
)

// explain prints an error as a person wants to read it and returns its status.
func explain(ctx context.Context, a *command.App, err error) int {
	if err == nil {
		return command.ExitOK
	}
	if errors.Is(err, command.ErrReaderGone) {
		return command.ExitFailed
	}
	return a.Explain(toFailure(ctx, a, err))
}

// errSilent says that an engine is there and too slow to answer.
var errSilent = errors.New("the engine does not answer in time")

// startTime is how long a service manager has to say whether it has our service.
const startTime = 2 * time.Second

// startHint says how an engine is started on this machine, as the next step.
func startHint(ctx context.Context, a *command.App) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime)
	defer cancel()
	l, err := installer.NewLogin(ctx, a.ConfigFile, command.FinalStatuses...)
	if err != nil {
		return "start it with wiki run"
	}
	kept, err := l.Status(ctx)
	switch {
	case l.Problem == nil && len(l.Config.Vaults) == 0:
		return "no vault is configured: run wiki setup, or wiki run --vault and the folder of your notes"
	case err == nil && kept.Installed:
		return "its login service is installed: wiki service start starts it"
	}
	return "start it with wiki run, and leave that open"
}

// toFailure gives every error its hint and its exit status.
func toFailure(ctx context.Context, a *command.App, err error) *command.Failure {
	if f, ok := errors.AsType[*command.Failure](err); ok {
		return f
	}
	if taken, ok := errors.AsType[*listen.Taken](err); ok {
		hint := fmt.Sprintf("choose another port: wiki run --port %d", installer.SuggestPort(taken.Port))
		if !taken.Reserved {
			hint = "end that program, or " + hint
		}
		return command.NewFailure(err, hint, command.ExitPortTaken)
	}
	if other, ok := errors.AsType[*client.OtherState](err); ok {
		return command.NewFailure(other, "run it with the XDG_STATE_HOME that the engine was started with; wiki server status says which process that is", command.ExitFailed)
	}
	if status, ok := errors.AsType[*api.StatusError](err); ok {
		return command.NewFailure(err, texts.NextStep(status.Code), command.ExitFailed)
	}
	switch {
	case errors.Is(err, api.ErrNotRunning):
		return command.NewFailure(errors.New("the engine is not running"), startHint(ctx, a), command.ExitNotRunning)
	case errors.Is(err, api.ErrNotOurs):
		return command.NewFailure(err, "choose another port: wiki run --port 0 takes a free one, and wiki.httpPort keeps one", command.ExitPortTaken)
	case errors.Is(err, engine.ErrLocked):
		return command.NewFailure(err, "stop the other engine first; wiki server status shows where it runs", command.ExitLocked)
	case errors.Is(err, journal.ErrNewer):
		return command.NewFailure(err, "use the newer version of this program, or move the state folder away", command.ExitFailed)
	case errors.Is(err, journal.ErrOlder):
		return command.NewFailure(err, "move the state folder away, and the next start makes a new journal; notes and settings stay", command.ExitFailed)
	case errors.Is(err, journal.ErrBusy):
		return command.NewFailure(err, "end what has that file open, such as a backup or a database browser, and try again", command.ExitFailed)
	case isFullDisk(err):
		return command.NewFailure(err, "make room on that disk; wiki doctor shows how much is free", command.ExitFailed)
	case errors.Is(err, context.DeadlineExceeded):
		return command.NewFailure(errSilent, "it may be busy; try again in a moment, and wiki logs shows what it does", command.ExitFailed)
	}
	return command.FailureOf(err)
}

// isFullDisk reports whether a file could not be written for want of room. A failed write of the output does not
// count.
func isFullDisk(err error) bool {
	file, isFile := errors.AsType[*fs.PathError](err)
	return errors.Is(err, journal.ErrFull) || isFile && errors.Is(journal.NameFull(file, file.Path), journal.ErrFull)
}

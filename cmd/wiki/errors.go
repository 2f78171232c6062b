package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/installer"
)

// The rules of everything this program says:
//
// What was asked for goes to standard output. Everything else goes to standard
// error as "wiki: ..." in lower case without a full stop, followed by a "hint:"
// line with the next step. Each class of error a script may want to tell apart
// has its own exit status.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitNotRunning = 3 // no engine answers
	exitPortTaken  = 4 // the port belongs to another program
	exitConfig     = 5 // the configuration cannot be used
	exitLocked     = 6 // another engine uses the same state folder
)

// errSilent says that an engine is there and too slow to answer.
var errSilent = errors.New("the engine does not answer in time")

// finalStatuses are those after which a service does not start the engine again.
var finalStatuses = []int{exitPortTaken, exitConfig, exitLocked}

// failure is an error with what its reader should do next.
type failure struct {
	err  error
	hint string
	code int
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// fail is an error of status 1 with a hint.
func fail(hint, format string, args ...any) error {
	return &failure{err: fmt.Errorf(format, args...), hint: hint, code: exitFailed}
}

// usage is an error of the command line.
func usage(hint, format string, args ...any) error {
	return &failure{err: fmt.Errorf(format, args...), hint: hint, code: exitUsage}
}

// explain prints an error as a person wants to read it and returns its status.
func (a *app) explain(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errReaderGone) {
		return exitFailed
	}
	f := a.classify(ctx, err)
	for line := range strings.Lines(syserr.Plain(f)) {
		printable.Fprintf(a.stderr, "wiki: %s\n", strings.TrimRight(line, "\n"))
	}
	if f.hint != "" {
		printable.Fprintf(a.stderr, "hint: %s\n", f.hint)
	}
	return f.code
}

// startTime is how long a service manager has to say whether it has our service.
const startTime = 2 * time.Second

// startHint says how an engine is started on this machine, as the next step.
func (a *app) startHint(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime)
	defer cancel()
	l, err := installer.NewLogin(ctx, a.configFile, finalStatuses...)
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

// classify gives every error its hint and its exit status.
func (a *app) classify(ctx context.Context, err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if taken, ok := errors.AsType[*listen.Taken](err); ok {
		hint := fmt.Sprintf("choose another port: wiki run --port %d", installer.SuggestPort(taken.Port))
		if !taken.Kept {
			hint = "end that program, or " + hint
		}
		return &failure{err, hint, exitPortTaken}
	}
	if status, ok := errors.AsType[*api.StatusError](err); ok {
		return &failure{errors.New(placeOf(err, status) + texts.InOurVoice(status.Text)), texts.NextStep(status.Code), exitFailed}
	}
	if missing, ok := errors.AsType[*config.NoPlace](err); ok {
		return &failure{err, missing.Hint(), exitFailed}
	}
	if bad, ok := errors.AsType[*config.Unusable](err); ok {
		return &failure{err, configHint(bad), exitConfig}
	}
	switch {
	case errors.Is(err, api.ErrNotRunning):
		return &failure{errors.New("the engine is not running"), a.startHint(ctx), exitNotRunning}
	case errors.Is(err, api.ErrNotOurs):
		return &failure{err, "choose another port: wiki run --port 0 takes a free one, and wiki.httpPort keeps one", exitPortTaken}
	case errors.Is(err, engine.ErrLocked):
		return &failure{err, "stop the other engine first; wiki server status shows where it runs", exitLocked}
	case errors.Is(err, journal.ErrNewer):
		return &failure{err, "use the newer version of this program, or move the state folder away", exitFailed}
	case errors.Is(err, journal.ErrBusy):
		return &failure{err, "end what has that file open, such as a backup or a database browser, and try again", exitFailed}
	case isFullDisk(err):
		return &failure{err, "make room on that disk; wiki doctor shows how much is free", exitFailed}
	case errors.Is(err, context.Canceled):
		return &failure{errors.New("interrupted"), "", exitFailed}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{errSilent, "it may be busy; try again in a moment, and wiki logs shows what it does", exitFailed}
	case errors.Is(err, fs.ErrPermission):
		return &failure{err, "check who may read and write there", exitFailed}
	}
	return &failure{err: err, code: exitFailed}
}

// isFullDisk reports whether a file could not be written for want of room; where the output
// goes is its reader's affair.
func isFullDisk(err error) bool {
	file, isFile := errors.AsType[*fs.PathError](err)
	return errors.Is(err, journal.ErrFull) || isFile && errors.Is(journal.NameFull(file, file.Path), journal.ErrFull)
}

// placeOf keeps what the caller said of a refusal before the engine's own words,
// such as the file it is about.
func placeOf(err error, status *api.StatusError) string {
	before, ok := strings.CutSuffix(err.Error(), status.Error())
	if !ok {
		return ""
	}
	return before
}

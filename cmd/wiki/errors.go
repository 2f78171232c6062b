package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/installer"
	"vaultdispatcher/service/host"
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
func (a *app) explain(err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errReaderGone) {
		return exitFailed
	}
	f := classify(err)
	for line := range strings.Lines(f.Error()) {
		fmt.Fprintf(a.stderr, "wiki: %s\n", strings.TrimRight(line, "\n"))
	}
	if f.hint != "" {
		fmt.Fprintf(a.stderr, "hint: %s\n", f.hint)
	}
	return f.code
}

// classify gives every error its hint and its exit status.
func classify(err error) *failure {
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
		return &failure{errors.New(placeOf(err, status) + texts.InOurVoice(status.Text)), nextStep(status.Code), exitFailed}
	}
	if bad, ok := errors.AsType[*host.ConfigError](err); ok {
		return &failure{err, configHint(bad), exitConfig}
	}
	switch {
	case errors.Is(err, api.ErrNotRunning):
		return &failure{errors.New("the engine is not running"), "start it with wiki run", exitNotRunning}
	case errors.Is(err, api.ErrNotOurs):
		return &failure{err, "choose another port: wiki run --port 0 takes a free one, and wiki.httpPort keeps one", exitPortTaken}
	case errors.Is(err, engine.ErrLocked):
		return &failure{err, "stop the other engine first; wiki server status shows where it runs", exitLocked}
	case errors.Is(err, journal.ErrNewer):
		return &failure{err, "use the newer version of this program, or move the state folder away", exitFailed}
	case errors.Is(err, context.Canceled):
		return &failure{errors.New("interrupted"), "", exitFailed}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{errSilent, "it may be busy; try again in a moment, and wiki logs shows what it does", exitFailed}
	case errors.Is(err, fs.ErrPermission):
		return &failure{err, "check who may read and write there", exitFailed}
	}
	return &failure{err: err, code: exitFailed}
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

// nextStep is the hint for a refusal of the engine, by its code.
func nextStep(code string) string {
	switch code {
	case "outside_vaults":
		return "wiki status names the vaults; a note of one of them can be asked about"
	case "not_a_note":
		return "name a .md file of a vault; wiki status names the vaults"
	case "not_found":
		return "give its absolute path, or its path in a vault; wiki status names the vaults"
	case "ambiguous":
		return "give the absolute path of the note"
	case "offline":
		return "connect its disk; wiki status shows when it is back"
	case "stopping":
		return "start it again with wiki run"
	case "busy", "rate_limited":
		return "try again in a moment"
	case "unauthorized":
		return "this engine has another token; wiki server status shows which engine answers"
	case "internal":
		return "wiki logs shows what happened"
	}
	return "wiki status shows what the engine knows"
}

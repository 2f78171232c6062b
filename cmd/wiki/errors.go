package main

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/watch/disk"
)

// The rules of everything this program says:
//
// What was asked for goes to standard output. Everything else goes to standard
// error as "wiki: ..." in lower case without a full stop, followed by a "hint:"
// line with the next step. Why the engine refuses something stands there whole, as the
// engine wrote it: that is another program, maybe of another version. Each class of
// error a script may want to tell apart has its own exit status.
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

// isFullDisk reports whether a file could not be written for want of room; where the output
// goes is its reader's affair.
func isFullDisk(err error) bool {
	file, isFile := errors.AsType[*fs.PathError](err)
	return errors.Is(err, journal.ErrFull) || isFile && errors.Is(journal.NameFull(file, file.Path), journal.ErrFull)
}

// configHint is the next step after a configuration that cannot be used.
func configHint(err error) string {
	if missing, ok := errors.AsType[*place.NoPlace](err); ok {
		return missing.Hint()
	}
	if _, ok := errors.AsType[*disk.Foreign](err); ok {
		return "then look whether it still says what you want: wiki config path shows where it is"
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "check the path behind --config, or leave it out"
	case !errors.Is(err, config.ErrOld):
		return "correct it and start again; nothing was changed"
	}
	return "wiki setup imports its values and keeps a copy of the file"
}

const unchanged = "nothing was changed"

// errReaderGone says that whoever read our output has left, as head does when it
// has its lines. It is a failure nobody needs to be told of.
var errReaderGone = errors.New("the output was closed")

// readerGone says whether a write failed because the pipe's other end is closed.
// Windows has two words of its own for it.
func readerGone(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) ||
		runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}

// otherState adds the next step to a port that an engine with another state has.
func otherState(err *client.OtherState, hint string, args ...any) error {
	return &failure{err, fmt.Sprintf(hint, args...), exitPortTaken}
}

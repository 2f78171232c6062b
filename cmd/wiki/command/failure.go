package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/watch/disk"
)

// The rules of all messages of this program:
//
// Results are printed to standard output, everything else to standard error as "wiki: ..." in lower case without a
// full stop, followed by a "hint:" line with the next step. A refusal of the engine is printed whole, in the engine's
// words: the engine is another program, maybe of another version. Each class of error a script may want to tell apart
// has its own exit status.
const (
	ExitOK         = 0
	ExitFailed     = 1
	ExitUsage      = 2
	ExitNotRunning = 3 // no engine answers
	ExitPortTaken  = 4 // the port belongs to another program
	ExitConfig     = 5 // the configuration cannot be used
	ExitLocked     = 6 // another engine uses the same state folder
)

// FinalStatuses are those after which a service does not start the engine again.
var FinalStatuses = []int{ExitPortTaken, ExitConfig, ExitLocked}

// Failure is an error with what its reader should do next.
type Failure struct {
	Err  error
	Hint string
	Code int // the exit status
}

func (f *Failure) Error() string { return f.Err.Error() }

func (f *Failure) Unwrap() error { return f.Err }

// NewFailure is an error of an exit status with a hint.
func NewFailure(err error, hint string, code int) *Failure { return &Failure{err, hint, code} }

// Fail is an error of status 1 with a hint.
func Fail(hint, format string, args ...any) error {
	return NewFailure(fmt.Errorf(format, args...), hint, ExitFailed)
}

// Usage is an error of the command line.
func Usage(hint, format string, args ...any) error {
	return NewFailure(fmt.Errorf(format, args...), hint, ExitUsage)
}

// BadConfig is the failure of a configuration that cannot be used.
func BadConfig(err error) *Failure { return NewFailure(err, configHint(err), ExitConfig) }

// FailureOf gives an error that is not about an engine its hint and its exit status.
func FailureOf(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	if missing, ok := errors.AsType[*place.NoPlace](err); ok {
		return NewFailure(err, missing.Hint(), ExitFailed)
	}
	if _, ok := errors.AsType[*config.Unusable](err); ok {
		return BadConfig(err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return NewFailure(errors.New("interrupted"), "", ExitFailed)
	case errors.Is(err, fs.ErrPermission):
		return NewFailure(err, "check who may read and write there", ExitFailed)
	}
	return NewFailure(err, "", ExitFailed)
}

// Explain prints a failure as a person wants to read it and returns its status.
func (a *App) Explain(f *Failure) int {
	for line := range strings.Lines(syserr.Plain(f)) {
		a.Complain(strings.TrimRight(line, "\n"))
	}
	if f.Hint != "" {
		a.Hint("%s", f.Hint)
	}
	return f.Code
}

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

// OtherState adds the next step to a port that an engine with another state has.
func OtherState(err *client.OtherState, hint string, args ...any) error {
	return NewFailure(err, fmt.Sprintf(hint, args...), ExitPortTaken)
}

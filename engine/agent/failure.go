package agent

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/wording"
)

// Kind says what a failure means for trying again.
type Kind int

const (
	Permanent Kind = iota // asking again without a change brings the same
	Transient             // launch, network, rate limit, timeout, exit status: worth another try
)

// ErrStopping is the cause of a run that ends because the engine does: another one will ask again.
var ErrStopping = errors.New("the engine is stopping")

// Failure is an agent's failure in one sentence for a person.
type Failure struct {
	Kind   Kind
	Reason string // one sentence without a full stop: "claude ended with status 3"
	Detail string // the program's last line on standard error, at most 200 characters
	Cause  error  // for errors.Is and errors.As; Reason already tells it
	Usage  Usage  // of a run that cost something all the same
	Tries  int    // how often a dispatch is asked that fails so, if its kind is Transient; 0 = as often as any
	Unread string // the reply of a run that ended well, if it cannot be read: [Ask] asks for its form, once
	Cut    string // the agent's text without a good end: for the record, never for a note
}

// Error returns the reason and, when there is one, the program's own last line.
func (f *Failure) Error() string {
	if f.Detail == "" {
		return f.Reason
	}
	return fmt.Sprintf("%s: %s", f.Reason, f.Detail)
}

// Unwrap returns the error behind the failure, if there was one.
func (f *Failure) Unwrap() error { return f.Cause }

// Fail returns the failure whose reason is what its cause says. A program that
// is missing may be installed and a limit ends, so these are Transient; a log-in
// needs a person.
func Fail(cause error) *Failure {
	kind := Permanent
	if _, ok := errors.AsType[*RateLimited](cause); ok {
		kind = Transient
	}
	if _, ok := errors.AsType[*NotFound](cause); ok {
		kind = Transient
	}
	return &Failure{Kind: kind, Reason: cause.Error(), Cause: cause}
}

// NoFolder is the failure of a run that no folder can be made for.
func NoFolder(err error) *Failure {
	return &Failure{Kind: Transient, Cause: err, Reason: "no folder can be made for the run: " + err.Error()}
}

// Unwritable is the failure of a run that a file cannot be written for.
func Unwritable(err error) *Failure {
	return &Failure{Kind: Transient, Cause: err, Reason: "a file for the run cannot be written: " + err.Error()}
}

// Fault is the failure of a run that panicked: another try would do the same.
func Fault(fault any) *Failure {
	return &Failure{Reason: "a fault in this program ended the run; its log says where", Detail: wording.Clip(fmt.Sprint(fault))}
}

// NotFound is the cause of a program that is not installed where it is looked
// for.
type NotFound struct{ Program string }

func (e *NotFound) Error() string {
	if filepath.IsAbs(e.Program) {
		return fmt.Sprintf("the program %s is not there", e.Program)
	}
	return fmt.Sprintf("the program %s is not found on the PATH", e.Program)
}

// NotLoggedIn is the cause of an agent that does not know its user.
type NotLoggedIn struct {
	Program string
	Remedy  string // the next step: "run claude and log in"
}

func (e *NotLoggedIn) Error() string { return e.Program + " is not logged in; " + e.Remedy }

// TooLong is the cause of a model that does not read a whole task at once.
type TooLong struct {
	Program string
	Tokens  int // that it reads; 0 = not known
}

func (e *TooLong) Error() string { return e.Program + " does not read so long a task at once" }

// RateLimited is the cause of an agent that has been asked too much. The agent answers
// no request before Until.
type RateLimited struct {
	Program string
	Expiry  time.Time // zero when it is not known
}

func (e *RateLimited) Error() string {
	if e.Expiry.IsZero() {
		return e.Program + " is at its rate limit"
	}
	return fmt.Sprintf("%s is at its limit until %s", e.Program, e.Expiry.Local().Format("15:04 on 2 January"))
}

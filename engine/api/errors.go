package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

// Errors a [Backend] returns where the status of the answer depends on them.
// The [StatusError] a client returns matches the same ones with errors.Is.
var (
	ErrNotFound = errors.New("not found")          // 404 not_found
	ErrNotNote  = errors.New("not a note")         // 422 not_a_note
	ErrStopping = errors.New("engine is stopping") // 503 stopping
	ErrOffline  = errors.New("vault is offline")   // 503 offline
)

// ErrReplaced is the cause with which a context ends whose engine gives way to the
// next one, which has another configuration.
var ErrReplaced error = &StatusError{Status: http.StatusServiceUnavailable, Code: "busy", RetryAfter: 2 * time.Second,
	Text: "The engine takes up a new configuration; try again in a moment."}

// CauseOf is [ErrReplaced] where a call failed because its context ended so, else err.
func CauseOf(ctx context.Context, err error) error {
	isCut := errors.Is(err, context.Canceled) || errors.Is(err, ErrStopping)
	if cause := context.Cause(ctx); isCut && errors.Is(cause, ErrReplaced) {
		return cause
	}
	return err
}

// Errors only a client returns. In neither case was the token sent.
var (
	ErrNotRunning = errors.New("engine is not running")                // nothing listens on the port
	ErrNotOurs    = errors.New("another program answers on this port") // or another user's
)

// Product is how the server names itself, and what a client knows it by.
const Product = "vault-dispatcher"

// WrongUser is the code for a peer that is not the user who runs the engine.
const WrongUser = "wrong_user"

// Conflict says why a call does not fit the state of what it is about: a
// dispatch that is done cannot be cancelled. It becomes 409 with the reason.
type Conflict struct{ Reason string }

func (c *Conflict) Error() string { return orNotNow(c.Reason) }

// Invalid says what is wrong with a request. It becomes 400 with the reason; a form
// has it beside the field it is about, by the field's name in JSON.
type Invalid struct {
	Reason string
	Field  string // empty = not of one alone
	Value  string // which of a field that has several
}

func (i *Invalid) Error() string { return orNotNow(i.Reason) }

// orNotNow makes a reason presentable where a client shows it as it is.
func orNotNow(reason string) string {
	return cmp.Or(strings.TrimSpace(reason), "This cannot be done now.")
}

// StatusError is an answer that is no success: what a server sends, and what
// a client returns for it.
type StatusError struct {
	Status     int
	Code       string
	Text       string        // for a person, whole sentences; the caller that shows it puts the subject before it
	RetryAfter time.Duration // when to come back; 0 = not said
	Allow      string        // the methods of a 405
	Diff, Seen string        // of a proposal, as it is now
}

func (e *StatusError) Error() string { return e.Text }

// Is lets errors.Is find the sentinel behind an answer's code.
func (e *StatusError) Is(target error) bool {
	switch target {
	case ErrNotFound:
		return e.Code == "not_found"
	case ErrNotNote:
		return e.Code == "not_a_note"
	case ErrStopping:
		return e.Code == "stopping"
	case ErrOffline:
		return e.Code == "offline"
	case context.Canceled: // as the cause of a context it counts as a cancelled one
		return e == ErrReplaced
	}
	return false
}

// Refusal returns a StatusError with nothing but its text.
func Refusal(status int, code, text string) *StatusError {
	return &StatusError{Status: status, Code: code, Text: text}
}

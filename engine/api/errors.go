package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Errors a [Backend] returns where the status of the answer depends on them.
// The [StatusError] a [Client] returns matches the same ones with errors.Is.
var (
	ErrNotFound = errors.New("not found")          // 404 not_found
	ErrNotNote  = errors.New("not a note")         // 422 not_a_note
	ErrStopping = errors.New("engine is stopping") // 503 stopping
	ErrOffline  = errors.New("vault is offline")   // 503 offline
)

// Errors only a [Client] returns. In neither case was the token sent.
var (
	ErrNotRunning = errors.New("engine is not running")                // nothing listens on the port
	ErrNotOurs    = errors.New("another program answers on this port") // or another user's
)

// Conflict says why a call does not fit the state of what it is about: a
// dispatch that is done cannot be cancelled. It becomes 409 with the reason.
type Conflict struct{ Reason string }

func (c *Conflict) Error() string { return c.Reason }

// Invalid says what is wrong with a request. It becomes 400 with the reason; a form
// has it beside the field it is about, by the field's name in JSON.
type Invalid struct {
	Reason string
	Field  string // empty = not of one alone
	Value  string // which of a field that has several
}

func (i *Invalid) Error() string { return i.Reason }

// StatusError is an answer that is no success: what a [Server] sends, and what
// a [Client] returns for it.
type StatusError struct {
	Status     int
	Code       string
	Text       string        // one sentence for a person
	RetryAfter time.Duration // when to come back; 0 = not said
	allow      string        // the methods of a 405
}

func (e *StatusError) Error() string { return fmt.Sprintf("%s (%s)", e.Text, e.Code) }

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
	}
	return false
}

// refusal is short for a StatusError with nothing but its text.
func refusal(status int, code, text string) *StatusError {
	return &StatusError{Status: status, Code: code, Text: text}
}

// statusOf is the one place where an error becomes a status. What it does not
// know is a fault of ours: 500, and the text stays in the log.
func statusOf(err error) *StatusError {
	var (
		status   *StatusError
		conflict *Conflict
		invalid  *Invalid
	)
	switch {
	case errors.As(err, &status):
		return status
	case errors.As(err, &conflict):
		return refusal(http.StatusConflict, "conflict", sentence(conflict.Reason))
	case errors.As(err, &invalid):
		return refusal(http.StatusBadRequest, "bad_request", sentence(invalid.Reason))
	case errors.Is(err, ErrNotFound):
		return refusal(http.StatusNotFound, "not_found", "There is nothing by this name; look at the list again.")
	case errors.Is(err, ErrNotNote):
		return errNotNote()
	case errors.Is(err, ErrOffline):
		return refusal(http.StatusServiceUnavailable, "offline", "The vault's folder cannot be reached now; try again when it is back.")
	case errors.Is(err, ErrStopping), errors.Is(err, context.Canceled):
		return refusal(http.StatusServiceUnavailable, "stopping", "The engine is stopping; start it again with wiki run.")
	case errors.Is(err, context.DeadlineExceeded):
		return refusal(http.StatusServiceUnavailable, "busy", "This took too long; try again in a moment.")
	}
	return refusal(http.StatusInternalServerError, "internal", "Something went wrong in the engine; its log says what.")
}

// sentence makes a reason presentable where a client shows it as it is.
func sentence(reason string) string {
	if reason = strings.TrimSpace(reason); reason == "" {
		return "This cannot be done now."
	}
	return reason
}

func errOutside() *StatusError {
	return refusal(http.StatusForbidden, "outside_vaults", "This file is in none of the configured vaults; add its folder to wiki.vaults.")
}

func errNotNote() *StatusError {
	return refusal(http.StatusUnprocessableEntity, "not_a_note", "Only a regular .md file of at most 10 MiB outside dot folders is a note.")
}

func errNoFile() *StatusError {
	return refusal(http.StatusNotFound, "not_found", "There is no note at this path; save it first, or check the path.")
}

func errBadPath(why string) *StatusError {
	return refusal(http.StatusBadRequest, "bad_request", "The path "+why+"; send the path of a note.")
}

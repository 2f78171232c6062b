package embed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Failure is why no vectors came.
type Failure struct {
	Reason  string        // one sentence, lower case, without a full stop
	Next    string        // what the reader can do about it
	Lasting bool          // asking again changes nothing before somebody has done it
	After   time.Duration // the server wishes to be left alone that long; 0 = it said nothing
	cause   error
}

func (f *Failure) Error() string { return f.Reason + "; " + f.Next }
func (f *Failure) Unwrap() error { return f.cause }

// refusal is an answer of a server other than 200.
type refusal struct {
	status int
	text   string // what the server says of it
	after  time.Duration
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.status, r.text) }

// tooMuch reports whether a smaller request may be taken. Servers say 413 to
// many texts, and many say 400 to a long one.
func tooMuch(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && (r.status == http.StatusRequestEntityTooLarge || r.status == http.StatusBadRequest)
}

// unreached explains an error of a request that brought no answer.
func (r *remote) unreached(ctx context.Context, err error) error {
	f := &Failure{cause: err, Next: r.start}
	switch timeout, _ := errors.AsType[net.Error](err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "refused"):
		f.Reason = fmt.Sprintf("nothing answers at %s", r.seen)
	case timeout != nil && timeout.Timeout():
		f.Reason = fmt.Sprintf("the embedding server at %s did not answer within %s", r.seen, r.timeout)
		f.Next = "raise wiki.embedding.timeout, or use a smaller model"
	case errors.Is(err, errRedirect):
		f.Reason = fmt.Sprintf("the embedding server at %s sends callers elsewhere, which is not followed", r.seen)
		f.Next, f.Lasting = "set wiki.embedding.url to where it sends them", true
	default:
		f.Reason = fmt.Sprintf("the embedding server at %s cannot be reached (%v)", r.seen, innermost(err))
	}
	return f
}

// refused explains an answer other than 200.
func (r *remote) refused(err *refusal) error {
	f := &Failure{cause: err, After: err.after}
	said := ""
	if err.text != "" {
		said = ": " + err.text
	}
	switch err.status {
	case http.StatusNotFound:
		f.Lasting = true
		f.Reason = fmt.Sprintf("the embedding server at %s does not have the model %q%s", r.seen, r.model, said)
		f.Next = r.fetch
		if !strings.Contains(strings.ToLower(err.text), "model") {
			f.Reason = fmt.Sprintf("the server at %s has no %s", r.seen, r.path)
			f.Next = "check wiki.embedding.url and wiki.embedding.provider; an old server may need an update"
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		f.Lasting = true
		f.Reason = fmt.Sprintf("the embedding server at %s wants another key (%d%s)", r.seen, err.status, said)
		f.Next = "name the environment variable that holds it in wiki.embedding.apiKeyEnv"
		if r.keyVariable != "" {
			f.Next = "check what the environment variable " + r.keyVariable + " holds"
		}
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		f.Lasting = true
		f.Reason = fmt.Sprintf("the embedding server at %s takes no text for the model %q (%d%s)", r.seen, r.model, err.status, said)
		f.Next = "check that wiki.embedding.model names a model for embeddings"
	case http.StatusTooManyRequests:
		f.Reason = fmt.Sprintf("the embedding server at %s has had enough requests for now%s", r.seen, said)
		f.Next = "it is asked again later by itself"
	default:
		f.Reason = fmt.Sprintf("the embedding server at %s failed (%d%s)", r.seen, err.status, said)
		f.Next = "its own log says why; it is asked again later by itself"
	}
	return f
}

// garbled explains a 200 that cannot be used.
func (r *remote) garbled(format string, args ...any) error {
	return &Failure{Reason: fmt.Sprintf("the embedding server at %s %s", r.seen, fmt.Sprintf(format, args...)),
		Next: "check that wiki.embedding.url and wiki.embedding.provider fit together"}
}

func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

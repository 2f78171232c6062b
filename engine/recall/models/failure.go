package models

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// isTooMuch reports whether a smaller request may be taken. Servers say 413 to
// many texts, and many say 400 to a long one.
func isTooMuch(err error) bool {
	r, ok := errors.AsType[*modelhttp.Refusal](err)
	return ok && (r.Status == http.StatusRequestEntityTooLarge || r.Status == http.StatusBadRequest)
}

// explainUnreached explains an error of a request that brought no answer.
func (r *remote) explainUnreached(ctx context.Context, err error) error {
	f := &embed.Failure{Cause: err, Remedy: r.start}
	switch timeout, _ := errors.AsType[net.Error](err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case modelhttp.IsNotRunning(err):
		f.Reason = fmt.Sprintf("nothing answers at %s", r.label)
	case timeout != nil && timeout.Timeout():
		f.Reason = fmt.Sprintf("the embedding server at %s did not answer within %s", r.label, times.Duration(r.timeout))
		f.Remedy = "raise wiki.embedding.timeout, or use a smaller model"
	case errors.Is(err, modelhttp.ErrRedirect):
		f.Reason = fmt.Sprintf("the embedding server at %s sends callers elsewhere, which is not followed", r.label)
		f.Remedy, f.Lasting = "set wiki.embedding.url to where it sends them", true
	default:
		f.Reason = fmt.Sprintf("the embedding server at %s cannot be reached (%v)", r.label, modelhttp.RootCause(err))
	}
	return f
}

// explainRefusal explains an answer other than 200.
func (r *remote) explainRefusal(err *modelhttp.Refusal) error {
	after, _ := err.RetryAfter(time.Now())
	f := &embed.Failure{Cause: err, Pause: min(after, time.Hour)}
	text := wording.Clip(err.Text)
	said := ""
	if text != "" {
		said = ": " + text
	}
	switch err.Status {
	case http.StatusNotFound:
		f.Lasting = true
		f.Reason = fmt.Sprintf("the embedding server at %s does not have the model %q%s", r.label, r.model, said)
		f.Remedy = r.fetch
		if !strings.Contains(strings.ToLower(text), "model") {
			f.Reason = fmt.Sprintf("the server at %s has no %s", r.label, r.path)
			f.Remedy = "check wiki.embedding.url and wiki.embedding.provider; an old server may need an update"
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		f.Lasting = true
		f.Reason = fmt.Sprintf("the embedding server at %s wants another key (%d%s)", r.label, err.Status, said)
		f.Remedy = "name the environment variable that holds it in wiki.embedding.apiKeyEnv"
		if r.keyVariable != "" {
			f.Remedy = "check what the environment variable " + r.keyVariable + " holds"
		}
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		f.Lasting = true
		f.Reason = fmt.Sprintf("the embedding server at %s takes no text for the model %q (%d%s)", r.label, r.model, err.Status, said)
		f.Remedy = "check that wiki.embedding.model names a model for embeddings"
	case http.StatusTooManyRequests:
		f.Reason = fmt.Sprintf("the embedding server at %s has had enough requests for now%s", r.label, said)
		f.Remedy = "it is asked again later by itself"
	default:
		f.Reason = fmt.Sprintf("the embedding server at %s failed (%d%s)", r.label, err.Status, said)
		f.Remedy = "its own log says why; it is asked again later by itself"
	}
	return f
}

// explainGarbled explains a 200 that cannot be used.
func (r *remote) explainGarbled(format string, args ...any) error {
	return &embed.Failure{Reason: fmt.Sprintf("the embedding server at %s %s", r.label, fmt.Sprintf(format, args...)),
		Remedy: "check that wiki.embedding.url and wiki.embedding.provider fit together"}
}

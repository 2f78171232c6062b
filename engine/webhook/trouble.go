package webhook

import (
	"errors"
	"fmt"
	"net/http"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/syserr"
)

// Notices are what a person should know: that the server takes nothing, and the next step. They have nothing of what was sent.
func (s *Sender) Notices() []api.Notice {
	if s == nil {
		return nil
	}
	if why := s.trouble.Load(); why != nil {
		return []api.Notice{api.NewNotice(api.NoticeWebhook, "error", *why)}
	}
	return nil
}

// tellTrouble remembers why the server takes nothing; an empty reason says that it does.
func (s *Sender) tellTrouble(why string) {
	now := &why
	if why == "" {
		now = nil
	}
	was := s.trouble.Swap(now)
	if (was == nil) != (now == nil) || now != nil && *was != why {
		s.opts.Changed()
	}
}

// isFinal reports whether a server that answers so will not take the same message later.
func isFinal(status int) bool {
	return status/100 == 4 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests
}

// explain says why a message was not taken, without the address and without what the server says.
func explain(err error) string {
	if refusal, ok := errors.AsType[*modelhttp.Refusal](err); ok {
		return "the server answers " + fmt.Sprint(refusal.Status, " ", http.StatusText(refusal.Status))
	}
	return syserr.Plain(modelhttp.RootCause(err))
}

// advise is explain with what a person can do.
func advise(err error) string {
	refusal, isRefused := errors.AsType[*modelhttp.Refusal](err)
	switch {
	case errors.Is(err, modelhttp.ErrRedirect):
		return "the server sends callers to another address; put that one into wiki.webhook.url"
	case !isRefused:
		return "the server cannot be reached: " + explain(err) + "; check that address and the network"
	case refusal.Status == http.StatusUnauthorized || refusal.Status == http.StatusForbidden:
		return explain(err) + "; put a token that may write there into the variable that wiki.webhook.tokenEnv names, then wiki service restart"
	case isFinal(refusal.Status):
		return explain(err) + "; copy the address from the service anew into wiki.webhook.url"
	}
	return explain(err) + "; the next message tries it again"
}

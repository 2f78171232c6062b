package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/syserr"
)

// silentLong is how long a server may be away before a person is told.
const silentLong = 10 * time.Minute

// Notices are what a person should know: that the server takes no messages or hands no replies on, with the next step, and which
// replies did nothing. They have nothing of what was sent.
func (s *Sender) Notices() (rows []api.Notice) {
	if s == nil {
		return nil
	}
	if why := s.mute.reason.Load(); why != nil {
		rows = append(rows, api.NewNotice(api.NoticeWebhook, "error", *why))
	}
	if why := s.deaf.reason.Load(); why != nil {
		rows = append(rows, api.NewNotice(api.NoticeDeaf, "error", *why))
	}
	if n, kinds := s.refused.list(); n > 0 {
		rows = append(rows, api.NewNotice(api.NoticeReplies, "count", n, "error", kinds))
	}
	return rows
}

// trouble is why a server does not do its part, and the next step.
type trouble struct{ reason atomic.Pointer[string] } // nil = it does, as far as is known

// tell remembers why; an empty reason ends the trouble. changed is called where that is news.
func (t *trouble) tell(why string, changed func()) {
	now := &why
	if why == "" {
		now = nil
	}
	was := t.reason.Swap(now)
	if (was == nil) != (now == nil) || now != nil && *was != why {
		changed()
	}
}

// isNews reports whether a person is told of a failure: of a refusal for good at once, of others after a while.
func isNews(err error, begun time.Time) bool {
	refusal, ok := errors.AsType[*modelhttp.Refusal](err)
	return ok && isFinal(refusal.Status) || time.Since(begun) >= silentLong
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
		return explain(err) + "; put a token that is allowed there into the variable that wiki.webhook.tokenEnv names, then wiki service restart"
	case isFinal(refusal.Status):
		return explain(err) + "; copy the address from the service anew into wiki.webhook.url"
	}
	return explain(err) + "; the next message tries it again"
}

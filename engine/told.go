package engine

import (
	"context"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/syserr"
)

// Notices returns what a person should know, found at the start or true now.
func (e *Engine) Notices() []api.Notice {
	now := append(e.heldNotices(), e.budgetNotices(time.Now())...)
	if trouble := e.recorder.Trouble(); trouble != "" {
		now = append(now, api.NewNotice(api.NoticeJournal, "error", trouble))
	}
	for _, l := range e.dispatcher.Limits() {
		limit := api.NewNotice(api.NoticeLimit, "role", l.Role, "reason", l.Reason)
		limit.Until = optionalTime(l.Until)
		now = append(now, limit)
	}
	for _, problem := range e.roles.Problems() {
		now = append(now, api.NewNotice(api.NoticeRole, "problem", problem))
	}
	for _, job := range e.sound.GivenUp() {
		now = append(now, api.NewNotice(api.NoticeSound, "vault", e.vaults.NameOf(job.Root), "file", job.Note, "error", job.Problem))
	}
	for _, v := range e.vaults {
		if reason := v.WhyRefused(); reason != "" {
			now = append(now, api.NewNotice(api.NoticeUnwatched, "vault", v.Name, "reason", reason))
		}
		others, here := v.OtherEngines()
		if len(others) > 0 {
			now = append(now, api.NewNotice(api.NoticeEngines, "vault", v.Name, "machines", strings.Join(others, ", ")))
		}
		if here {
			now = append(now, api.NewNotice(api.NoticeEnginesHere, "vault", v.Name))
		}
		if n, err := v.Unfinished(); n > 0 {
			now = append(now, api.NewNotice(api.NoticeUnread, "vault", v.Name, "count", n, "error", syserr.Plain(err)))
		}
	}
	return e.notices.List(append(now, e.untakenNotices()...))
}

// heldNotices say what is held and why, one for each reason.
func (e *Engine) heldNotices() []api.Notice {
	held, err := e.journal.HeldFor(context.Background())
	if err != nil {
		e.log.Error("read why dispatches are held", "error", err)
		return nil
	}
	var rows []api.Notice
	for _, h := range held {
		rows = append(rows, api.NewNotice(api.NoticeHeld, "vault", e.vaults.NameOf(h.Vault), "kind", h.Kind, "reason", h.Reason, "count", h.Markers))
	}
	return rows
}

// tellStep tells of a step of a dispatch.
func (e *Engine) tellStep(step string, d journal.Dispatch) {
	e.asking.Wake(d.ID)
	e.metrics.CountStep(step, d)
	if n, ok := news.OfStep(step, d); ok {
		n.Vault = e.vaults.NameOf(d.Vault)
		e.news(n)
		e.webhook.Tell(n, d)
	}
}

// tellProgress tells how far the agent of a dispatch is.
func (e *Engine) tellProgress(d journal.Dispatch, progress string) {
	if !e.steps.Tell(d.ID, progress) {
		return
	}
	e.StatusChanged()
	n := news.OfProgress(d, progress)
	n.Vault = e.vaults.NameOf(d.Vault)
	e.news(n)
}

// DismissNotice implements [api.Backend].
func (e *Engine) DismissNotice(_ context.Context, id string) error {
	if !e.notices.Dismiss(id) {
		return api.ErrNotFound
	}
	e.StatusChanged()
	return nil
}

// Say has the status show one sentence of our starter's, until the next one; an
// empty one ends it.
func (e *Engine) Say(sentence string) {
	e.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeStarter })
	if sentence != "" {
		e.AddNotice(api.NoticeStarter, "text", sentence)
	}
	e.StatusChanged()
}

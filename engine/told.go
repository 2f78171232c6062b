package engine

import (
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
)

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

// Say has the status show one sentence of our starter's, until the next one; an
// empty one ends it.
func (e *Engine) Say(sentence string) {
	e.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeStarter })
	if sentence != "" {
		e.AddNotice(api.NoticeStarter, "text", sentence)
	}
	e.StatusChanged()
}

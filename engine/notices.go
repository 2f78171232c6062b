package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
)

// notices are what a person should know. Some are told once and stay until they are
// dismissed or ended; the others are true when the status is asked for, and are
// remembered only for how long they have been.
type notices struct {
	mu        sync.Mutex // guards what follows
	told      []api.Notice
	since     map[string]time.Time // of those that are true now, by their IDs
	dismissed map[string]bool      // by ID, as long as they are true
}

// tell adds a notice, or replaces the one about the same thing.
func (n *notices) tell(notice api.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	notice.Since = time.Now().UTC()
	n.told = slices.DeleteFunc(n.told, func(t api.Notice) bool { return t.ID == notice.ID })
	n.told = append(n.told, notice)
	delete(n.dismissed, notice.ID)
}

// end removes the notices that are over.
func (n *notices) end(isOver func(api.Notice) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.told = slices.DeleteFunc(n.told, isOver)
}

// list returns all notices, those that were told first, given those that are true now.
func (n *notices) list(now []api.Notice) []api.Notice {
	n.mu.Lock()
	defer n.mu.Unlock()
	since, dismissed := make(map[string]time.Time), make(map[string]bool)
	all := slices.Concat(n.told, now)
	for i := range all {
		row := &all[i]
		if row.Since.IsZero() {
			row.Since = cmp.Or(n.since[row.ID], time.Now().UTC())
			since[row.ID] = row.Since
		}
		if row.Dismissed = n.dismissed[row.ID]; row.Dismissed {
			dismissed[row.ID] = true
		}
	}
	n.since, n.dismissed = since, dismissed
	return all
}

// dismiss marks a notice as read and reports whether there is one with that ID.
func (n *notices) dismiss(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, isTrue := n.since[id]
	if !isTrue && !slices.ContainsFunc(n.told, func(t api.Notice) bool { return t.ID == id }) {
		return false
	}
	if n.dismissed == nil {
		n.dismissed = make(map[string]bool)
	}
	n.dismissed[id] = true
	return true
}

// Notices returns what a person should know, found at the start or true now.
func (e *Engine) Notices() []api.Notice {
	now := e.heldNotices()
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
	for _, v := range e.vaults {
		if reason := v.WhyNotOpen(); reason != "" && !v.IsOpen() {
			now = append(now, api.NewNotice(api.NoticeUnwatched, "vault", v.Name, "reason", reason))
		}
		if n, err := v.Unfinished(); n > 0 {
			now = append(now, api.NewNotice(api.NoticeUnread, "vault", v.Name, "count", n, "error", err))
		}
	}
	return e.notices.list(now)
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
		rows = append(rows, api.NewNotice(api.NoticeHeld, "vault", e.vaultName(h.Vault), "reason", h.Reason, "count", h.Markers))
	}
	return rows
}

// tell adds a notice; the arguments are those of [api.NewNotice].
func (e *Engine) tell(code string, args ...any) {
	e.notices.tell(api.NewNotice(code, args...))
	e.tellChanged()
}

func (e *Engine) tellBothKept(file, copy string) {
	e.tell(api.NoticeBothKept, "file", file, "copy", copy)
}

func (e *Engine) tellUndoFailed(d journal.Dispatch, reason string) {
	e.tell(api.NoticeUndo, "dispatch", d.ID, "file", d.File, "reason", reason)
}

// DismissNotice implements [api.Backend].
func (e *Engine) DismissNotice(_ context.Context, id string) error {
	if !e.notices.dismiss(id) {
		return api.ErrNotFound
	}
	e.tellChanged()
	return nil
}

// Say has the status show one sentence of our starter's, until the next one; an
// empty one ends it.
func (e *Engine) Say(sentence string) {
	e.notices.end(func(n api.Notice) bool { return n.Code == api.NoticeStarter })
	if sentence != "" {
		e.tell(api.NoticeStarter, "text", sentence)
	}
	e.tellChanged()
}

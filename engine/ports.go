package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/vault"
)

// This file is what the rooms ask the engine for: the limit of starts an hour, what the
// writer has to know of a vault, what a vault may ask, what the next engine takes over,
// and notices.

// openLimits makes what keeps wiki.limits.perHour, with what was started before.
func (e *Engine) openLimits(ctx context.Context) error {
	starts, err := e.journal.Starts(ctx, time.Now().Add(-time.Hour))
	if err != nil {
		return err
	}
	e.hourly = roles.NewHourly(e.config.Limits.PerHour, starts)
	e.releaser = roles.NewReleaser(roles.ReleaserOptions{
		List: e.heldUntil,
		Release: func(ctx context.Context, d journal.Timed) error {
			err := e.dispatcher.Release(ctx, d.ID, "its hour has come")
			if errors.Is(err, journal.ErrState) {
				return nil // another release was faster
			}
			return err
		},
		Failed: func(err error) { e.log.Warn("release what was held until now", "error", err) },
	})
	return nil
}

// takeStart holds a dispatch that may start until wiki.limits.perHour has room for it.
// It returns the start that was taken for it.
func (e *Engine) takeStart(d *journal.Dispatch, now time.Time) time.Time {
	if d.Status != journal.Queued {
		return time.Time{}
	}
	now = now.Truncate(time.Millisecond) // as the journal keeps it
	at := e.hourly.Take(now)
	if at.After(now) {
		d.Status, d.NextAttempt = journal.Held, at
		d.Error = fmt.Sprintf("more than wiki.limits.perHour (%d) in an hour; it starts by itself", e.hourly.Most())
	}
	return at
}

// heldUntil lists what waits for its hour in the vaults there are; without a limit
// the hour has come. In a vault that is left to another machine nothing starts.
func (e *Engine) heldUntil(ctx context.Context) ([]journal.Timed, error) {
	waiting, err := e.journal.HeldUntil(ctx)
	waiting = slices.DeleteFunc(waiting, func(d journal.Timed) bool { return e.vaultAt(d.Vault) == nil })
	now, left := time.Now(), make(map[string]bool)
	for _, v := range e.openVaults() {
		left[v.Root] = len(waiting) > 0 && v.WhyForeign() != ""
	}
	for i, d := range waiting {
		if e.hourly.Most() == 0 {
			waiting[i].At = now
		}
		if left[d.Vault] && !waiting[i].At.After(now) {
			waiting[i].At = now.Add(retryLater)
		}
	}
	slices.SortStableFunc(waiting, func(a, b journal.Timed) int { return a.At.Compare(b.At) })
	return waiting, err
}

// isAway reports whether the disk of a vault is away.
func (e *Engine) isAway(root string) bool {
	v := e.vaultAt(root)
	return v != nil && v.IsAway()
}

// markUnreachable has a vault announced anew when its folder is back.
func (e *Engine) markUnreachable(root string) {
	if v := e.vaultAt(root); v != nil {
		v.MarkUnreachable()
	}
}

// readForProgress returns a note with its progress comments and when it was changed; an
// error says that nothing is to be told in it.
func (e *Engine) readForProgress(root, rel string) ([]byte, time.Time, error) {
	v := e.vaultAt(root)
	if v == nil || !v.IsNote(rel) || v.IsAway() {
		return nil, time.Time{}, fmt.Errorf("%s is no note that can be told in", rel)
	}
	src, err := v.ReadRaw(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	info, err := v.Stat(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	return src, info.ModTime(), nil
}

// vaultPort is what the vaults may ask of this engine.
func (e *Engine) vaultPort(oldMarkers func(vault string, markers int)) vault.Port {
	return vault.Port{
		Start:     e.startGroups,
		HasRunner: func(role string) bool { _, _, err := e.roles.Find(role); return err == nil },
		Submit:    e.dispatcher.Submit,
		Cancel:    e.dispatcher.Cancel,
		Moved: func(id, rel string) {
			e.dispatcher.Moved(id, rel)
			e.writer.Moved(id, rel)
		},
		Hurry: e.writer.Hurry, Reapply: e.writer.Reapply, ShowProgress: e.writer.Touch, AwaitRecovery: e.writer.AwaitRecovery,
		Opened: e.takeUp, OldMarkers: oldMarkers, Tell: e.tell, Changed: e.tellChanged,
	}
}

// retryLater is how soon it is seen whether a vault that was left alone is ours again.
const retryLater = 5 * time.Second

// delayFor says how long a dispatch may not be asked yet because its vault is left to
// another machine, or does not respond.
func (e *Engine) delayFor(d journal.Dispatch) time.Duration {
	if v := e.vaultAt(d.Vault); v != nil && (v.WhyForeign() != "" || v.Silence() != "") {
		return retryLater
	}
	return 0
}

// This file is what an engine leaves to the one that takes its place in the same
// process, when the configuration has changed. Everything else is in the journal.

// Switch is how a person has set the watching of a vault, against or with the
// configuration.
type Switch = vault.Switch

// Switches returns what was set by hand, by the vault's configured path. Where no
// vault is watched any more, the empty path says so for those that come.
func (e *Engine) Switches() map[string]Switch {
	set, off := make(map[string]Switch), 0
	for _, v := range e.vaults {
		s, ok := v.WatchingByHand(time.Now())
		if ok {
			set[v.Alias] = s
		}
		if ok && !s.On {
			off, set[""] = off+1, s
		}
	}
	if off < len(e.vaults) {
		delete(set, "")
	}
	return set
}

// switchFor returns how a vault's watching was set before, if it was.
func switchFor(switches map[string]Switch, path string) (Switch, bool) {
	s, ok := switches[path]
	if !ok {
		s, ok = switches[""]
	}
	return s, ok
}

// Working reports whether an agent is at work or its answer is being written.
func (e *Engine) Working() bool { return e.dispatcher.Running()+e.writer.Writing() > 0 }

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
	return e.notices.List(now)
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
	e.notices.Tell(api.NewNotice(code, args...))
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
	if !e.notices.Dismiss(id) {
		return api.ErrNotFound
	}
	e.tellChanged()
	return nil
}

// Say has the status show one sentence of our starter's, until the next one; an
// empty one ends it.
func (e *Engine) Say(sentence string) {
	e.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeStarter })
	if sentence != "" {
		e.tell(api.NoticeStarter, "text", sentence)
	}
	e.tellChanged()
}

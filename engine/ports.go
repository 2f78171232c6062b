package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/broadcast"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/writer"
)

// This file is what the rooms ask the engine for: what the writer has to know of a vault,
// what a vault may ask, and notices.

func (e *Engine) openWriter() {
	e.writer = writer.New(writer.Options{
		Journal: e.journal, Record: e.recorder, Engine: e.id, AnswerBytes: e.config.Limits.AnswerBytes, FollowFor: vault.FollowFor,
		WhyBack: e.whyBack, IsAway: e.isAway, Unreachable: e.markUnreachable,
		BothKept: func(file, copy string) { e.tell(api.NoticeBothKept, "file", file, "copy", copy) }, UndoFailed: e.tellUndoFailed,
		Progress: writer.Progress{On: e.config.Progress == "note", Host: presence.ThisMachine(), Rest: e.config.Debounce, Read: e.readForProgress, Missed: e.missedIn},
		Log:      e.log,
	})
}

// isPrivate reports whether a note is private now: no agent that leaves this machine may see it.
func (e *Engine) isPrivate(rel string) bool { return e.roles.Rules.IsPrivate(rel) }

func (e *Engine) openDispatcher(opts Options) (err error) {
	b := opts.Config.Broadcast
	e.sound = broadcast.NewDesk(speech.Settings{Engine: b.Engine, Command: b.Command, URL: b.URL, Model: b.Model, Key: os.Getenv(b.APIKeyEnv), Voices: b.Voices},
		b.Folder, filepath.Join(opts.State, "speech"), e.id, opts.Log, e.isPrivate, e.tellChanged)
	own := roles.Own{Miner: opts.miner, Parts: e.journal, Remote: roles.Remote{State: opts.State, Journal: e.journal, Log: opts.Log}, Broadcaster: broadcast.New(broadcast.Port{
		Index: e.indexOf, Engine: e.id, Folder: b.Folder, Sound: e.sound, Private: e.isPrivate, Journal: e.journal,
		History: opts.Config.HistoryOf, MayTell: func(x journal.Exchange) bool { return e.roles.Rules.MayLeave(x) }})}
	if own.Miner == nil {
		own.Miner = builtin.New(e.indexOf)
	}
	if e.roles, err = roles.New(opts.Config, opts.Agents, own); err != nil {
		return err
	}
	e.dispatcher = dispatch.New(dispatch.Options{
		Journal: e.journal, Record: e.recorder,
		Concurrency: opts.Config.Dispatch.Concurrency, Mode: opts.Config.Dispatch.Mode, Grace: e.grace,
		Runner: e.roles.Find, Delay: e.delayFor, ShareLimit: e.roles.ShareLimit, Lane: e.roles.Lane,
		Ask: e.askAgent, Write: e.writeAnswers, Changed: e.writer.Changed, Spent: e.metrics.CountUsage,
		Log: opts.Log,
	})
	return nil
}

// whyBack says why answers that a note has lost are held, or nothing.
func (e *Engine) whyBack(root, rel string) string {
	if v := e.vaultAt(root); v != nil {
		return v.WhyBack(rel)
	}
	return ""
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
		Start:       e.startGroups,
		Refuse:      e.refuse,
		KeepUntaken: e.keepUntaken,
		Submit:      e.dispatcher.Submit,
		Cancel:      e.dispatcher.Cancel,
		Hold:        e.dispatcher.Hold,
		Moved: func(id, rel string) {
			e.dispatcher.Moved(id, rel)
			e.writer.Moved(id, rel)
		},
		Renamed: e.writer.Renamed, Hurry: e.writer.Hurry, Reapply: e.writer.Reapply, Restore: e.writer.Restore, ShowProgress: e.writer.Touch, AwaitRecovery: e.writer.AwaitRecovery,
		Opened: e.takeUp, OldMarkers: oldMarkers, Tell: e.tell, Changed: e.tellChanged,
	}
}

// retryLater is how soon it is seen whether a vault that was left alone is ours again.
const retryLater = 5 * time.Second

// delayFor says how long a dispatch may not be asked yet because its vault is left to
// another machine or does not respond, or the machine that answers it is away.
func (e *Engine) delayFor(d journal.Dispatch) time.Duration {
	if v := e.vaultAt(d.Vault); v != nil && (v.WhyIdle() != "" || v.Silence() != "") || e.roles.WhyAway(d.Role) != "" {
		return retryLater
	}
	return 0
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
	for _, job := range e.sound.GivenUp() {
		now = append(now, api.NewNotice(api.NoticeSound, "vault", e.vaultName(job.Root), "file", job.Note, "error", job.Problem))
	}
	for _, v := range e.vaults {
		if reason := v.WhyRefused(); reason != "" {
			now = append(now, api.NewNotice(api.NoticeUnwatched, "vault", v.Name, "reason", reason))
		}
		if others := v.OtherEngines(); len(others) > 0 {
			now = append(now, api.NewNotice(api.NoticeEngines, "vault", v.Name, "machines", strings.Join(others, ", ")))
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
		rows = append(rows, api.NewNotice(api.NoticeHeld, "vault", e.vaultName(h.Vault), "kind", h.Kind, "reason", h.Reason, "count", h.Markers))
	}
	return rows
}

// tellStep tells of a step of a dispatch.
func (e *Engine) tellStep(step string, d journal.Dispatch) {
	e.asking.Wake(d.ID)
	e.metrics.CountStep(step, d)
	if n, ok := news.OfStep(step, d); ok {
		n.Vault = e.vaultName(d.Vault)
		e.news(n)
	}
}

// tellProgress tells how far the agent of a dispatch is.
func (e *Engine) tellProgress(d journal.Dispatch, progress string) {
	if !e.steps.Tell(d.ID, progress) {
		return
	}
	e.tellChanged()
	n := news.OfProgress(d, progress)
	n.Vault = e.vaultName(d.Vault)
	e.news(n)
}

// tell adds a notice; the arguments are those of [api.NewNotice].
func (e *Engine) tell(code string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = syserr.Plain(err)
		}
	}
	e.notices.Tell(api.NewNotice(code, args...))
	e.tellChanged()
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

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/group"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/note/window"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/follow"
)

// This file tells the way of one save, from top to bottom. A step in another room is given by its
// function; the interfaces that the rooms have for each other ([vault.Port], [dispatch.Options],
// [writer.Engine]) lead there.
//
//	a note is saved     watch.Watcher.Run finds it and calls Vault.handleEvent (engine/vault/run.go), which waits for the
//	                    debounce in the queue of notes to look at; POST scan looks at once (engine/front/scan.go)
//	Vault.lookAt        engine/vault/look.go: reads the note, pairs its markers with known questions, and keeps those that
//	                    have settled; its steps are a list there
//	starts.StartGroups  below: each group becomes a dispatch in the journal, and is queued
//	Dispatcher.Run      engine/dispatch: gives it one of three slots (start.go, work.go)
//	asker.AskAgent      below: passages and history, then the text, into the journal; agent.Ask runs the agent by the
//	                    dispatcher, which keeps what it cost, and reads the reply, with one repair
//	Journal.RecordAnswers  by the dispatcher; the slot is free
//	Writer.Submit       engine/writer: the queue of the note (queue.go), then rewrite.Answer (write.go)
//	Journal.RecordWritten  the note is the answer

// StartGroups makes the groups that have settled in a note dispatches. They are submitted only
// when all are accepted: the groups of a chain have to know of each other.
func (s *starts) StartGroups(ctx context.Context, v *vault.Vault, found vault.Settled) (accepted []journal.Dispatch, err error) {
	for i, g := range found.Groups {
		var d journal.Dispatch
		if d, err = s.acceptGroup(ctx, v, found, g, i); err != nil {
			break
		}
		accepted = append(accepted, d)
	}
	for _, d := range accepted {
		if d.Crowded = found.Crowded; d.Status == journal.Queued {
			s.dispatcher.Submit(d)
		}
	}
	return accepted, err
}

// acceptGroup makes one group a dispatch. If the journal finds a marker claimed after all, it stores
// nothing, and the returned record is empty.
func (s *starts) acceptGroup(ctx context.Context, v *vault.Vault, found vault.Settled, g vault.Admitted, nth int) (journal.Dispatch, error) {
	// The groups of one note are a millisecond apart, so that they keep its order.
	now := time.Now().Add(time.Duration(nth) * time.Millisecond)
	d := s.draft(v, found, g, now)
	if d.Hold != "" {
		d.Status = journal.Held
	}
	s.Take(&d, now)
	id := d.ID
	if d.Hold == "" && s.isWorthSeeking(found, g) {
		s.seekAt(ctx, v, newSeeking(d), now)
	}
	d, accepted, err := s.journal.Accept(ctx, d, follow.CountLines(found.Doc.Markers))
	if err != nil || !accepted {
		s.GiveBack(id)
	}
	if err != nil {
		return journal.Dispatch{}, fmt.Errorf("accept %s in %s: %w", g.Key, found.Rel, err)
	}
	if !accepted {
		return journal.Dispatch{}, nil
	}
	if !d.NextAttempt.IsZero() {
		s.LookAgain()
	}
	return d, nil
}

// draft is the record of a group as it would be asked at a time.
func (s *starts) draft(v *vault.Vault, found vault.Settled, g vault.Admitted, now time.Time) journal.Dispatch {
	frame := group.FrameOf(s.config.ContextOf(g.Role), found.Page)
	d := group.NewDispatch(now, group.Found{Root: v.Root, Rel: found.Rel, Page: found.Page, Doc: found.Doc}, g.Group, frame)
	d.Trigger, d.Hold, d.Error = found.Trigger, g.Hold, g.Reason
	for i := range d.Markers { // the line itself has its bytes
		d.Markers[i].Instruction = window.Words(d.Markers[i].Instruction)
	}
	return d
}

// The dispatcher calls the functions below, for a dispatch that has a slot.

// AskAgent gets one answer for each marker of a dispatch from its agent.
func (a *asker) AskAgent(ctx context.Context, d journal.Dispatch, run dispatch.AskOnce) ([]string, error) {
	if err := a.whyNotAsked(ctx, d); err != nil {
		return nil, err
	}
	task, err := a.makeTask(ctx, d)
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		return nil, failure // in words for a person
	}
	if err != nil {
		return nil, fmt.Errorf("build the task: %w", err)
	}
	defer a.tellLarge(d, task.Text)()
	ticket, leave := a.desk.Admit(mcp.Scope{Vault: d.Vault}) // good for as long as the agent works
	defer leave()
	task.Attempt, task.Desk = d.Attempts, agent.Desk{Address: fmt.Sprintf("http://127.0.0.1:%d/mcp", a.port), Ticket: ticket}
	silent := func() bool { return false }
	if d.Trigger == journal.TriggerAgent {
		task.Skip, silent = a.library.Withheld(ctx, d.Vault)
	}
	if d.Asked != "" { // a client may listen
		task.Listener = func(text string) { a.waiters.Say(d.ID, text) }
		defer a.waiters.Forget(d.ID)
	}
	task.Called = func() { a.countCall(context.WithoutCancel(ctx), d) }
	task.Tell = func(progress string) { a.tellProgress(d, progress) }
	defer a.steps.Forget(d.ID)
	var quoted []string
	noResult := int64(0)
	answers, cut, err := agent.Ask(task, len(d.Markers), func(task agent.Task) (agent.Reply, error) {
		reply, err := run(task)
		quoted, noResult = append(quoted, reply.Sources...), reply.NoResult
		return reply, err
	})
	if err == nil && !silent() {
		answers, err = a.fitParts(context.WithoutCancel(ctx), d, answers)
	}
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		err = cmp.Or(a.keepCut(ctx, d, failure.Cut), err)
	}
	if err != nil {
		return nil, err
	}
	if silent() { // the answer lacks what could not be judged
		return nil, &agent.Failure{Kind: agent.Transient, Reason: "the disk of " + d.Vault + " does not respond"}
	}
	return answers, errors.Join(a.keepResult(ctx, d, quoted, noResult), a.keepCut(ctx, d, cut))
}

// makeTask returns what the agent of a dispatch is asked, in chain mode with the answer of
// the group before it. The text is made once and kept, so that a dispatch that is asked
// again is asked the same, unless its agent may not be told the same any more.
func (a *asker) makeTask(ctx context.Context, d journal.Dispatch) (task agent.Task, err error) {
	free := fit.NewSpace(a.roles.Room(ctx, d.Role))
	defer func() { a.fits.Keep(a.roles.EntryOf(d.Role), free.Fit()) }()
	if d.Task != "" && !a.isStale(d) && free.Holds(d.Task) {
		task, err = a.storedTask(ctx, d, free)
	} else {
		task, err = a.newTask(ctx, d, free)
	}
	if err != nil {
		return task, err
	}
	previous, err := a.previousAnswer(ctx, d)
	if err != nil || previous == "" {
		return task, err
	}
	return task.WithPrevious(free.FitPrevious(previous)), nil
}

// newTask looks up passages and history, makes the task and keeps its text.
func (a *asker) newTask(ctx context.Context, d journal.Dispatch, free *fit.Space) (agent.Task, error) {
	d, err := a.asOfNow(ctx, d)
	if err != nil {
		return agent.Task{}, err
	}
	g, windows := group.Of(d)
	parts, err := a.chooseParts(ctx, d, free)
	if err != nil {
		return agent.Task{}, err
	}
	if windows, err = free.FitWindows(d, g, windows); err != nil {
		return agent.Task{}, err
	}
	// The passages first: where the run ends meanwhile there is no history then, and so
	// no text without passages is kept for the next run.
	related, sources := a.findRelated(ctx, d, g, windows)
	related = free.FitPassages(related)
	history, err := a.historyFor(ctx, d, free)
	if err != nil {
		return agent.Task{}, err
	}
	task := agent.NewTask(d.ID, d.Vault, d.File, g, windows, agent.Reference{Place: d.Place, History: history, Related: related, Date: time.Now()}).WithParts(parts)
	if task, err = a.withRejected(ctx, d, task, free); err != nil {
		return task, err
	}
	return task, a.recorder.Record(ctx, "keep the task", d.ID, func(ctx context.Context) error {
		return a.journal.SetTask(ctx, d.ID, task.Text, journal.Made{Local: a.roles.Rules.Stays(d.Role), Sources: sources})
	})
}

// VaultOpened continues the dispatches that an earlier engine has left in an opened vault. Answers are
// written at once; questions are asked when the vault has been looked at. Those of a vault that is not
// configured now wait until it is again.
func (s *starts) VaultOpened(v *vault.Vault) {
	s.mu.Lock()
	others := slices.DeleteFunc(slices.Clone(s.orphans), func(d journal.Dispatch) bool { return d.Vault == v.Root })
	mine := slices.DeleteFunc(s.orphans, func(d journal.Dispatch) bool { return d.Vault != v.Root })
	s.orphans = others
	s.mu.Unlock()
	for _, d := range mine {
		v.ResumeDispatch(d)
	}
	s.LookAgain() // some may wait for their hour
	if len(others) > 0 && len(s.vaults.Opened()) == len(*s.vaults) {
		s.notices.AddNotice(api.NoticeUnknown, "count", len(others))
	}
}

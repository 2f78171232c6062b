package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// This file is the story of one save. It reads from top to bottom: [vault.look]
// follows a save to queued dispatches, and the second half tells what happens to one
// of these. engine/dispatch gives it a slot and asks its agent ([Engine.ask]);
// engine/writer brings the answer into the note ([Engine.write]).

// save is the news that a note may have changed.
type save struct {
	rel     string    // path in the vault, with slashes
	seen    time.Time // when we were told
	trigger string    // watch, scan or reconcile
}

// look follows one save from the note's bytes to queued dispatches. Looking
// twice is harmless: an answered marker is gone from the text, a claimed one
// belongs to its dispatch, and the rest settles from when it was first seen.
func (v *vault) look(ctx context.Context, s save) (note.Doc, error) {
	defer v.engine.changed()
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case v.looked <- struct{}{}:
	default:
	}

	// Claims are read before the note: a dispatch that ends in between leaves a
	// claim without a marker, which is harmless, never a marker without its claim.
	claims, err := v.claims(ctx, s.rel)
	if err != nil {
		return note.Doc{}, v.later(s, err)
	}
	if len(claims) > 0 {
		v.engine.writer.Hurry(v.root, s.rel)
	}
	raw, err := v.readRaw(s.rel)
	if gone(err) {
		v.settling.keep(s.rel, nil)
		return note.Doc{}, errors.Join(err, v.vanished(ctx, s.rel, claims))
	}
	if err != nil {
		return note.Doc{}, v.unread(s, err)
	}
	delete(v.missing, s.rel)
	delete(v.suspects, s.rel)
	src := note.Bare(raw).Text
	defer v.told(s.rel, len(raw) > len(src))
	if len(claims) > 0 && v.truncated(s, src) {
		return note.Doc{}, nil
	}
	doc := note.Parse(src)
	claims, err = v.withdraw(ctx, s.rel, doc.Markers, claims)
	if err != nil {
		return doc, v.later(s, err)
	}
	if !v.met && v.watched() {
		v.wakeAt(s, time.Now().Add(acquaintance)) // nothing starts before the vault was met
		return doc, nil
	}
	waits, reason, err := v.arrived(ctx, s, src, doc)
	if err != nil {
		return doc, v.later(s, err)
	}
	free := v.answerable(pair(doc.Markers, claims).free, waits)
	if len(free) > 0 && v.unwritable(s.rel) != "" {
		free = nil // no agent is asked for an answer that has no place
	}
	if len(free) > 0 && v.foreign() != "" {
		v.settling.keep(s.rel, nil)
		v.wakeAt(s, time.Now().Add(lookForOwner))
		return doc, nil
	}
	free, some, err := v.engine.writer.Reapply(ctx, v.root, s.rel, src, free)
	if some {
		v.tracked[s.rel] = true
	}
	if err != nil {
		return doc, v.later(s, err)
	}
	ready, next := v.settling.look(s.rel, free, s.seen, time.Now())
	v.wakeAt(s, next)
	if ready, err = v.unclaimed(ctx, s.rel, doc, ready); err != nil {
		return doc, v.later(s, err)
	}
	return doc, v.start(ctx, s, src, doc, v.groups(doc, ready, waits, reason))
}

// told has what a note says about progress brought up to date, if it says anything or
// should. The caller holds mu.
func (v *vault) told(rel string, says bool) {
	if says || v.engine.writer.ShowsProgress() && v.tracked[rel] {
		v.engine.writer.Touch(v.root, rel)
	}
}

// unclaimed returns the markers of ready that are no dispatch's after those of
// notes that are gone were looked for among them.
func (v *vault) unclaimed(ctx context.Context, rel string, doc note.Doc, ready []note.Marker) ([]note.Marker, error) {
	if len(ready) == 0 {
		return nil, nil
	}
	if some, err := v.follow(ctx, ready); err != nil || !some {
		return ready, err
	}
	claims, err := v.claims(ctx, rel)
	if err != nil {
		return nil, err
	}
	claimed := pair(doc.Markers, claims).claimed
	return slices.DeleteFunc(ready, func(m note.Marker) bool { return claimed[m.Span] != nil }), nil
}

// start makes groups dispatches. They are submitted only when all are accepted:
// the groups of a chain have to know of each other.
func (v *vault) start(ctx context.Context, s save, src []byte, doc note.Doc, groups []admitted) error {
	var accepted []journal.Dispatch
	var failed error
	for i, g := range groups {
		d, err := v.accept(ctx, s, src, doc, g, i)
		if err != nil {
			failed = v.later(s, err) // a full disk, say: the marker must not be forgotten
			break
		}
		accepted = append(accepted, d)
	}
	for _, d := range accepted {
		if d.Status == journal.Queued {
			v.engine.dispatcher.Submit(d)
		}
	}
	if failed == nil {
		v.troubles.forget(s.rel)
	}
	return failed
}

// withdraw ends dispatches whose line the user has changed or removed, and
// returns the claims that still hold. What an agent is already working on ends
// only when its line became another marker: a line that is merely gone may come
// back with its note, and its answer is kept in any case.
func (v *vault) withdraw(ctx context.Context, rel string, markers []note.Marker, claims []journal.Claim) ([]journal.Claim, error) {
	found := pair(markers, claims)
	fresh := v.settling.unseen(rel, v.answerable(found.free, nil))
	standing, ended := make(map[string]bool), make(map[string]bool)
	for _, c := range found.claimed {
		standing[c.Dispatch] = true
	}
	for id, lost := range found.lost {
		if underWay(lost[0]) && !edited(lost, fresh) || lost[0].Status == journal.Cancelled && standing[id] {
			continue
		}
		err := v.engine.dispatcher.Cancel(ctx, id, "its line in the note has changed")
		if err != nil && !errors.Is(err, journal.ErrState) {
			return nil, err
		}
		ended[id] = err == nil
	}
	var kept []journal.Claim
	for _, c := range claims {
		if !ended[c.Dispatch] {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// underWay reports whether an agent is at work for a claim, or its answer waits
// to be written.
func underWay(c journal.Claim) bool {
	return c.Status == journal.Processing || c.Status == journal.Queued && c.Answered
}

// accept makes one group a dispatch. Where the journal finds a marker claimed
// after all nothing is stored, and the record returned has no status.
func (v *vault) accept(ctx context.Context, s save, src []byte, doc note.Doc, g admitted, nth int) (journal.Dispatch, error) {
	cfg := v.engine.config
	// The groups of one note are a millisecond apart, so that they keep its order.
	now := time.Now().Add(time.Duration(nth) * time.Millisecond)
	id := journal.NewID(now)
	windows := note.Windows(src, doc, g.Group, cfg.Context.Before, cfg.Context.After)
	d := journal.Dispatch{
		ID: id, Vault: v.root, File: s.rel,
		Key: string(g.Key), Role: g.Role, TaskID: g.TaskID, Agent: agent.AgentName(g.Role),
		Trigger: s.trigger, Status: g.status, Error: g.reason, Created: now,
		Markers: claimed(g.Group, agent.NewRequests(g.Markers, windows)),
	}
	start := v.engine.takeStart(&d, now)
	d, accepted, err := v.engine.journal.Accept(ctx, d, equalLines(doc.Markers))
	if err != nil || !accepted {
		v.engine.hourly.GiveBack(start)
	}
	if err != nil {
		return journal.Dispatch{}, fmt.Errorf("accept %s in %s: %w", g.Key, s.rel, err)
	}
	if !accepted {
		return journal.Dispatch{}, nil
	}
	v.settling.started(s.rel, g.Markers)
	v.tracked[s.rel] = true
	if !d.NextAttempt.IsZero() {
		v.engine.releaser.LookAgain()
	}
	return d, nil
}

// claimed is what the journal keeps of a group's markers: enough to find their
// lines again, and the context of the note as it was saved.
func claimed(g note.Group, requests []agent.Request) []journal.Marker {
	markers := make([]journal.Marker, len(g.Markers))
	for i, m := range g.Markers {
		markers[i] = journal.Marker{
			Trace:       m.Trace(),
			Instruction: m.Instruction, Context: requests[i].Context, See: requests[i].See,
		}
	}
	return markers
}

// What follows is called by the dispatcher, for a dispatch that has a slot:
//
//	ask     task      passages and history, then the text, into the journal
//	        run       agent.Runner.Run, by the dispatcher, which keeps what it cost
//	        parse     agent.ParseReply, with one repair
//	        then the dispatcher commits journal.Answered, and the slot is free
//	write   the writer's queue of the note: rewrite.Answer, then journal.Written

// ask gets one answer for each marker of a dispatch from its agent.
func (e *Engine) ask(ctx context.Context, d journal.Dispatch, run dispatch.Run) ([]string, error) {
	task, err := e.task(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("build the task: %w", err)
	}
	return agent.Ask(task, len(d.Markers), run)
}

// task returns what the agent of a dispatch is asked, in chain mode with the answer of
// the group before it. The text is made once and kept, so that a dispatch that is asked
// again is asked the same.
func (e *Engine) task(ctx context.Context, d journal.Dispatch) (task agent.Task, err error) {
	if d.Task != "" {
		task, err = e.storedTask(ctx, d)
	} else {
		task, err = e.newTask(ctx, d)
	}
	if err != nil {
		return task, err
	}
	previous, err := e.previous(ctx, d)
	if err != nil || previous == "" {
		return task, err
	}
	return task.WithPrevious(previous), nil
}

// newTask looks up passages and history, makes the task and keeps its text.
func (e *Engine) newTask(ctx context.Context, d journal.Dispatch) (agent.Task, error) {
	group, windows := groupOf(d)
	history, err := e.history(ctx, d)
	if err != nil {
		return agent.Task{}, err
	}
	reference := agent.Reference{History: history, Related: e.related(ctx, d, group, windows)}
	task := agent.NewTask(d.ID, d.Vault, d.File, group, windows, reference)
	return task, e.recorder.Record(ctx, "keep the task", d.ID, func(ctx context.Context) error {
		return e.journal.SetTask(ctx, d.ID, task.Text)
	})
}

// write hands a dispatch whose answers are in the journal to the queue of its note.
func (e *Engine) write(d journal.Dispatch) { e.writer.Submit(d) }

// gone reports whether err says that a note is not there any more.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/group"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/window"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault"
)

// This file makes the additional text for an agent: passages of other notes and, in a chain, the
// answer before; history.go adds earlier questions.

// asker asks agents, for the dispatcher, when they may start: it makes the task of a dispatch, and decides what its agent may be told.
type asker struct {
	*starts
	port    int // of the HTTP server
	library *library.Library
	desk    *mcp.Desk
	fits    *fit.Fits
	waiters *asking.Waiters
	steps   *asking.Progress

	tellProgress func(d journal.Dispatch, progress string)
}

// storedTask is the task of a dispatch that was asked before, by its text. Its history is the part
// that still counts, without answers that were undone since.
func (a *asker) storedTask(ctx context.Context, d journal.Dispatch, free *fit.Space) (agent.Task, error) {
	g, windows := group.Of(d)
	task := agent.Task{
		Agent: d.Agent, Text: d.Task, Context: "fork",
		ID: d.ID, Role: d.Role, TaskID: d.TaskID, Root: d.Vault, Note: d.File,
		Requests: agent.NewRequests(g.Markers, windows),
	}
	free.Spend(task.WithoutHistory())
	if task.WithoutHistory() == task.Text {
		return task, nil
	}
	var err error
	task.History, err = a.historyFor(ctx, d, free)
	return task, err
}

// findRelated returns the passages of other notes that belong to a group. A question never waits for
// them: notes that are not indexed yet are left out, and an index that cannot be read costs the
// passages, not the answer. The notes are returned too.
func (a *asker) findRelated(ctx context.Context, d journal.Dispatch, g note.Group, windows []note.Window) (list []agent.Related, sources []string) {
	v, limit := a.vaults.At(d.Vault), a.config.Enrich.Passages
	if v == nil {
		return nil, nil
	}
	shown := recall.Lines{Note: d.File, Start: 1, End: math.MaxInt} // the agent is shown its lines anyway
	if d.Asked != "" {
		shown.Start = g.Markers[0].Line - a.config.Context.LinesAbove // no more than these
	}
	query := queryFor(d.File, g, windows)
	found, err := vault.OnDisk(ctx, v, func(disk vault.Disk) ([]recall.Related, error) {
		disk.IndexPending(ctx, d.File) // so that the agent finds notes saved just now
		if limit == 0 || !a.roles.WantsPassages(d.Role) {
			return nil, nil
		}
		sought, err := a.ahead.take(ctx, disk, d.File, query)
		if err != nil {
			return nil, err
		}
		return sought.Read(ctx, recall.RelatedOptions{
			Limit:   limit,
			Exclude: shown,
			Skip:    a.skipPrivate(ctx, d, disk),
		})
	})
	if err != nil && ctx.Err() == nil {
		a.log.Warn("look up related passages", "vault", v.Name, "note", d.File, "error", err)
	}
	for _, r := range found {
		list, sources = append(list, agent.Related{Link: r.Link, Why: r.Reason, Text: r.Text}), append(sources, r.Note)
	}
	return list, sources
}

// queryFor is all that a group says about what it is looking for.
func queryFor(rel string, g note.Group, windows []note.Window) string {
	texts := []string{strings.TrimSuffix(path.Base(rel), path.Ext(rel))}
	for _, m := range g.Markers {
		texts = append(texts, m.Instruction)
	}
	for _, w := range windows {
		texts = append(texts, window.Surroundings(w.Text))
	}
	return strings.Join(texts, "\n")
}

// previousAnswer returns the answers of the group before d in its chain: the latest one of the note
// that was still unfinished when d was accepted. A thread is a chain of its own. Outside chain mode,
// and for the first of a chain, it returns "".
func (a *asker) previousAnswer(ctx context.Context, d journal.Dispatch) (string, error) {
	if a.config.Dispatch.Mode != "chain" || d.Asked != "" {
		return "", nil
	}
	list, err := a.journal.List(ctx, journal.Filter{Vault: d.Vault, File: d.File})
	if err != nil {
		return "", fmt.Errorf("read the chain of %s: %w", d.File, err)
	}
	for _, before := range list { // newest first
		if !before.Created.Before(d.Created) || !before.Answered || before.Asked != "" || before.Thread() != d.Thread() {
			continue
		}
		if !before.Finished.IsZero() && before.Finished.Before(d.Created) {
			return "", nil
		}
		whole, err := a.journal.Get(ctx, before.ID)
		if err != nil {
			return "", fmt.Errorf("read the chain of %s: %w", d.File, err)
		}
		if !a.mayFollow(ctx, d, whole) {
			return "", nil
		}
		return whole.JoinAnswers(), nil
	}
	return "", nil
}

// MustApprove reports whether a person has to approve the answers of a dispatch before they are
// written: its role, the configuration or a ! in one of its markers says so. An answer for no note
// needs no approval.
func (a *asker) MustApprove(d journal.Dispatch) bool {
	if d.Asked == journal.AskedTold {
		return false
	}
	must := a.config.MustApprove(d.Role) || a.edits(d) && !a.config.WritesAtOnce(d.Role)
	must = must || note.AsksApproval(a.lineOf(context.Background(), d).Text)
	for _, m := range d.Markers {
		must = must || note.AsksApproval(m.Text)
	}
	return must
}

// lineOf is the line of a note that asks a question again and again, if one does.
func (a *asker) lineOf(ctx context.Context, d journal.Dispatch) (line journal.Marker) {
	id, err := a.journal.Part(ctx, d.ID, journal.PartSchedule)
	if asked, failed := a.journal.Get(ctx, id); err == nil && failed == nil && len(asked.Markers) > 0 {
		line = asked.Markers[0]
	}
	return line
}

// withRejected adds to a task the answer that a person has rejected, and why. The agent of now may not be told what another one
// has made of private notes.
func (a *asker) withRejected(ctx context.Context, d journal.Dispatch, task agent.Task, free *fit.Space) (agent.Task, error) {
	because, err := a.journal.Part(ctx, d.ID, journal.PartBecause)
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return task, err
	}
	answer := "(It is not shown.)"
	if a.mayFollow(ctx, d, d) {
		answer = free.FitPrevious(d.JoinAnswers())
	}
	return task.WithRejected(answer, because), nil
}

package engine

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/window"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/wording"
)

// This file makes what an agent reads beside its questions: what the vault says elsewhere,
// and in a chain the answer before; history.go says what was asked before.

// frameOf returns what the agent of a role sees of a note around a question.
func (e *Engine) frameOf(role string, src []byte) window.Frame {
	around := e.config.ContextOf(role)
	f := window.Frame{Before: around.Before, After: around.After, Bytes: around.Bytes}
	if !around.Comments {
		f.Hidden = page.Comments(src)
	}
	return f
}

// groupOf returns a dispatch's group and the windows of its markers as they were
// accepted.
func groupOf(d journal.Dispatch) (note.Group, []note.Window) {
	g := note.Group{Key: note.Key(d.Key), Role: d.Role, TaskID: d.TaskID}
	var windows []note.Window
	for i, m := range d.Markers {
		g.Markers = append(g.Markers, note.Marker{Line: m.Line, Text: m.Text, Instruction: window.Words(m.Instruction)})
		windows = append(windows, note.Window{Request: i + 1, See: m.See, Text: m.Context})
	}
	return g, windows
}

// placeOf is what a note as it was saved says of where a group stands: its dates, and the
// headings above the markers.
func placeOf(found vault.Settled, g note.Group) string {
	p := page.Parse(found.Rel, found.Src)
	says, heads := p.Dates, make([]string, len(g.Markers))
	for i, m := range g.Markers {
		heads[i] = wording.Shorten(p.HeadingsAbove(m.Line), 200)
	}
	if len(slices.Compact(slices.Clone(heads))) == 1 {
		heads = heads[:1]
	}
	for i, h := range heads {
		switch {
		case h != "" && len(heads) == 1:
			says = append(says, "under "+h)
		case h != "":
			says = append(says, fmt.Sprintf("request %d under %s", i+1, h))
		}
	}
	return wording.Shorten(strings.Join(says, "; "), 2000)
}

// taskText returns the text of a dispatch's task, also of one that was not asked yet.
func taskText(d journal.Dispatch) string {
	if d.Task != "" {
		return d.Task
	}
	group, windows := groupOf(d)
	return agent.NewTask(d.ID, d.Vault, d.File, group, windows, agent.Reference{Place: d.Place, Today: time.Now()}).Text
}

// storedTask is the task of a dispatch that was asked before, by its text. Its history
// is what still counts: what was undone since is no history.
func (e *Engine) storedTask(ctx context.Context, d journal.Dispatch, free *fit.Space) (agent.Task, error) {
	group, windows := groupOf(d)
	task := agent.Task{
		Agent: d.Agent, Text: d.Task, Context: "fork",
		ID: d.ID, Role: d.Role, TaskID: d.TaskID, Root: d.Vault, Note: d.File,
		Requests: agent.NewRequests(group.Markers, windows),
	}
	free.Spend(task.WithoutHistory())
	if task.WithoutHistory() == task.Text {
		return task, nil
	}
	var err error
	task.History, err = e.historyFor(ctx, d, free)
	return task, err
}

// findRelated are the passages of other notes that belong to a group. A question is
// never kept waiting for them: what is not indexed yet is not known, and an
// index that cannot be read costs the passages, not the answer. The notes are returned too.
func (e *Engine) findRelated(ctx context.Context, d journal.Dispatch, g note.Group, windows []note.Window) (list []agent.Related, sources []string) {
	v, limit := e.vaults.At(d.Vault), e.config.Enrich.Passages
	if v == nil {
		return nil, nil
	}
	shown := recall.Lines{Note: d.File, From: 1, To: math.MaxInt} // the agent is shown its lines anyway
	if d.Asked != "" {
		shown.From = g.Markers[0].Line - e.config.Context.Before // no more than these
	}
	found, err := vault.OnDisk(ctx, v, func(disk vault.Disk) ([]recall.Related, error) {
		disk.IndexPending(context.WithoutCancel(ctx), d.File) // whoever answers finds what was just saved
		if limit == 0 || !e.roles.WantsPassages(d.Role) {
			return nil, nil
		}
		return disk.Index().Related(ctx, d.File, queryFor(d.File, g, windows), recall.RelatedOptions{
			Limit:   limit,
			Exclude: shown,
			Skip:    e.skipPrivate(ctx, d, disk),
		})
	})
	if err != nil && ctx.Err() == nil {
		e.log.Warn("look up related passages", "vault", v.Name, "note", d.File, "error", err)
	}
	for _, r := range found {
		list, sources = append(list, agent.Related{Link: r.Link, Why: r.Why, Text: r.Text}), append(sources, r.Note)
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

// previousAnswer returns the answers of the group before d in its chain: the latest
// one of the note that was still unfinished when d was accepted. A thread is a chain of its
// own. Outside chain mode, and for the first of a chain, there is none.
func (e *Engine) previousAnswer(ctx context.Context, d journal.Dispatch) (string, error) {
	if e.config.Dispatch.Mode != "chain" || d.Asked != "" {
		return "", nil
	}
	list, err := e.journal.List(ctx, journal.Filter{Vault: d.Vault, File: d.File})
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
		whole, err := e.journal.Get(ctx, before.ID)
		if err != nil {
			return "", fmt.Errorf("read the chain of %s: %w", d.File, err)
		}
		if !e.mayFollow(ctx, d, whole) {
			return "", nil
		}
		return whole.JoinAnswers(), nil
	}
	return "", nil
}

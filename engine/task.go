package engine

import (
	"context"
	"fmt"
	"math"
	"path"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault"
)

// This file makes what an agent reads beside its questions: what was asked before, what
// the vault says elsewhere, and in a chain the answer before.

// groupOf returns a dispatch's group and the windows of its markers as they were
// accepted.
func groupOf(d journal.Dispatch) (note.Group, []note.Window) {
	g := note.Group{Key: note.Key(d.Key), Role: d.Role, TaskID: d.TaskID}
	var windows []note.Window
	for i, m := range d.Markers {
		g.Markers = append(g.Markers, note.Marker{Line: m.Line, Text: m.Text, Instruction: m.Instruction})
		windows = append(windows, note.Window{Request: i + 1, See: m.See, Text: m.Context})
	}
	return g, windows
}

// taskText returns the text of a dispatch's task, also of one that was not asked yet.
func taskText(d journal.Dispatch) string {
	if d.Task != "" {
		return d.Task
	}
	group, windows := groupOf(d)
	return agent.NewTask(d.ID, d.Vault, d.File, group, windows, agent.Reference{}).Text
}

// storedTask is the task of a dispatch that was asked before, by its text. Its history
// is what still counts: what was undone since is no history.
func (e *Engine) storedTask(ctx context.Context, d journal.Dispatch) (agent.Task, error) {
	group, windows := groupOf(d)
	task := agent.Task{
		Agent: d.Agent, Text: d.Task, Context: "fork",
		ID: d.ID, Role: d.Role, TaskID: d.TaskID, Root: d.Vault, Note: d.File,
		Requests: agent.NewRequests(group.Markers, windows),
	}
	if task.WithoutHistory() == task.Text {
		return task, nil
	}
	var err error
	task.History, err = e.historyFor(ctx, d)
	return task, err
}

// historyFor returns what the fork of a dispatch may see: what was asked and answered in
// its vault by now, or only the thread of its TaskID when there is one. In a chain it is
// what was answered when the dispatch was accepted; what came since comes as the answer
// before ([Engine.previousAnswer]).
func (e *Engine) historyFor(ctx context.Context, d journal.Dispatch) ([]agent.Exchange, error) {
	thread := journal.Thread{Key: d.Key}
	if e.config.Dispatch.Mode == dispatch.Chain {
		thread.Before = d.Created
	}
	earlier, err := e.journal.History(ctx, d.Vault, thread, e.config.History.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the project history: %w", err)
	}
	exchanges := make([]agent.Exchange, len(earlier))
	for i, x := range earlier {
		exchanges[i] = agent.Exchange{Note: x.File, Question: x.Question, Answer: x.Answer, At: x.At}
	}
	return exchanges, nil
}

// findRelated are the passages of other notes that belong to a group. A question is
// never kept waiting for them: what is not indexed yet is not known, and an
// index that cannot be read costs the passages, not the answer.
func (e *Engine) findRelated(ctx context.Context, d journal.Dispatch, g note.Group, windows []note.Window) []agent.Related {
	v, limit := e.vaultAt(d.Vault), e.config.Enrich.Passages
	if v == nil || limit == 0 || !e.roles.WantsPassages(d.Role) {
		return nil
	}
	found, err := vault.WhileResponding(ctx, v, func() ([]recall.Related, error) {
		return v.Index.Related(ctx, d.File, queryFor(d.File, g, windows), recall.RelatedOptions{
			Limit:   limit,
			Exclude: recall.Lines{Note: d.File, From: 1, To: math.MaxInt}, // the agent is shown its lines anyway
		})
	})
	if err != nil {
		if ctx.Err() == nil {
			e.log.Warn("look up related passages", "vault", v.Name, "note", d.File, "error", err)
		}
		return nil
	}
	var list []agent.Related
	for _, r := range found {
		list = append(list, agent.Related{Link: r.Link, Why: r.Why, Text: r.Text})
	}
	return list
}

// queryFor is all that a group says about what it is looking for.
func queryFor(rel string, g note.Group, windows []note.Window) string {
	texts := []string{strings.TrimSuffix(path.Base(rel), path.Ext(rel))}
	for _, m := range g.Markers {
		texts = append(texts, m.Instruction)
	}
	for _, w := range windows {
		texts = append(texts, note.Surroundings(w.Text))
	}
	return strings.Join(texts, "\n")
}

// previousAnswer returns the answers of the group before d in its chain: the latest
// one of the note that was still unfinished when d was accepted. Outside chain
// mode, and for the first of a chain, there is none.
func (e *Engine) previousAnswer(ctx context.Context, d journal.Dispatch) (string, error) {
	if e.config.Dispatch.Mode != "chain" {
		return "", nil
	}
	list, err := e.journal.List(ctx, journal.Filter{Vault: d.Vault, File: d.File})
	if err != nil {
		return "", fmt.Errorf("read the chain of %s: %w", d.File, err)
	}
	for _, before := range list { // newest first
		if !before.Created.Before(d.Created) || !before.Answered {
			continue
		}
		if !before.Finished.IsZero() && before.Finished.Before(d.Created) {
			return "", nil
		}
		whole, err := e.journal.Get(ctx, before.ID)
		if err != nil {
			return "", fmt.Errorf("read the chain of %s: %w", d.File, err)
		}
		return answersOf(whole), nil
	}
	return "", nil
}

// answersOf joins the answers of a dispatch, one paragraph each.
func answersOf(d journal.Dispatch) string {
	text := ""
	for i, m := range d.Markers {
		if i > 0 {
			text += "\n\n"
		}
		text += m.Answer
	}
	return text
}

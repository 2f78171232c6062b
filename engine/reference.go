package engine

import (
	"context"
	"math"
	"path"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall"
)

// reference is what an agent may read beside the note: what was asked before,
// and what the vault says elsewhere.
func (v *vault) reference(ctx context.Context, rel string, g note.Group, windows []note.Window) (agent.Reference, error) {
	history, err := v.engine.history(ctx, v.root, g.Key, time.Time{})
	if err != nil {
		return agent.Reference{}, err
	}
	return agent.Reference{History: history, Related: v.related(ctx, rel, g, windows)}, nil
}

// related are the passages of other notes that belong to a group. A question is
// never kept waiting for them: what is not indexed yet is not known, and an
// index that cannot be read costs the passages, not the answer.
func (v *vault) related(ctx context.Context, rel string, g note.Group, windows []note.Window) []agent.Related {
	limit := v.engine.config.Enrich.Passages
	if limit == 0 || !v.engine.roles.WantsPassages(g.Role) {
		return nil
	}
	found, err := v.index.Related(ctx, rel, asked(rel, g, windows), recall.RelatedOptions{
		Limit:   limit,
		Exclude: recall.Lines{Note: rel, From: 1, To: math.MaxInt}, // the agent is shown its lines anyway
	})
	if err != nil {
		if ctx.Err() == nil {
			v.log.Warn("look up related passages", "note", rel, "error", err)
		}
		return nil
	}
	var list []agent.Related
	for _, r := range found {
		list = append(list, agent.Related{Link: r.Link, Why: r.Why, Text: r.Text})
	}
	return list
}

// asked is all that a group says about what it is looking for.
func asked(rel string, g note.Group, windows []note.Window) string {
	texts := []string{strings.TrimSuffix(path.Base(rel), path.Ext(rel))}
	for _, m := range g.Markers {
		texts = append(texts, m.Instruction)
	}
	for _, w := range windows {
		texts = append(texts, note.Surroundings(w.Text))
	}
	return strings.Join(texts, "\n")
}

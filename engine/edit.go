package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/group"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/writer"
)

// This file asks a role that writes sections: the parts that its answers may replace go into its task
// and into the journal, and a reply that does not fit there is no answer.

// edits reports whether the answers of a dispatch take the place of parts of its note; in doubt they do.
func (a *asker) edits(d journal.Dispatch) bool {
	edits, err := writer.EditsOf(context.Background(), a.journal, d)
	return edits != nil || err != nil
}

// chooseParts keeps which parts of its note the answers of a dispatch replace: as a rule, no part.
func (a *asker) chooseParts(ctx context.Context, d journal.Dispatch, free *fit.Space) (parts []agent.Part, err error) {
	v := a.vaults.At(d.Vault)
	if v == nil || d.Asked != "" || d.Replaces() || !a.roles.WritesParts(d.Role) {
		if a.edits(d) { // it was another role then
			err = writer.KeepEdits(ctx, a.journal, d.ID, nil)
		}
		return nil, err
	}
	src, err := vault.OnDisk(ctx, v, func(disk vault.Disk) ([]byte, error) { return disk.Read(d.File) })
	if err != nil {
		return nil, err
	}
	edits, err := findParts(progress.Bare(src).Text, d)
	if err != nil {
		return nil, &agent.Failure{Kind: agent.Permanent, Reason: "it was not asked: " + err.Error()}
	}
	for _, e := range edits {
		free.Spend(e.Text)
		parts = append(parts, agent.Part{Name: e.Name, Text: e.Text})
	}
	return parts, a.recorder.Record(ctx, "keep what is edited", d.ID, func(ctx context.Context) error {
		return writer.KeepEdits(ctx, a.journal, d.ID, edits)
	})
}

// findParts finds the parts of a note that the questions of a dispatch are about.
func findParts(text []byte, d journal.Dispatch) ([]rewrite.Edit, error) {
	g, _ := group.Of(d)
	traces := make([]note.Trace, len(g.Markers))
	for i, m := range d.Markers {
		traces[i] = m.Trace
	}
	doc := find.ParseAs(text, traces)
	var markers []note.Marker
	for _, at := range find.MatchFirst(doc.Markers, traces) {
		if at < 0 {
			return nil, errors.New("its line is not in the note now")
		}
		markers = append(markers, doc.Markers[at])
	}
	return rewrite.FindEdits(text, markers)
}

// fitParts returns the replies to a dispatch that replaces parts of its note as texts; it does not
// change others. The error holds replies that do not fit.
func (a *asker) fitParts(ctx context.Context, d journal.Dispatch, replies []string) ([]string, error) {
	edits, err := writer.EditsOf(ctx, a.journal, d)
	texts := slices.Clone(replies)
	for i := 0; i < len(edits) && err == nil; i++ {
		var why error
		if texts[i], why = edits[i].Fit(replies[i], d.ID); why != nil {
			err = &agent.Failure{Kind: agent.Permanent, Reason: "the reply does not fit in the place of the " + edits[i].Name + ": " + why.Error(), Cut: strings.Join(replies, "\n\n")}
		}
	}
	return texts, err
}

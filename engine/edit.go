package engine

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/group"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
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
	page := note.NewPage(src)
	_, markers, err := findMarkers(page, d)
	var edits []rewrite.Edit
	if err == nil {
		edits, err = rewrite.FindEdits(page, markers)
	}
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

// asOfNow returns a dispatch with what its note says around the questions now, for an agent that edits it, is told why its answer was
// rejected, or is asked again by hand. Where they are not found there it is as it was accepted.
func (a *asker) asOfNow(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	v := a.vaults.At(d.Vault)
	_, err := a.journal.Part(ctx, d.ID, journal.PartBecause)
	isAgain := err == nil || d.Trigger == journal.TriggerRetry
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return d, err
	case v == nil || d.Replaces() || d.Asked == journal.AskedTold || !isAgain && (d.Asked != "" || !a.roles.WritesParts(d.Role)):
		return d, nil
	}
	src, err := vault.OnDisk(ctx, v, func(disk vault.Disk) ([]byte, error) { return disk.Read(d.File) })
	if err != nil {
		return d, nil
	}
	g, _ := group.Of(d)
	in, below := group.Found{Root: d.Vault, Rel: d.File, Page: note.NewPage(src)}, true
	if d.Asked == "" {
		in.Doc, g.Markers, err = findMarkers(in.Page, d)
	} else {
		line := a.lineOf(ctx, d)
		var p asking.Placed
		p, err = asking.PlaceAt(src, line.Trace, d.Role, d.Markers[0].Instruction)
		in.Page, in.Doc, g, below = p.Page, p.Doc(), p.Group, line.Text != ""
	}
	if err != nil || !slices.IsSortedFunc(g.Markers, func(a, b note.Marker) int { return a.Line - b.Line }) {
		return d, nil
	}
	frame := group.FrameOf(a.config.ContextOf(d.Role), in.Page)
	if !below {
		frame.LinesBelow = 0
	}
	now := group.NewDispatch(d.Created, in, g, frame)
	d.Place, d.Markers = now.Place, slices.Clone(d.Markers)
	for i, m := range now.Markers {
		d.Markers[i].Line, d.Markers[i].Context, d.Markers[i].See = m.Line, m.Context, m.See
	}
	return d, nil
}

// findMarkers finds the questions of a dispatch in a note.
func findMarkers(page *note.Page, d journal.Dispatch) (note.Doc, []note.Marker, error) {
	traces := make([]note.Trace, len(d.Markers))
	for i, m := range d.Markers {
		traces[i] = m.Trace
	}
	doc := find.ParseAs(page, traces)
	var markers []note.Marker
	for _, at := range find.MatchFirst(doc.Markers, traces) {
		if at < 0 {
			return doc, nil, errors.New("its line is not in the note now")
		}
		markers = append(markers, doc.Markers[at])
	}
	return doc, markers, nil
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

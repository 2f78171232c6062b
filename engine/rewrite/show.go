package rewrite

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/rewrite/swap"
)

// Sign is a marker, and the comment that is to be under it.
type Sign struct {
	Place
	ID      string // of the marker's dispatch
	Comment string // from [progress.Comment]; "" = nothing
	Leave   bool   // leave the comments of the dispatch alone
	Line    int    // from 1, of a line that is no dispatch's marker, and then Place is not looked at
}

// Show brings the progress comments of a note up to date: each of the signs' markers has its comment
// below it, and the comments of other dispatches that ours says are ours are removed. Text that others
// have written under a marker is kept, and then Show adds nothing to it.
//
// The note matters most and a comment little. Show tries once. It leaves a note alone that does not
// have the hash sum, that could only be written in place, or that a program is writing. It leaves a
// marker alone if a comment under it would change the text that is read or seen. Without its comments
// the note is afterwards the same, byte for byte. Written names the signs whose comments are as
// wished. Answers and Places of job are ignored.
func Show(ctx context.Context, job Job, signs []Sign, ours func(id string) bool, sum [32]byte, log func(swap.Intention) error) (Result, error) {
	unlock, err := Lock(ctx, job.Path)
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	if job.Prelude != nil {
		if err := job.Prelude(ctx); err != nil {
			return Result{}, err
		}
	}
	swapper := swap.On(job.Files)
	src, err := swapper.Read(job.Root, job.Path)
	if err != nil {
		return Result{}, err
	}
	res := Result{Hash: sha256.Sum256(src.Data)}
	if res.Hash != sum {
		return Result{}, swap.ErrChanged
	}
	next, written := showComments(src.Data, signs, ours)
	if res.Written = written; next == nil {
		return res, nil
	}
	if job.Draft != nil {
		job.Draft(Draft{Base: src.Data})
	}
	out, err := swapper.File(ctx, swap.Change{Root: job.Root, Path: job.Path, Base: src.Data, New: next, Engine: job.Engine, Atomic: true, Log: log})
	if err != nil {
		return Result{Conflict: out.Conflict}, err
	}
	res.Hash, res.Conflict, res.Displaced = sha256.Sum256(next), out.Conflict, out.Displaced
	return res, nil
}

// showComments is a note with the comments that its signs want, or nil if nothing is to
// be written, and the signs that have theirs.
func showComments(src []byte, signs []Sign, ours func(id string) bool) (next []byte, written []int) {
	bared := progress.Bare(src)
	traces := make([]note.Trace, len(signs))
	for i, s := range signs {
		traces[i] = s.Trace
	}
	doc := find.ParseAs(bared.Page, traces)
	if doc.Disabled || doc.Drawing || doc.Conflict > 0 {
		return nil, nil
	}
	targets := findTargets(bared, doc, signs, find.Match(doc.Markers, traces))

	stays := make(map[note.Span]bool)
	var wanted []int // signs whose comment is to be added
	for i, m := range targets {
		if m == nil {
			continue
		}
		switch has, others := compareComments(bared, *m, signs[i], ours, stays); {
		case signs[i].Leave:
		case has || signs[i].Comment == "":
			written = append(written, i)
		case !others:
			wanted = append(wanted, i)
		}
	}
	var edits []note.Edit
	for _, p := range bared.Progress {
		if ours(p.ID) && !stays[p.Span] {
			edits = append(edits, note.Edit{Span: p.Span})
		}
	}
	next, comments := applyEdits(src, edits), make(map[string]bool)
	if len(edits) > 0 && !isUnchangedBeneath(next, bared.Text, doc, comments) {
		return nil, nil
	}
	for _, i := range wanted {
		more, all := append(edits[:len(edits):len(edits)], bared.InsertComment(*targets[i], signs[i].Comment)), maps.Clone(comments)
		all[signs[i].Comment] = true
		if try := applyEdits(src, more); isUnchangedBeneath(try, bared.Text, doc, all) {
			next, edits, comments, written = try, more, all, append(written, i)
		}
	}
	if len(edits) == 0 {
		return nil, written
	}
	return next, written
}

// findTargets returns the marker above the comment of each sign, or nil. found are the markers of the
// signs that have one.
func findTargets(bared progress.Bared, doc note.Doc, signs []Sign, found []int) []*note.Marker {
	targets := make([]*note.Marker, len(signs))
	for i, s := range signs {
		at := found[i]
		if s.Line > 0 {
			at = slices.IndexFunc(doc.Markers, func(m note.Marker) bool { return m.Line == s.Line })
		}
		if at >= 0 {
			targets[i] = &doc.Markers[at]
		} else if s.Line > 0 {
			if m, ok := bared.FindTarget(s.Line); ok {
				targets[i] = &m
			}
		}
	}
	return targets
}

// compareComments looks at the comments under a marker. It marks those that stay, and
// says whether the wanted one is among them, and any of others.
func compareComments(bared progress.Bared, m note.Marker, s Sign, ours func(id string) bool, stays map[note.Span]bool) (has, others bool) {
	for _, p := range bared.Under(m.Span) {
		switch {
		case !ours(p.ID):
			others = true
		case s.Leave && p.ID == s.ID, !has && p.Text == s.Comment:
			stays[p.Span] = true
			has = has || p.Text == s.Comment
		}
	}
	return has, others
}

func applyEdits(src []byte, edits []note.Edit) []byte {
	next, err := note.Apply(src, edits)
	if err != nil {
		return nil
	}
	return next
}

// isUnchangedBeneath reports whether a note with comments is the one without and says the same
// to everybody.
func isUnchangedBeneath(next, text []byte, doc note.Doc, comments map[string]bool) bool {
	return next != nil && string(progress.Bare(next).Text) == string(text) && progress.IsInvisible(next, doc.Markers, comments)
}

package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/proposal"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/writer"
)

// This file is what a person decides about an answer before it is written. Its calls come from a person's own program, with the
// token or a session; nothing that a note, an agent or a message says leads here.

// MustApprove reports whether a person has to approve the answers of a dispatch before they are written: its role, the
// configuration or a ! in one of its markers says so. An answer that goes into no note needs none.
func (e *Engine) MustApprove(d journal.Dispatch) bool {
	if d.Asked == journal.AskedTold {
		return false
	}
	must := e.config.MustApprove(d.Role)
	for _, m := range d.Markers {
		must = must || note.AsksApproval(m.Text)
	}
	return must
}

// Proposed implements [api.Backend].
func (e *Engine) Proposed(ctx context.Context) ([]api.Proposal, error) {
	list, err := e.journal.List(ctx, journal.Filter{Status: journal.Proposed, Limit: math.MaxInt32})
	if err != nil {
		return nil, fmt.Errorf("list proposals: %w", err)
	}
	proposals := make([]api.Proposal, 0, min(len(list), api.MostProposed))
	for _, d := range list[:min(len(list), api.MostProposed)] {
		if d, err = e.journal.Get(ctx, d.ID); err != nil {
			return nil, fmt.Errorf("read a proposal: %w", err)
		}
		detail := e.toDetail(d, nil)
		p := api.Proposal{Dispatch: detail.Dispatch, Answers: detail.Answers}
		shown, err := e.preview(ctx, d)
		if err != nil {
			p.Problem = "It cannot be shown now: " + err.Error()
		}
		p.Diff, p.Seen = shown.Diff, shown.Seen
		proposals = append(proposals, p)
	}
	return proposals, nil
}

// preview returns what a proposal would change in its note as it is now.
func (e *Engine) preview(ctx context.Context, d journal.Dispatch) (proposal.Shown, error) {
	v := e.vaults.At(d.Vault)
	if v == nil {
		return proposal.Shown{}, &api.Conflict{Reason: e.vaults.WhyNone(d.Vault)}
	}
	shown, err := vault.OnDisk(ctx, v, func(vault.Disk) (proposal.Shown, error) { return e.writer.Preview(ctx, d) })
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		err = &api.Conflict{Reason: refused.Reason}
	}
	return shown, toWireError(err)
}

// Accept implements [api.Backend].
func (e *Engine) Accept(ctx context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	if d.Status != journal.Proposed {
		_, err = e.journal.Approve(ctx, id, "", nil) // says what it is
		return e.recordAfter(ctx, id, err)
	}
	shown, err := e.preview(ctx, d)
	if err != nil {
		return api.Dispatch{}, err
	}
	if shown.Seen != req.Seen {
		return api.Dispatch{}, api.Changed(shown.Diff, shown.Seen)
	}
	var answers []string
	if req.Text != "" {
		if len(d.Markers) > 1 {
			return api.Dispatch{}, &api.Invalid{Reason: "It has several answers, so none of them can be changed here; accept or reject them as they are.", Field: "text"}
		}
		answers, d.Markers[0].Answer = []string{req.Text}, req.Text
		if shown, err = e.preview(ctx, d); err != nil {
			return api.Dispatch{}, err
		}
	}
	if d, err = e.journal.Approve(ctx, id, shown.Seen, answers); err == nil {
		e.writer.Submit(d)
	}
	return e.recordAfter(ctx, id, err)
}

// Reject implements [api.Backend].
func (e *Engine) Reject(ctx context.Context, id, because string) (api.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	switch {
	case err != nil:
		return api.Dispatch{}, toWireError(err)
	case d.Status != journal.Proposed:
		_, err = e.journal.Reject(ctx, id, because) // says what it is
	case because == "":
		err = e.dispatcher.Withhold(ctx, id, "the answer was rejected")
	default:
		if d, err = e.getStartable(ctx, id); err != nil {
			return api.Dispatch{}, err
		}
		err = e.startByHand(journal.Dispatch{ID: id, Role: d.Role}, func() error { return e.dispatcher.Reject(ctx, id, because) })
	}
	return e.recordAfter(ctx, id, err)
}

// withRejected adds to a task the answer that a person has rejected, and why. The agent of now may not be told what another one
// has made of private notes.
func (e *Engine) withRejected(ctx context.Context, d journal.Dispatch, task agent.Task, free *fit.Space) (agent.Task, error) {
	because, err := e.journal.Part(ctx, d.ID, journal.PartBecause)
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return task, err
	}
	answer := "(It is not shown.)"
	if e.mayFollow(ctx, d, d) {
		answer = free.FitPrevious(d.JoinAnswers())
	}
	return task.WithRejected(answer, because), nil
}

package front

import (
	"context"
	"errors"
	"fmt"
	"math"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/proposal"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/writer"
)

// This file is what a person decides about an answer before it is written. Its calls come from a person's own program, with the
// token or a session; nothing that a note, an agent or a message says leads here.

// Proposed implements [api.Backend].
func (f *decisions) Proposed(ctx context.Context) ([]api.Proposal, error) {
	list, err := f.Journal.List(ctx, journal.Filter{Status: journal.Proposed, Limit: math.MaxInt32})
	if err != nil {
		return nil, fmt.Errorf("list proposals: %w", err)
	}
	proposals := make([]api.Proposal, 0, min(len(list), api.MostProposed))
	for _, d := range list[:min(len(list), api.MostProposed)] {
		if d, err = f.Journal.Get(ctx, d.ID); err != nil {
			return nil, fmt.Errorf("read a proposal: %w", err)
		}
		detail := f.toDetail(d, nil)
		p := api.Proposal{Dispatch: detail.Dispatch, Answers: detail.Answers}
		shown, err := f.preview(ctx, d)
		if err != nil {
			p.Problem = "It cannot be shown now: " + err.Error()
		}
		p.Diff, p.Seen = shown.Diff, shown.Seen
		proposals = append(proposals, p)
	}
	return proposals, nil
}

// preview returns what a proposal would change in its note as it is now.
func (f *decisions) preview(ctx context.Context, d journal.Dispatch) (proposal.Shown, error) {
	v := f.Vaults.At(d.Vault)
	if v == nil {
		return proposal.Shown{}, &api.Conflict{Reason: f.Vaults.WhyNone(d.Vault)}
	}
	shown, err := vault.OnDisk(ctx, v, func(vault.Disk) (proposal.Shown, error) { return f.Writer.Preview(ctx, d) })
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		err = &api.Conflict{Reason: refused.Reason}
	}
	return shown, toWireError(err)
}

// Accept implements [api.Backend].
func (f *decisions) Accept(ctx context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	d, err := f.Journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	if d.Status != journal.Proposed {
		_, err = f.Journal.Approve(ctx, id, "", nil) // says what it is
		return f.recordAfter(ctx, id, err)
	}
	shown, err := f.preview(ctx, d)
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
		if shown, err = f.preview(ctx, d); err != nil {
			return api.Dispatch{}, err
		}
	}
	if d, err = f.Journal.Approve(ctx, id, shown.Seen, answers); err == nil {
		f.Writer.Submit(d)
	}
	return f.recordAfter(ctx, id, err)
}

// Reject implements [api.Backend].
func (f *decisions) Reject(ctx context.Context, id, because string) (api.Dispatch, error) {
	d, err := f.Journal.Get(ctx, id)
	switch {
	case err != nil:
		return api.Dispatch{}, toWireError(err)
	case d.Status != journal.Proposed:
		_, err = f.Journal.Reject(ctx, id, because) // says what it is
	case because == "":
		err = f.Dispatcher.Withhold(ctx, id, "the answer was rejected")
	default:
		if d, err = f.getStartable(ctx, id); err != nil {
			return api.Dispatch{}, err
		}
		err = f.Starts.ByHand(journal.Dispatch{ID: id, Role: d.Role}, func() error { return f.Dispatcher.Reject(ctx, id, because) })
	}
	return f.recordAfter(ctx, id, err)
}

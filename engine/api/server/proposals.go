package server

import (
	"context"
	"strings"

	"vaultdispatcher/engine/api"
)

// Pages, calls, commands and the tray accept and reject here and nowhere else.

func (q Questions) listProposed(c Call) (any, error) {
	list, err := q.backend.Proposed(c.Request.Context())
	for i := range list {
		list[i].Dispatch, list[i].Answers = briefly(list[i].Dispatch), orEmpty(list[i].Answers)
	}
	return api.ProposalList{Proposed: orEmpty(list)}, err
}

func (q Questions) acceptProposal(c Call, req api.AcceptRequest) (any, error) {
	return tellOne(q.Accept(c.Request.Context(), c.ID, req))
}

// Accept has a proposal written, once its diff was shown.
func (q Questions) Accept(ctx context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	if req.Seen == "" {
		return api.Dispatch{}, &api.Invalid{Reason: "A proposal is accepted after its diff was shown: GET /vault-mind/proposed has it, and the \"seen\" to send along.", Field: "seen"}
	}
	if req.Text != nil && strings.TrimSpace(*req.Text) == "" {
		return api.Dispatch{}, &api.Invalid{Reason: "The text in place of the answer is empty; send one, leave \"text\" out for the answer as it is, or reject it.", Field: "text"}
	}
	return q.backend.Accept(ctx, id, req)
}

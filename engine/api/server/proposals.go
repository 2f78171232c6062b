package server

import (
	"context"
	"strings"

	"vaultdispatcher/engine/api"
)

// Pages, calls, commands and the tray accept and reject here and nowhere else.

func (s *Server) listProposed(c Call) (any, error) {
	list, err := s.backend.Proposed(c.Request.Context())
	for i := range list {
		list[i].Dispatch, list[i].Answers = Brief([]api.Dispatch{list[i].Dispatch})[0], orEmpty(list[i].Answers)
	}
	return api.ProposalList{Proposed: orEmpty(list)}, err
}

func (s *Server) acceptProposal(c Call) (any, error) {
	var req api.AcceptRequest
	if err := c.DecodeJSON(&req); err != nil {
		return nil, err
	}
	return s.onOne(func(_ api.Backend, ctx context.Context, id string) (api.Dispatch, error) {
		return s.Accept(ctx, id, req)
	})(c)
}

// Accept has a proposal written, once its diff was shown.
func (s *Server) Accept(ctx context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	if req.Seen == "" {
		return api.Dispatch{}, &api.Invalid{Reason: "A proposal is accepted after its diff was shown: GET /vault-mind/proposed has it, and the \"seen\" to send along.", Field: "seen"}
	}
	return s.backend.Accept(ctx, id, req)
}

func (s *Server) rejectProposal(c Call) (any, error) {
	var req api.RejectRequest
	if len(c.Body) > 0 {
		if err := c.DecodeJSON(&req); err != nil {
			return nil, err
		}
	}
	return s.onOne(func(b api.Backend, ctx context.Context, id string) (api.Dispatch, error) {
		return b.Reject(ctx, id, strings.TrimSpace(req.Because))
	})(c)
}

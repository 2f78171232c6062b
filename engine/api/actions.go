package api

import (
	"fmt"
	"math"
	"slices"
)

// What the forms of the dashboard do. Each ends with a page that shows what came
// of it, so that loading it again does nothing twice.

// onOne makes the form of a call on one dispatch: what it did is seen on the page
// of the dispatch.
func onOne(act func(*Server, call) (any, error)) func(*Server, call) (any, error) {
	return func(s *Server, c call) (any, error) {
		if _, err := act(s, c); err != nil {
			return nil, err
		}
		return redirect{to: "/dispatch/" + c.id}, nil
	}
}

// releaseAll starts everything that is held, the oldest first, also what no page has
// room for. What cannot be started keeps nothing else from it.
func (s *Server) releaseAll(c call) (any, error) {
	ctx := c.r.Context()
	list, err := s.backend.Dispatches(ctx, Filter{Status: "held", Limit: math.MaxInt32})
	if err != nil {
		return nil, fmt.Errorf("list what is held: %w", err)
	}
	var refused error
	for i, d := range slices.Backward(list) {
		if ctx.Err() != nil {
			return nil, &Conflict{Reason: fmt.Sprintf("It takes long: %d are still held; release those as well.", i+1)}
		}
		if _, err := s.backend.Release(ctx, d.ID); err != nil {
			refused = err
		}
	}
	if refused != nil {
		return nil, fmt.Errorf("release all: %w", refused)
	}
	return redirect{to: "/held"}, nil
}

func (s *Server) watchForm(c call) (any, error) {
	running := c.values.Get("running")
	if running != "true" && running != "false" {
		return nil, &Invalid{Reason: "Say whether to watch; open the page again."}
	}
	req := WatcherRequest{Running: running == "true", Vault: c.values.Get("vault"), For: c.values.Get("for")}
	if _, err := s.backend.SetWatcher(c.r.Context(), req); err != nil {
		return nil, fmt.Errorf("set the watcher: %w", err)
	}
	return redirect{to: "/"}, nil
}

func (s *Server) rescanForm(c call) (any, error) {
	if _, err := s.rescan(c); err != nil {
		return nil, err
	}
	return redirect{to: "/"}, nil
}

package dashboard

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// The forms of the dashboard. Each ends with a redirect to a page that shows the result,
// so that loading that page again acts only once.

// onOne makes the form of a call on one dispatch; the page of the dispatch shows the
// result.
func onOne(act func(ctx context.Context, id string) (api.Dispatch, error)) func(server.Call) (any, error) {
	return func(c server.Call) (any, error) {
		if _, err := act(c.Request.Context(), c.ID); err != nil {
			return nil, fmt.Errorf("act on a dispatch: %w", err)
		}
		return redirect{to: "/dispatch/" + c.ID}, nil
	}
}

// releaseAll starts everything that is held, the oldest first, also what no page has
// room for. What cannot be started keeps nothing else from it.
func (d *Dashboard) releaseAll(c server.Call) (any, error) {
	ctx := c.Request.Context()
	list, err := d.backend.Dispatches(ctx, api.Filter{Status: "held", Limit: math.MaxInt32})
	if err != nil {
		return nil, fmt.Errorf("list what is held: %w", err)
	}
	var refused error
	for i, held := range slices.Backward(list) {
		if ctx.Err() != nil {
			return nil, &api.Conflict{Reason: fmt.Sprintf("It takes long: %d are still held; release those as well.", i+1)}
		}
		if _, err := d.backend.Release(ctx, held.ID); err != nil {
			refused = err
		}
	}
	if refused != nil {
		return nil, fmt.Errorf("release all: %w", refused)
	}
	return redirect{to: "/held"}, nil
}

func (d *Dashboard) watchForm(c server.Call) (any, error) {
	running := c.Form.Get("running")
	if running != "true" && running != "false" {
		return nil, &api.Invalid{Reason: "Say whether to watch; open the page again."}
	}
	req := api.WatcherRequest{Running: running == "true", Vault: c.Form.Get("vault"), For: c.Form.Get("for")}
	if _, err := d.backend.SetWatcher(c.Request.Context(), req); err != nil {
		return nil, fmt.Errorf("set the watcher: %w", err)
	}
	return redirect{to: "/"}, nil
}

func (d *Dashboard) dismissForm(c server.Call) (any, error) {
	if err := d.backend.DismissNotice(c.Request.Context(), c.ID); err != nil && !errors.Is(err, api.ErrNotFound) {
		return nil, fmt.Errorf("dismiss a notice: %w", err)
	}
	return redirect{to: "/"}, nil // one that has ended meanwhile is gone as well
}

func (d *Dashboard) rescanForm(c server.Call) (any, error) {
	if err := d.backend.Rescan(c.Request.Context()); err != nil {
		return nil, fmt.Errorf("start a rescan: %w", err)
	}
	return redirect{to: "/"}, nil
}

package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"

	"vaultdispatcher/engine/api"
)

// Held dispatches are released here and nowhere else: pages, calls, commands and the tray meet the same refusals. Old
// dispatches and those over a limit start together. A burst starts once its list was shown. Another person's
// questions start one by one, each once it was read.

// Questions answers the calls about what was asked, for pages and programs alike.
type Questions struct{ backend api.Backend }

func (q Questions) readHeld(c Call) (any, error) {
	said, err := ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	return q.ListHeld(c.Request.Context(), api.HeldScope{Kind: said.Get("kind"), Vault: said.Get("vault"), Note: said.Get("note"), Folder: said.Get("folder")})
}

// ListHeld lists what is held, the kinds apart.
func (q Questions) ListHeld(ctx context.Context, scope api.HeldScope) (api.HeldList, error) {
	all, err := q.allHeld(ctx, &scope)
	return api.ListHeld(slices.DeleteFunc(all, func(d api.Dispatch) bool { return !scope.Has(d) }), api.MostListed), err
}

// allHeld returns all that is held, not only what the scope has, which it checks.
func (q Questions) allHeld(ctx context.Context, scope *api.HeldScope) ([]api.Dispatch, error) {
	all, err := q.backend.Dispatches(ctx, api.Filter{Status: "held", Limit: math.MaxInt32})
	if err == nil {
		err = scope.Check(all, q.backend.Roots())
	}
	return Brief(all), err
}

// ReleaseHeld starts what a request chooses, the oldest first, and says what is left. What cannot be
// started keeps nothing else from it.
func (q Questions) ReleaseHeld(ctx context.Context, req api.ReleaseRequest) (api.Released, error) {
	done := api.Released{Released: []api.Dispatch{}, Refused: []api.Unready{}, Left: []api.HeldLeft{}}
	all, err := q.allHeld(ctx, &req.HeldScope)
	if err != nil {
		return done, err
	}
	chosen, err := chooseHeld(all, req)
	if err != nil {
		return done, err
	}
	started := make(map[string]bool, len(chosen))
	for i, held := range chosen {
		if ctx.Err() != nil {
			return done, &api.Conflict{Reason: fmt.Sprintf("Time ran out and %d still wait for you; release those as well.", len(chosen)-i)}
		}
		now, err := q.backend.Release(ctx, held.ID)
		if refused := statusOf(err); err != nil && refused.Status == http.StatusInternalServerError {
			return done, err
		} else if err != nil {
			done.Refused = append(done.Refused, api.Unready{Dispatch: held, Reason: refused.Text})
			continue
		}
		started[held.ID], done.Released = true, append(done.Released, now)
	}
	done.Released = Brief(done.Released)
	for _, g := range api.ListHeld(slices.DeleteFunc(all, func(d api.Dispatch) bool { return started[d.ID] }), 0).Kinds {
		done.Left = append(done.Left, api.HeldLeft{HeldKind: g.HeldKind, Count: g.Count, Questions: g.Questions})
	}
	return done, nil
}

// chooseHeld returns what a request may release, the oldest first.
func chooseHeld(all []api.Dispatch, req api.ReleaseRequest) ([]api.Dispatch, error) {
	in := slices.DeleteFunc(slices.Clone(all), func(d api.Dispatch) bool {
		return !req.Has(d) || req.Kind == "" && !slices.Contains(api.ReleasedTogether, api.KindOf(d).Kind)
	})
	api.SortByAge(in)
	switch {
	case req.Kind == "untrusted":
		return nil, &api.Conflict{Reason: "What came with a note from elsewhere is released one by one, each after it was read: GET /vault-mind/dispatches/{id} has all of it."}
	case req.Kind != "burst" || len(in) == 0 && req.Seen == "":
		return in, nil
	case req.Seen == "":
		return nil, &api.Conflict{Reason: "A burst is released after its list was shown: GET /vault-mind/held?kind=burst has it, and the \"seen\" to send along."}
	}
	shown, is := api.ChooseShown(in, req.Seen)
	if !is {
		return nil, &api.Conflict{Reason: "The list is not what it was when it was shown; look at it again. Nothing was released."}
	}
	return shown, nil
}

// Dispatch returns one dispatch with its texts, and where it is held with what a person reads before
// it is released.
func (q Questions) Dispatch(ctx context.Context, id string) (api.Detail, error) {
	d, err := q.backend.Dispatch(ctx, id)
	if err != nil || d.Status != "held" {
		return d, err
	}
	st, err := q.backend.Status(ctx, false)
	d.Reading = api.ReadingOf(d, st.Agents)
	return d, err
}

func (q Questions) releaseDispatch(c Call, req struct{ Seen string }) (any, error) {
	return tellOne(q.Release(c.Request.Context(), c.ID, req.Seen))
}

// Release starts one held dispatch. seen proves the reading that was shown; only another person's question needs it.
func (q Questions) Release(ctx context.Context, id, seen string) (api.Dispatch, error) {
	d, err := q.Dispatch(ctx, id)
	switch {
	case errors.Is(err, api.ErrNotFound):
		return d.Dispatch, err
	case err != nil:
		return d.Dispatch, fmt.Errorf("read what is released: %w", err)
	case d.Reading == nil || api.KindOf(d.Dispatch).Kind != "untrusted" || seen == d.Reading.Seen:
		return q.backend.Release(ctx, id)
	case seen == "":
		return d.Dispatch, &api.Conflict{Reason: "It came with a note from elsewhere, so you must read it before it is released: GET /vault-mind/dispatches/" + id +
			" has all of it, and in \"reading\" the \"seen\" to send along."}
	}
	return d.Dispatch, &api.Conflict{Reason: "Its text or its agent is not what it was when it was shown; read it again. It still waits for you."}
}

package dashboard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// The forms of the dashboard. Each ends with a redirect to a page that shows the result,
// so that loading that page again acts only once.

// dispatchForm makes the form of a call on one dispatch; the page of the dispatch shows the result.
func dispatchForm(act func(ctx context.Context, id string) (api.Dispatch, error)) func(server.Call) (any, error) {
	return func(c server.Call) (any, error) {
		_, err := act(c.Request.Context(), c.ID)
		return redirect{target: "/dispatch/" + c.ID}, err
	}
}

// releaseForm starts one held dispatch, as its page or its row showed it.
func (d *Dashboard) releaseForm(c server.Call) (any, error) {
	_, err := d.server.Questions.Release(c.Request.Context(), c.ID, c.Form.Get("seen"))
	return redirect{target: "/dispatch/" + c.ID}, err
}

// releaseSome starts what a button of the list of held questions chooses; without a kind it is what
// is released together.
func (d *Dashboard) releaseSome(c server.Call) (any, error) {
	f := c.Form
	done, err := d.server.Questions.ReleaseHeld(c.Request.Context(), api.ReleaseRequest{Seen: f.Get("seen"),
		HeldScope: api.HeldScope{Kind: f.Get("kind"), Vault: f.Get("vault"), Note: f.Get("note"), Folder: f.Get("folder")}})
	if err == nil && len(done.Refused) > 0 {
		err = &api.Conflict{Reason: fmt.Sprintf("%d of %d were released. The first that was not is in %s: %s",
			len(done.Released), len(done.Released)+len(done.Refused), done.Refused[0].Dispatch.Where(), done.Refused[0].Reason)}
	}
	return redirect{target: fmt.Sprintf("/held?released=%d", len(done.Released))}, err
}

// askTime is how long the form of a question waits for its answer; a quick one is on the page that follows
// then, also without a script.
const askTime = 5 * time.Second

// askForm asks a question; the page of its dispatch shows the answer.
func (d *Dashboard) askForm(c server.Call) (any, error) {
	ctx := c.Request.Context()
	asked, err := d.server.Questions.Ask(ctx, api.AskRequest{Question: c.Form.Get("question"), Role: c.Form.Get("role"),
		Vault: c.Form.Get("vault"), File: strings.TrimSpace(c.Form.Get("file")), Append: c.Form.Get("append") != ""})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, _ = d.backend.AwaitAnswer(ctx, asked.ID, nil) // the page tells what became of it
	return redirect{target: "/dispatch/" + asked.ID}, nil
}

func (d *Dashboard) watchForm(c server.Call) (any, error) {
	running := c.Form.Get("running")
	if running != "true" && running != "false" {
		return nil, &api.Invalid{Reason: "Say whether to watch; open the page again."}
	}
	req := api.WatcherRequest{Running: running == "true", Vault: c.Form.Get("vault"), Duration: c.Form.Get("for")}
	_, err := d.backend.SetWatcher(c.Request.Context(), req)
	return redirect{target: "/"}, err
}

func (d *Dashboard) dismissForm(c server.Call) (any, error) {
	err := d.backend.DismissNotice(c.Request.Context(), c.ID)
	if errors.Is(err, api.ErrNotFound) {
		err = nil // one that has ended meanwhile is gone as well
	}
	return redirect{target: "/"}, err
}

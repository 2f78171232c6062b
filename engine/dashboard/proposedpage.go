package dashboard

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

func (d *Dashboard) proposedPage(c server.Call) (any, error) {
	list, err := d.backend.Proposed(c.Request.Context())
	if err != nil {
		return nil, err
	}
	slices.Reverse(list) // a new proposal moves no part of the page while a person reads
	return d.showPage(c, "proposed", "For you to approve", list)
}

// acceptForm has a proposal written as its page showed it, or as the person has changed its text there.
func (d *Dashboard) acceptForm(c server.Call) (any, error) {
	req := api.AcceptRequest{Seen: c.Form.Get("seen")}
	if c.Form.Has("text") {
		req.Text = new(strings.ReplaceAll(c.Form.Get("text"), "\r\n", "\n")) // as a form sends the ends of lines
	}
	_, err := d.server.Questions.Accept(c.Request.Context(), c.ID, req)
	return redirect{target: "/proposed"}, err
}

func (d *Dashboard) rejectForm(c server.Call) (any, error) {
	_, err := d.backend.Reject(c.Request.Context(), c.ID, strings.TrimSpace(c.Form.Get("because")))
	return redirect{target: "/proposed"}, err
}

package dashboard

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/dashboard/setup"
)

func (d *Dashboard) setupPage(c server.Call) (any, error) {
	q, err := server.ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	v, err := d.setupNow(c)
	if err != nil {
		return nil, err
	}
	v.Saved, v.Moved = q.Has("saved"), q.Has("moved")
	v.SeekRole(q.Get("role"))
	return d.showPage(c, "setup", "Setup", v)
}

// setupNow is the page as it is without a form.
func (d *Dashboard) setupNow(c server.Call) (setup.View, error) {
	found, err := d.server.Tools.LookAtSetup(c.Request.Context())
	if err != nil {
		return setup.View{}, err
	}
	st, err := d.server.State(c.Request.Context())
	if err != nil {
		return setup.View{}, err
	}
	return setup.New(found, st.Agents), nil
}

// setupForm takes the folders that were ticked, and another one that was typed. What
// is refused is shown again as it was filled in.
func (d *Dashboard) setupForm(c server.Call) (any, error) {
	v, written, refused, err := d.takeForm(c)
	if err != nil {
		return nil, err
	}
	if refused != nil {
		return d.refusedForm(c, v.FillIn(c.Form, refused))
	}
	if port := strconv.Itoa(written.Port); written.Port != 0 && port != c.Port {
		return d.followPort(c, written)
	}
	if len(written.Notes) == 0 {
		return redirect{target: "/setup?saved"}, nil
	}
	if v, err = d.setupNow(c); err != nil {
		return nil, err
	}
	v.Saved, v.Undone = true, written.Notes
	return d.showPage(c, "setup", "Setup", v)
}

// takeForm has a form carried out, or says why not.
func (d *Dashboard) takeForm(c server.Call) (v setup.View, written api.SetupWritten, refused *api.Invalid, err error) {
	written, err = d.server.Tools.ChangeSetup(c.Request.Context(), func() (choice api.SetupChoice, err error) {
		if v, err = d.setupNow(c); err != nil {
			return choice, err
		}
		return v.ReadChoice(c.Form)
	})
	if errors.As(err, &refused) {
		err = nil
	}
	return v, written, refused, err
}

// rolesForm saves the agents of the table of roles.
func (d *Dashboard) rolesForm(c server.Call) (any, error) {
	var v setup.View
	_, err := d.server.Tools.ChangeSetup(c.Request.Context(), func() (choice api.SetupChoice, err error) {
		if v, err = d.setupNow(c); err != nil {
			return choice, err
		}
		v.Rows = v.FillRoles(c.Form)
		return v.ReadRoles()
	})
	var refused *api.Invalid
	switch {
	case errors.As(err, &refused):
		v.Failed = setup.Failure{Field: v.FieldOf(refused), Reason: refused.Error()}
		return d.refusedForm(c, v)
	case err != nil:
		return nil, err
	}
	return redirect{target: "/setup?saved"}, nil
}

func (d *Dashboard) refusedForm(c server.Call, v setup.View) (any, error) {
	page, err := d.showPage(c, "setup", "Setup", v)
	if err != nil {
		return nil, err
	}
	answer := page.(rendered)
	answer.status = http.StatusBadRequest
	return answer, nil
}

// movedView is the last page at a port.
type movedView struct {
	Link  string // to the setup at the new one; good once
	Port  int
	Notes []string
}

// followPort leads a browser to the port that the engine has moved to, where a link like
// that of wiki open makes it a session. This one ends, because
// the engine no longer answers at this port.
func (d *Dashboard) followPort(c server.Call, written api.SetupWritten) (any, error) {
	link := "http://127.0.0.1:" + strconv.Itoa(written.Port) + "/open/" + d.newLink(movedLink, time.Now()) + "?to=moved"
	v := view{Page: "moved", Title: "Setup", Now: time.Now(), Data: movedView{Link: link, Port: written.Port, Notes: written.Notes}}
	if len(written.Notes) == 0 {
		v.Follow = link
	}
	html, err := d.renderPage("moved", v)
	if err != nil {
		return nil, err
	}
	d.endSession(sessionOf(c), time.Now())
	return rendered{status: http.StatusOK, html: html}, nil
}

// tryForm asks a role. Its answer is kept nowhere, so the page is shown at once; a
// browser asks before it sends the form again.
func (d *Dashboard) tryForm(c server.Call) (any, error) {
	return d.tryAction(c, "roles", func(v *setup.View) error {
		tried, err := d.tools.Setup.Try(c.Request.Context(), c.Form.Get("role"))
		v.Tried = &tried
		return err
	})
}

// proveForm shows a first answer.
func (d *Dashboard) proveForm(c server.Call) (any, error) {
	return d.tryAction(c, "proof", func(v *setup.View) error {
		proof, err := d.tools.Setup.Prove(c.Request.Context())
		v.Proof = &proof
		return err
	})
}

// tryAction shows what came of something that may not succeed.
func (d *Dashboard) tryAction(c server.Call, section string, act func(*setup.View) error) (any, error) {
	v, err := d.setupNow(c)
	if err != nil {
		return nil, err
	}
	var reason *api.Conflict
	switch err := act(&v); {
	case errors.As(err, &reason):
		v.Tried, v.Proof, v.Failed = nil, nil, setup.Failure{Field: section, Reason: reason.Error()}
		page, err := d.refusedForm(c, v)
		if answer, ok := page.(rendered); ok {
			answer.status = http.StatusConflict
			return answer, nil
		}
		return page, err
	case err != nil:
		return nil, fmt.Errorf("try the setup: %w", err)
	}
	return d.showPage(c, "setup", "Setup", v)
}

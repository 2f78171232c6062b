package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// setupView is what is set, who answers, and what came of the last form.
type setupView struct {
	Setup
	Rows   []roleRow // of the table of roles
	Saved  bool
	Moved  bool     // to the port of this page
	Undone []string // what could not be done
	Tried  *SetupTried
	Proof  *SetupProof
	Failed setupFailure

	// Was is what was set when the page was made, by the names of its fields. What a
	// person left as it was says nothing: somebody else may have changed it since.
	Was url.Values
	// What was typed, to be seen again.
	Another string // folder
	Port    string
	Sure    bool
}

// setupFailure is why a form was refused, beside its field.
type setupFailure struct {
	Field  string // the id of the field; empty = what was asked for could not be done
	Reason string
}

// wrongAt is what is wrong with one field of the page; empty = nothing.
func wrongAt(v setupView, id string) setupFailure {
	if v.Failed.Field != id {
		return setupFailure{}
	}
	return v.Failed
}

func (s *Server) setupPage(c call) (any, error) {
	q, err := query(c.r)
	if err != nil {
		return nil, err
	}
	v, err := s.setupNow(c)
	if err != nil {
		return nil, err
	}
	v.Saved, v.Moved = q.Has("saved"), q.Has("moved")
	return s.show(c, "setup", "Setup", v)
}

// setupNow is the page as it is without a form.
func (s *Server) setupNow(c call) (setupView, error) {
	found, err := s.setup(c)
	if err != nil {
		return setupView{}, err
	}
	st, err := s.state(c.r.Context())
	if err != nil {
		return setupView{}, err
	}
	v := setupView{Setup: found.(Setup), Rows: roleRows(found.(Setup), st.Agents)}
	v.Port = strconv.Itoa(v.Chosen.Port)
	v.Was = url.Values{"agent": {v.Chosen.Agent}, "agentModel": {v.Chosen.AgentModel},
		"provider": {v.Chosen.Provider}, "model": {v.Chosen.Model}, "url": {*v.Chosen.URL}, "port": {v.Port}}
	for _, f := range v.Folders {
		if f.Watched {
			v.Was.Add("vault", f.Path)
		}
	}
	for name, is := range map[string]SetupSwitch{"login": v.Login, "tray": v.Tray} {
		switch {
		case is.Offered && is.On:
			v.Was.Set(name, "on")
		case is.Offered:
			v.Was.Set(name, "")
		}
	}
	return v, nil
}

// setupForm takes the folders that were ticked, and another one that was typed. What
// is refused is shown again as it was filled in.
func (s *Server) setupForm(c call) (any, error) {
	v, written, refused, err := s.takeForm(c)
	if err != nil {
		return nil, err
	}
	if refused != nil {
		return s.refusedForm(c, v.filled(c.values, refused))
	}
	if port := strconv.Itoa(written.Port); written.Port != 0 && port != c.port {
		return s.follow(c, written)
	}
	if len(written.Notes) == 0 {
		return redirect{to: "/setup?saved"}, nil
	}
	if v, err = s.setupNow(c); err != nil {
		return nil, err
	}
	v.Saved, v.Undone = true, written.Notes
	return s.show(c, "setup", "Setup", v)
}

// takeForm has a form carried out, or says why not. What is set is looked at and
// changed under one lock, so that of two forms at once neither undoes the other.
func (s *Server) takeForm(c call) (v setupView, written SetupWritten, refused *Invalid, err error) {
	s.settings.Lock()
	defer s.settings.Unlock()
	if v, err = s.setupNow(c); err != nil {
		return v, written, nil, err
	}
	choice, refused := v.choice(c.values)
	if refused != nil {
		return v, written, refused, nil
	}
	if written, err = s.choose(c.r.Context(), choice); errors.As(err, &refused) {
		err = nil
	}
	return v, written, refused, err
}

func (s *Server) refusedForm(c call, v setupView) (any, error) {
	page, err := s.show(c, "setup", "Setup", v)
	if err != nil {
		return nil, err
	}
	answer := page.(rendered)
	answer.status = http.StatusBadRequest
	return answer, nil
}

// choice reads the form. What the page did not show nobody has unticked, and what was
// left as it was nobody has chosen.
func (v setupView) choice(form url.Values) (SetupChoice, *Invalid) {
	choice := SetupChoice{Sure: form.Has("sure"), Login: switched(form, "login"), Tray: switched(form, "tray")}
	if changed(form, "agent", "agentModel") {
		choice.Agent, choice.AgentModel = form.Get("agent"), form.Get("agentModel")
	}
	if changed(form, "provider", "model") {
		choice.Provider, choice.Model = form.Get("provider"), form.Get("model")
	}
	if form.Has("url") && changed(form, "provider", "url") { // another provider is meant to be where the page shows it
		url := form.Get("url")
		choice.URL = &url
	}
	for _, path := range form["vault"] {
		if !slices.Contains(form["was-vault"], path) || slices.Contains(v.Was["vault"], path) {
			choice.Vaults = append(choice.Vaults, path)
		}
	}
	if folder := pasted(form.Get("folder")); folder != "" {
		choice.Vaults = append(choice.Vaults, folder)
	}
	if len(choice.Vaults) == 0 {
		return choice, &Invalid{Reason: "Choose a folder of notes; nothing was changed.", Field: "vaults"}
	}
	for _, f := range v.Folders {
		if f.Watched && !slices.Contains(form["shown"], f.Path) && !slices.Contains(choice.Vaults, f.Path) {
			choice.Vaults = append(choice.Vaults, f.Path)
		}
	}
	if text := form.Get("port"); text != "" && changed(form, "port") {
		port, err := strconv.Atoi(text)
		if err != nil || port < 1 || port > 65535 {
			return choice, &Invalid{Reason: "A port is a number from 1 to 65535; nothing was changed.", Field: "port"}
		}
		choice.Port = port
	}
	return choice, nil
}

// pasted is a path without what a file manager copies around it. No whole path begins
// with any of that.
func pasted(path string) string {
	path = strings.TrimSpace(path)
	for _, quote := range []string{`"`, "'"} {
		if inner, ok := strings.CutPrefix(path, quote); ok && strings.HasSuffix(inner, quote) {
			return strings.TrimSpace(strings.TrimSuffix(inner, quote))
		}
	}
	return path
}

// changed reports whether one of these fields was left otherwise than it was shown; a
// form that does not say how they were shown means what it says.
func changed(form url.Values, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return !form.Has("was-"+name) || form.Get(name) != form.Get("was-"+name)
	})
}

// switched is how a box was left, if that is another way than it was shown in.
func switched(form url.Values, name string) *bool {
	was, shown := form["was-"+name]
	if now := form.Has(name); shown && now != (was[0] == "on") {
		return &now
	}
	return nil
}

// filled is the page as it was filled in, with what is wrong.
func (v setupView) filled(form url.Values, wrong *Invalid) setupView {
	field := wrong.Field
	if field == "vaults" {
		field = "folder"
		for i, f := range v.Folders {
			if f.Path == wrong.Value && wrong.Value != pasted(form.Get("folder")) {
				field = "vault-" + strconv.Itoa(i)
			}
		}
	}
	v.Failed = setupFailure{field, sentence(wrong.Reason)}
	for i, f := range v.Folders {
		if slices.Contains(form["shown"], f.Path) {
			v.Folders[i].Watched = slices.Contains(form["vault"], f.Path)
		}
	}
	for name := range v.Was {
		if form.Has("was-agent") { // it says how all of it was
			v.Was[name] = form["was-"+name]
		}
	}
	v.Another, v.Sure = form.Get("folder"), form.Has("sure")
	v.Chosen.Agent, v.Chosen.AgentModel = form.Get("agent"), form.Get("agentModel")
	v.Chosen.Provider, v.Chosen.Model = form.Get("provider"), form.Get("model")
	if url := form.Get("url"); form.Has("url") {
		v.Chosen.URL = &url
	}
	if form.Has("port") {
		v.Port = form.Get("port")
	}
	login, tray := form.Has("login"), form.Has("tray")
	v.Chosen.Login, v.Chosen.Tray = &login, &tray
	return v
}

// movedView is the last page at a port.
type movedView struct {
	Link  string // to the setup at the new one; good once
	Port  int
	Notes []string
}

// follow leads a browser to the port that the engine has moved to, where a link like
// that of wiki open makes it a session. This one ends: nobody answers here any more.
func (s *Server) follow(c call, written SetupWritten) (any, error) {
	link := "http://127.0.0.1:" + strconv.Itoa(written.Port) + "/open/" + s.sessions.link(movedLink, time.Now()) + "?to=moved"
	v := view{Page: "moved", Title: "Setup", Now: time.Now(), Data: movedView{Link: link, Port: written.Port, Notes: written.Notes}}
	if len(written.Notes) == 0 {
		v.Follow = link
	}
	html, err := s.render("moved", v)
	if err != nil {
		return nil, err
	}
	s.sessions.end(c.session, time.Now())
	return rendered{server: s, status: http.StatusOK, html: html}, nil
}

// tryForm asks a role. Its answer is kept nowhere, so the page is shown at once; a
// browser asks before it sends the form again.
func (s *Server) tryForm(c call) (any, error) {
	return s.attempt(c, "roles", func(v *setupView) error {
		tried, err := s.tools.Setup.Try(c.r.Context(), c.values.Get("role"))
		v.Tried = &tried
		return err
	})
}

// proveForm shows a first answer.
func (s *Server) proveForm(c call) (any, error) {
	return s.attempt(c, "proof", func(v *setupView) error {
		proof, err := s.tools.Setup.Prove(c.r.Context())
		v.Proof = &proof
		return err
	})
}

// attempt shows what came of something that may not succeed.
func (s *Server) attempt(c call, section string, act func(*setupView) error) (any, error) {
	v, err := s.setupNow(c)
	if err != nil {
		return nil, err
	}
	var reason *Conflict
	switch err := act(&v); {
	case errors.As(err, &reason):
		v.Tried, v.Proof, v.Failed = nil, nil, setupFailure{section, sentence(reason.Reason)}
		page, err := s.refusedForm(c, v)
		if answer, ok := page.(rendered); ok {
			answer.status = http.StatusConflict
			return answer, nil
		}
		return page, err
	case err != nil:
		return nil, fmt.Errorf("try the setup: %w", err)
	}
	return s.show(c, "setup", "Setup", v)
}

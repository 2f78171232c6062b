package dashboard

import (
	"cmp"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// A browser gets into the dashboard by a one-time link, for which a client with the
// token asks. The link makes a cookie and is of no use after that.

// NewLink makes a one-time link; the server has checked the token.
func (s *Sessions) NewLink(port string) api.Link {
	now := time.Now()
	return api.Link{URL: "http://127.0.0.1:" + port + "/open/" + s.newLink("", now), Expires: now.Add(linkLife).UTC()}
}

// entries are the pages that a link leads to, by its ?to=.
var entries = map[string]string{"setup": "/setup", "ask": "/?ask#ask", "held": "/held", "proposed": "/proposed", "moved": "/setup?saved&moved"}

// openLink turns a one-time link into a session. A browser that only looks ahead does not use the link up, and one
// that returns to it with a session keeps its session. With ?to=setup, ask, held or dispatch/ID the link leads to
// that page, otherwise to the first.
func (d *Dashboard) openLink(c server.Call) (any, error) {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Moz"} {
		if strings.Contains(c.Request.Header.Get(name), "prefetch") {
			return nil, api.Refusal(http.StatusForbidden, "prefetch", "A browser that loads pages ahead cannot use a one-time link; open the link yourself.")
		}
	}
	to := c.Request.URL.Query().Get("to")
	enter := redirect{target: cmp.Or(entries[to], "/")}
	if id, found := strings.CutPrefix(to, "dispatch/"); found {
		enter.target = dispatchAddress(id)
	}
	text := d.useLink(c.ID, time.Now())
	if from := sessionOf(c); from != nil {
		d.keepForm(text, from)
	}
	if text != "" {
		enter.cookie = newCookie(c.Port, text)
	}
	if text != "" || c.Session != nil {
		return d.redirectFromLink(c, enter)
	}
	return nil, api.Refusal(http.StatusUnauthorized, "unauthorized", "This link was used already or is too old; wiki open makes a new one.")
}

// redirectFromLink leads on from a link. To a browser that comes from our page at another port
// a redirect would not do: what it asks for then still comes from there.
func (d *Dashboard) redirectFromLink(c server.Call, enter redirect) (any, error) {
	if !d.IsFromNeighbour(c.Request) {
		return enter, nil
	}
	html, err := d.renderPage("moved", view{Page: "moved", Title: "Setup", Now: time.Now(), Follow: enter.target, Data: movedView{Link: enter.target}})
	if err != nil {
		return nil, err
	}
	return arrival{rendered{status: http.StatusOK, html: html}, enter.cookie}, nil
}

// arrival is a page that makes a session.
type arrival struct {
	rendered
	cookie *http.Cookie
}

func (a arrival) Respond(w http.ResponseWriter, r *http.Request) {
	if a.cookie != nil {
		http.SetCookie(w, a.cookie)
	}
	a.rendered.Respond(w, r)
}

// signOut ends the session of the browser that asks.
func (s *Sessions) signOut(c server.Call) (any, error) {
	s.endSession(sessionOf(c), time.Now())
	gone := newCookie(c.Port, "")
	gone.MaxAge = -1
	return redirect{target: "/", cookie: gone}, nil
}

// cookieName holds the port: a browser sends the cookies of a host to all its
// ports, and two engines must not take each other's. For the same reason a server
// of another user that this browser visits on this computer sees the cookie. On
// Linux it is of no use to them, because the guard knows the user; elsewhere it is
// good until it is exchanged.
func cookieName(port string) string { return "wiki-" + port }

// newCookie lasts as long as the browser runs; when it ends is known here.
func newCookie(port, text string) *http.Cookie {
	return &http.Cookie{Name: cookieName(port), Value: text, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode}
}

// cookieOf returns the secret a request carries, or nothing.
func cookieOf(r *http.Request, port string) string {
	if found := r.CookiesNamed(cookieName(port)); len(found) == 1 {
		return found[0].Value
	}
	return ""
}

// sessionOf is the session of a call, or nil.
func sessionOf(c server.Call) *session {
	of, _ := c.Session.(*session)
	return of
}

// Session returns the session a request belongs to, or nil. A request that changes
// something must name our own page as its origin, as browsers do.
func (s *Sessions) Session(r *http.Request) server.Session {
	origin := r.Header.Get("Origin")
	if origin != server.OwnBase(r) && (origin != "" || r.Method != http.MethodGet && r.Method != http.MethodHead) {
		return nil
	}
	if of := s.findSession(cookieOf(r, server.LocalPort(r)), time.Now()); of != nil {
		return of
	}
	return nil
}

// rotateCookie puts a new secret into the cookie of a browser that looks at a page,
// when that is due.
func (s *Sessions) rotateCookie(w http.ResponseWriter, r *http.Request) {
	port := server.LocalPort(r)
	if text := s.rotateSecret(cookieOf(r, port), time.Now()); text != "" {
		http.SetCookie(w, newCookie(port, text))
	}
}

// readForm reads what a form of our pages sends. Only they know what it must carry.
func readForm(c *server.Call) error {
	media, _, _ := strings.Cut(c.Request.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(media) != "application/x-www-form-urlencoded" {
		return server.ErrContentType()
	}
	values, err := url.ParseQuery(string(c.Body))
	if err != nil {
		return &api.Invalid{Reason: "The form cannot be read; open its page again."}
	}
	got, want := hashOf(values.Get("form")), hashOf(sessionOf(*c).form)
	if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		return api.Refusal(http.StatusForbidden, "form_not_ours", "This form is not from a page of the dashboard as it is now; open the page again.")
	}
	c.Form = values
	return nil
}

// IsFromNeighbour reports whether a person's browser opens the link of a page of this
// computer at another port from which the engine has moved. The link is what lets in.
func (*Sessions) IsFromNeighbour(r *http.Request) bool {
	only := func(name, value string) bool {
		found := r.Header.Values(name)
		return len(found) == 1 && found[0] == value
	}
	key, link := server.Match("/open/{id}", r.URL.EscapedPath())
	return link && strings.HasPrefix(key, movedLink) && r.Method == http.MethodGet && only("Sec-Fetch-Site", "same-site") &&
		only("Sec-Fetch-Mode", "navigate") && only("Sec-Fetch-Dest", "document")
}

// redirect answers with another page to look at.
type redirect struct {
	target string // a path of ours
	cookie *http.Cookie
}

func (a redirect) Respond(w http.ResponseWriter, _ *http.Request) {
	if a.cookie != nil {
		http.SetCookie(w, a.cookie)
	}
	w.Header().Set("Location", a.target)
	setPageHeaders(w.Header())
	w.WriteHeader(http.StatusSeeOther)
}

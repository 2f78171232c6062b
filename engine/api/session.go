package api

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The dashboard is seen by browsers that have opened a one-time link. Who knows
// the token asks for one; the link makes a cookie, and is of no use after that.

// Link is the answer of POST /vault-mind/session.
type Link struct {
	URL     string    `json:"url"`
	Expires time.Time `json:"expires"`
}

// newLink makes a one-time link to the dashboard, for whoever knows the token: a
// session that could make others would never end.
func (s *Server) newLink(c call) (any, error) {
	if !s.authorised(c.r) {
		return nil, errUnauthorized()
	}
	if s.pages == nil {
		return nil, refusal(http.StatusNotImplemented, "no_pages", "This program was built without the pages of the dashboard.")
	}
	now := time.Now()
	return Link{URL: "http://127.0.0.1:" + c.port + "/open/" + s.sessions.link("", now), Expires: now.Add(linkLife).UTC()}, nil
}

// open turns a one-time link into a session. A browser that only looks ahead does
// not use it up, and one that comes back to it with a session just goes on. With
// ?to=setup it leads to that page, otherwise to the first.
func (s *Server) open(c call) (any, error) {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Moz"} {
		if strings.Contains(c.r.Header.Get(name), "prefetch") {
			return nil, refusal(http.StatusForbidden, "prefetch", "A one-time link is opened by a person.")
		}
	}
	enter := redirect{to: "/"}
	switch c.r.URL.Query().Get("to") {
	case "setup":
		enter.to = "/setup"
	case "moved":
		enter.to = "/setup?saved&moved"
	}
	text := s.sessions.open(c.id, time.Now())
	if c.session != nil {
		s.sessions.goOn(text, c.session)
	}
	if text != "" {
		enter.cookie = cookie(c.port, text)
	}
	if text != "" || c.session != nil {
		return s.entered(c, enter)
	}
	return nil, refusal(http.StatusUnauthorized, "unauthorized", "This link was used already or is too old; wiki open makes a new one.")
}

// entered leads on from a link. To a browser that comes from our page at another port
// a redirect would not do: what it asks for then still comes from there.
func (s *Server) entered(c call, enter redirect) (any, error) {
	if !fromNeighbour(c.r) {
		return enter, nil
	}
	html, err := s.render("moved", view{Page: "moved", Title: "Setup", Now: time.Now(), Follow: enter.to, Data: movedView{Link: enter.to}})
	if err != nil {
		return nil, err
	}
	return arrival{rendered{server: s, status: http.StatusOK, html: html}, enter.cookie}, nil
}

// arrival is a page that makes a session.
type arrival struct {
	rendered
	cookie *http.Cookie
}

func (a arrival) respond(w http.ResponseWriter, r *http.Request) {
	if a.cookie != nil {
		http.SetCookie(w, a.cookie)
	}
	a.rendered.respond(w, r)
}

// leave ends the session of the browser that asks.
func (s *Server) leave(c call) (any, error) {
	s.sessions.end(c.session, time.Now())
	gone := cookie(c.port, "")
	gone.MaxAge = -1
	return redirect{to: "/", cookie: gone}, nil
}

// cookieName holds the port: a browser sends the cookies of a host to all its
// ports, and two engines must not take each other's. For the same reason a server
// of another user that this browser visits on this computer sees the cookie. On
// Linux it is of no use to them, because the guard knows the user; elsewhere it is
// good until it is exchanged.
func cookieName(port string) string { return "wiki-" + port }

// cookie lasts as long as the browser runs; when it ends is known here.
func cookie(port, text string) *http.Cookie {
	return &http.Cookie{Name: cookieName(port), Value: text, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode}
}

// cookieOf returns the secret a request carries, or nothing.
func cookieOf(r *http.Request, port string) string {
	if found := r.CookiesNamed(cookieName(port)); len(found) == 1 {
		return found[0].Value
	}
	return ""
}

// sessionOf returns the session a request belongs to, or nil. What changes
// something must come from a page of ours, which a browser says of it.
func (s *Server) sessionOf(r *http.Request, port string) *session {
	origin := r.Header.Get("Origin")
	if origin != ownBase(r) && (origin != "" || r.Method != http.MethodGet) {
		return nil
	}
	text := cookieOf(r, port)
	if text == "" {
		return nil
	}
	return s.sessions.find(text, time.Now())
}

// ownBase is the origin of our own pages; the guard has checked the Host.
func ownBase(r *http.Request) string { return "http://" + strings.ToLower(r.Host) }

// rotated puts a new secret into the cookie of a browser that looks at a page,
// when that is due.
func (s *Server) rotated(w http.ResponseWriter, r *http.Request, port string) {
	if text := s.sessions.rotate(cookieOf(r, port), time.Now()); text != "" {
		http.SetCookie(w, cookie(port, text))
	}
}

// form reads what a form of our pages sends. Only they know what it must carry.
func (c call) form() (url.Values, error) {
	media, _, _ := strings.Cut(c.r.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(media) != "application/x-www-form-urlencoded" {
		return nil, errContentType()
	}
	values, err := url.ParseQuery(string(c.body))
	if err != nil {
		return nil, &Invalid{Reason: "The form cannot be read; open its page again."}
	}
	got, want := hashOf(values.Get("form")), hashOf(c.session.form)
	if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		return nil, refusal(http.StatusForbidden, "form_not_ours", "This form is not from a page of the dashboard as it is now; open the page again.")
	}
	return values, nil
}

// Link asks for a one-time link to the dashboard.
func (c *Client) Link(ctx context.Context) (l Link, err error) {
	err = c.post(ctx, "/vault-mind/session", nil, &l)
	return l, err
}

// redirect answers with another page to look at.
type redirect struct {
	to     string // a path of ours
	cookie *http.Cookie
}

func (a redirect) respond(w http.ResponseWriter, _ *http.Request) {
	if a.cookie != nil {
		http.SetCookie(w, a.cookie)
	}
	w.Header().Set("Location", a.to)
	pageHeaders(w.Header())
	w.WriteHeader(http.StatusSeeOther)
}

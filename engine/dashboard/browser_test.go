package dashboard

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/broadcast/shown"
)

// parts are what a site is made of; tests change them.
type parts struct {
	backend  api.Backend
	tools    api.Tools
	sessions *Sessions
}

func (p *parts) UseTools(t api.Tools) { p.tools = t }

// site is a server with the dashboard on a real port.
type site struct {
	*apitest.Caller
	backend   *apitest.Backend
	dashboard *Dashboard
	sessions  *Sessions
	stop      func() error
}

// openSite runs a server with one vault of two notes until the test ends.
func openSite(t testing.TB, change ...func(*parts)) *site {
	t.Helper()
	backend := apitest.NewBackend(t)
	fillShelf(t, backend.Vaults[0].Path) // before a test names other vaults, which have no folder
	p := &parts{backend: backend, tools: apitest.ToolsOf("plain")}
	for _, c := range change {
		c(p)
	}
	log := slog.New(slog.DiscardHandler)
	s := server.New(p.backend, apitest.Token, log)
	s.UseTools(p.tools)
	if desk, ok := p.backend.(server.Desk); ok {
		s.UseDesk(desk)
	}
	room := shown.New(presentations, func(rel string) bool { return strings.HasPrefix(rel, "Diary/") })
	room.Patience = apitest.Patience // of a machine that others use
	d := New(Options{Server: s, Backend: p.backend, Tools: p.tools, Files: assets.Web(), Log: log, Sessions: p.sessions, Presentations: room})
	s.UsePages(d)
	c, stop := apitest.Serve(t, s.Run)
	return &site{c, backend, d, d.Sessions, stop}
}

// browser is what a person sees the dashboard with: it keeps its cookie, follows
// no redirect and says of its requests what browsers say.
type browser struct {
	*site
	cookie *http.Cookie
	form   string
}

// browser opens a link and looks at the first page.
func (r *site) browser(t testing.TB) *browser {
	t.Helper()
	b := &browser{site: r}
	link, err := client.New(r.Port, apitest.Token).Link(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a := b.get(t, strings.TrimPrefix(link.URL, b.Base()))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/" || b.cookie == nil {
		t.Fatalf("open the link: %d %v", a.status, a.header)
	}
	b.form = formOf(b.get(t, "/").text)
	return b
}

var formValue = regexp.MustCompile(`name="form" value="([0-9a-f]+)"`)

// formOf is what the forms of a page carry.
func formOf(html string) string {
	if found := formValue.FindStringSubmatch(html); found != nil {
		return found[1]
	}
	return ""
}

// seen is an answer as a browser has it.
type seen struct {
	status int
	header http.Header
	text   string
}

// code is the code of a problem told in JSON, or nothing.
func (a seen) code() string {
	var p api.Problem
	if json.Unmarshal([]byte(a.text), &p) != nil {
		return ""
	}
	return p.Code
}

func (b *browser) get(t testing.TB, path string) seen {
	t.Helper()
	return b.send(t, "GET", path, map[string]string{"Accept": "text/html", "Sec-Fetch-Site": "none"}, "")
}

// submit sends a form as one of our pages does.
func (b *browser) submit(t testing.TB, path string, values url.Values) seen {
	t.Helper()
	all := url.Values{"form": {b.form}}
	for name, v := range values {
		all[name] = v
	}
	return b.send(t, "POST", path, b.posting(nil), all.Encode())
}

// posting are the headers of a form of ours, but for those that are given.
func (b *browser) posting(other map[string]string) map[string]string {
	return apitest.Joined(map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Origin": b.Base(),
		"Sec-Fetch-Site": "same-origin"}, other)
}

// send makes a request; a header with an empty value is left out.
func (b *browser) send(t testing.TB, method, path string, headers map[string]string, body string) seen {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, b.Base()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headers {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if b.cookie != nil {
		req.AddCookie(b.cookie)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range resp.Cookies() {
		b.keep(t, c)
	}
	return seen{resp.StatusCode, resp.Header, string(text)}
}

// keep does what a Set-Cookie says, and holds it against the promises.
func (b *browser) keep(t testing.TB, c *http.Cookie) {
	t.Helper()
	if c.Name != cookieName(b.PortText()) || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("the cookie is %s", c)
	}
	b.cookie = c
	if c.MaxAge < 0 {
		b.cookie = nil
	}
}

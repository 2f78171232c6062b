package dashboard

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// samplePath is a path of a route that its fake backend knows.
func samplePath(r server.Route) string { return strings.ReplaceAll(r.Path, "{id}", "d1") }

func TestLinkOpensOneBrowser(t *testing.T) {
	r := openSite(t)
	link, err := client.New(r.Port, apitest.Token).Link(t.Context())
	if err != nil || !strings.HasPrefix(link.URL, r.Base()+"/open/") || time.Until(link.Expires) > linkLife {
		t.Fatalf("the link is %+v, %v", link, err)
	}
	path := strings.TrimPrefix(link.URL, r.Base())
	b := &browser{site: r}
	for name, headers := range map[string]map[string]string{
		"a page that links to it": {"Sec-Fetch-Site": "cross-site"},
		"a page on another port":  {"Sec-Fetch-Site": "same-site"},
		"a script elsewhere":      {"Origin": "http://evil.example"},
		"a page of our address":   {"Origin": r.Base()},
		"a browser looking ahead": {"Sec-Purpose": "prefetch;prerender"},
		"an older one":            {"Purpose": "prefetch"},
	} {
		if a := b.send(t, "GET", path, headers, ""); a.status != 403 || b.cookie != nil {
			t.Errorf("%s: %d, cookie %v", name, a.status, b.cookie)
		}
	}
	for _, method := range []string{"POST", "HEAD"} { // whatever looks ahead of a person uses up no link
		if a := b.send(t, method, path, nil, ""); a.status != 405 || b.cookie != nil {
			t.Errorf("%s: %d, cookie %v", method, a.status, b.cookie)
		}
	}
	if a := b.get(t, path); a.status != 303 || b.cookie == nil {
		t.Fatalf("the link: %d", a.status)
	}
	secret := b.cookie.Value
	if a := b.get(t, path); a.status != 303 || b.cookie.Value != secret {
		t.Errorf("the same browser again: %d", a.status)
	}
	second := &browser{site: r}
	if a := second.get(t, path); a.status != 401 || second.cookie != nil || !strings.Contains(a.text, "used already") {
		t.Errorf("another browser: %d %s", a.status, a.text)
	}
	if strings.Contains(path, secret) {
		t.Error("the link is the session")
	}
	for query, want := range map[string]string{"": "/", "?to=setup": "/setup", "?to=held": "/held", "?to=//evil.example": "/", "?to=log": "/",
		"?to=dispatch%2Fd1": "/dispatch/d1", "?to=dispatch/../leave": "/history"} {
		if a := b.get(t, path+query); a.header.Get("Location") != want {
			t.Errorf("the link with %q leads to %q", query, a.header.Get("Location"))
		}
	}
}

func TestNoPageWithoutSession(t *testing.T) {
	r := openSite(t)
	known := r.browser(t).cookie
	before := len(r.backend.Called())
	old := &http.Cookie{Name: known.Name, Value: strings.Repeat("0", 64)}
	other := &http.Cookie{Name: "wiki-1", Value: known.Value}
	for _, route := range r.dashboard.Routes() {
		if !route.Page {
			continue
		}
		for name, cookie := range map[string]*http.Cookie{"none": nil, "wrong": old, "of another port": other, "empty": {Name: known.Name}} {
			b := &browser{site: r, cookie: cookie}
			for _, accept := range []string{"text/html", "application/json"} {
				a := b.send(t, route.Method, samplePath(route), b.posting(map[string]string{"Origin": "", "Accept": accept}), "form=x")
				if a.status != 401 || strings.Contains(a.text, "<form") || (accept != "text/html") != (a.code() == "unauthorized") {
					t.Errorf("%s %s, cookie %s, %s: %d %s", route.Method, route.Path, name, accept, a.status, a.text)
				}
			}
		}
		two := apitest.Request(route.Method, samplePath(route), map[string]string{"Cookie": known.Name + "=" + known.Value + "; " + known.Name + "=x"}, "")
		token := apitest.Request(route.Method, samplePath(route), apitest.Bearer, "")
		for _, request := range []string{two, token} {
			if a := r.Raw(t, request); a.Status != 401 {
				t.Errorf("%s %s: %d to %q", route.Method, route.Path, a.Status, request)
			}
		}
	}
	if got := r.backend.Called(); len(got) != before {
		t.Errorf("the backend was asked %v", got[before:])
	}
}

func TestSessionIsGoodForCalls(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	own := map[string]string{"Origin": r.Base()}
	for _, test := range []struct {
		method, path string
		headers      map[string]string
		status       int
	}{
		{"GET", "/vault-mind/dispatches", nil, 200},
		{"GET", "/vault-mind/dispatches", own, 200},
		{"GET", "/vault-mind/dispatches", map[string]string{"Origin": "app://obsidian.md"}, 401},
		{"GET", "/vault-mind/dispatches", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"POST", "/vault-mind/rescan", own, 200},
		{"POST", "/vault-mind/rescan", nil, 401},
		{"POST", "/vault-mind/rescan", map[string]string{"Origin": "null"}, 403},
		{"POST", "/vault-mind/rescan", map[string]string{"Origin": "app://obsidian.md"}, 401},
		{"POST", "/vault-mind/rescan", map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		{"POST", "/vault-mind/rescan", map[string]string{"Origin": "http://localhost:" + r.PortText()}, 403},
		{"POST", "/vault-mind/rescan", map[string]string{"Origin": "https://" + r.Host()}, 403},
		{"POST", "/vault-mind/rescan", apitest.Joined(own, map[string]string{"Sec-Fetch-Site": "cross-site"}), 403},
		{"POST", "/vault-mind/session", own, 401},
	} {
		if a := b.send(t, test.method, test.path, test.headers, ""); a.status != test.status {
			t.Errorf("%s %s %v: %d %s, want %d", test.method, test.path, test.headers, a.status, a.text, test.status)
		}
	}
}

func TestSessionIsRenewedAndEnded(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	first := b.cookie
	r.age(rotateAfter)
	if a := b.get(t, "/history"); a.status != 200 || b.cookie.Value == first.Value {
		t.Errorf("an hour later: %d, the cookie is the old one: %v", a.status, b.cookie.Value == first.Value)
	}
	old := &browser{site: r, cookie: first}
	if a := old.get(t, "/history"); a.status != 200 || old.cookie != first {
		t.Errorf("a page under way: %d", a.status)
	}
	if a := b.submit(t, "/leave", nil); a.status != 303 || b.cookie != nil {
		t.Errorf("leave: %d, %v", a.status, b.cookie)
	}
	for _, left := range []*browser{old, b} {
		if a := left.get(t, "/"); a.status != 401 {
			t.Errorf("after leaving: %d", a.status)
		}
	}
	other := r.browser(t)
	r.age(sessionIdle)
	if a := other.get(t, "/"); a.status != 401 {
		t.Errorf("half a day later: %d", a.status)
	}
}

// age makes all sessions older.
func (r *site) age(by time.Duration) {
	r.sessions.mu.Lock()
	defer r.sessions.mu.Unlock()
	aged := make(map[*session]bool)
	for _, c := range r.sessions.secrets {
		c.born = c.born.Add(-by)
		if !aged[c.session] {
			aged[c.session] = true
			c.session.born, c.session.used = c.session.born.Add(-by), c.session.used.Add(-by)
		}
	}
}

func TestSessionsEndWithTheServer(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if r.sessions.findSession(b.cookie.Value, time.Now()) != nil || len(r.sessions.links)+len(r.sessions.secrets) != 0 {
		t.Error("sessions outlive the server")
	}
}

// Another engine of the same process goes on with the browsers of the last one.
func TestLentSessionsOutliveTheServer(t *testing.T) {
	lent := NewSessions()
	lend := func(s *parts) { s.sessions = lent }
	first := openSite(t, lend)
	b := first.browser(t)
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	second := openSite(t, lend)
	moved := &browser{site: second, cookie: &http.Cookie{Name: cookieName(second.PortText()), Value: b.cookie.Value}, form: b.form}
	if a := moved.get(t, "/"); a.status != 200 || formOf(a.text) != b.form {
		t.Errorf("the page: %d", a.status)
	}
	if a := moved.submit(t, "/rescan", nil); a.status != 303 {
		t.Errorf("a form of the page as it was: %d", a.status)
	}
}

func TestFormsAreOurs(t *testing.T) {
	r := openSite(t)
	b, stranger := r.browser(t), r.browser(t)
	before := len(r.backend.Called())
	if b.form == "" || b.form == stranger.form {
		t.Fatalf("forms carry %q and %q", b.form, stranger.form)
	}
	for _, route := range r.dashboard.Routes() {
		if route.Check == nil {
			continue
		}
		for _, test := range []struct {
			name, body string
			headers    map[string]string
			status     int
		}{
			{"nothing", "", nil, 403},
			{"something else", "form=" + strings.Repeat("0", 64), nil, 403},
			{"that of another session", "form=" + stranger.form, nil, 403},
			{"the cookie", "form=" + b.cookie.Value, nil, 403},
			{"JSON", `{"form":"` + b.form + `"}`, map[string]string{"Content-Type": "application/json"}, 415},
			{"text", "form=" + b.form, map[string]string{"Content-Type": "text/plain"}, 415},
			{"no type", "form=" + b.form, map[string]string{"Content-Type": ""}, 415},
			{"broken", "form=%zz", nil, 400},
			{"no origin", "form=" + b.form, map[string]string{"Origin": ""}, 401},
			{"null", "form=" + b.form, map[string]string{"Origin": "null"}, 403},
			{"another port", "form=" + b.form, map[string]string{"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"}, 403},
			{"another page", "form=" + b.form, map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}, 403},
		} {
			if a := b.send(t, "POST", samplePath(route), b.posting(test.headers), test.body); a.status != test.status {
				t.Errorf("%s with %s: %d %s, want %d", route.Path, test.name, a.status, a.text, test.status)
			}
		}
	}
	if got := r.backend.Called(); len(got) != before {
		t.Errorf("the backend was asked %v", got[before:])
	}
}

func TestEventsAskForASession(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	if _, resp := r.Follow(t, map[string]string{"Cookie": b.cookie.Name + "=" + b.cookie.Value}); resp.StatusCode != 200 {
		t.Errorf("a session: %d", resp.StatusCode)
	}
	if _, resp := r.Follow(t, map[string]string{"Cookie": b.cookie.Name + "=x"}); resp.StatusCode == 200 {
		t.Error("another cookie is let in")
	}
}

package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// What failed in a session leaves a person among the pages, on the way back to where
// the button was.
func TestProblemIsAPage(t *testing.T) {
	b := openSite(t).browser(t)
	for _, test := range []struct {
		method, path string
		status       int
		says         []string
	}{
		{"GET", "/nowhere", http.StatusNotFound, []string{"<h1>Nothing is here</h1>", "There is no such page.", `aria-label="Pages"`, `<a href="/">Go to the first page</a>`}},
		{"GET", "/dispatch/absent/undo", http.StatusMethodNotAllowed, []string{"<h1>This is no page</h1>", "belongs to a button", `aria-label="Pages"`}},
		{"POST", "/dispatch/absent/nothing", http.StatusNotFound, []string{`<a href="/dispatch/absent">Go back</a>`, `aria-label="Pages"`}},
		{"POST", "/held/absent", http.StatusNotFound, []string{`<a href="/held">Go back</a>`}},
		{"POST", "/watch", http.StatusBadRequest, []string{"<h1>That did not work</h1>", `<a href="/">Go to the first page</a>`}},
	} {
		a := b.send(t, test.method, test.path, b.posting(map[string]string{"Accept": "text/html"}), url.Values{"form": {b.form}}.Encode())
		if a.status != test.status {
			t.Errorf("%s %s: %d", test.method, test.path, a.status)
		}
		for _, want := range test.says {
			if !strings.Contains(a.text, want) {
				t.Errorf("%s %s: no %q in\n%s", test.method, test.path, want, a.text)
			}
		}
	}
}

// A page that another engine will have in a moment comes by itself; a button is not
// pressed twice, and an engine that is gone is not asked again.
func TestPageComesAgain(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	for _, test := range []struct {
		method, path string
		err          error
		again        bool
	}{
		{"GET", "/history", api.ErrReplaced, true},
		{"POST", "/dispatch/d1/retry", api.ErrReplaced, false},
		{"GET", "/history", api.ErrStopping, false},
	} {
		r.backend.Err = test.err
		a := b.send(t, test.method, test.path, b.posting(map[string]string{"Accept": "text/html"}), url.Values{"form": {b.form}}.Encode())
		if again := strings.Contains(a.text, `<meta http-equiv="refresh" content="2">`); again != test.again || a.status != http.StatusServiceUnavailable {
			t.Errorf("%s, %v: %d, asks again: %v", test.method, test.err, a.status, again)
		}
	}
}

// A browser whose session is over is told so, not that it never had one.
func TestSignedOutIsSaid(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	r.sessions.endAll()
	if a := b.get(t, "/"); a.status != http.StatusUnauthorized || !strings.Contains(a.text, "<h1>Signed out</h1>") || !strings.Contains(a.text, "You are signed out") || strings.Contains(a.text, "<nav") {
		t.Errorf("%d\n%s", a.status, a.text)
	}
}

// Nor is one who presses a button of a page that was open: it is a page of ours.
func TestSignedOutIsSaidToAButton(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	r.sessions.endAll()
	html := map[string]string{"Accept": "text/html"}
	a := b.send(t, "POST", "/dispatch/d1/retry", b.posting(html), url.Values{"form": {b.form}}.Encode())
	if a.status != http.StatusForbidden || !strings.Contains(a.text, "<h1>Signed out</h1>") || !strings.Contains(a.text, "Nothing was changed") || strings.Contains(a.text, "Web pages") || strings.Contains(a.text, "Go back") {
		t.Errorf("%d\n%s", a.status, a.text)
	}
	if calls := strings.Join(r.backend.Called(), " "); strings.Contains(calls, "retry") {
		t.Errorf("called %s", calls)
	}
	html["Origin"] = "http://elsewhere.example"
	a = b.send(t, "POST", "/dispatch/d1/retry", b.posting(html), url.Values{"form": {b.form}}.Encode())
	if a.status != http.StatusForbidden || !strings.Contains(a.text, "<h1>Refused: another web page asked</h1>") || !strings.Contains(a.text, "Web pages may not") {
		t.Errorf("another origin: %d\n%s", a.status, a.text)
	}
}

// What is said of times that have passed, and of lengths of time.
func TestTimesInWords(t *testing.T) {
	now := at(0)
	past, next := now.Add(-time.Second), now.Add(time.Second)
	if isLater(nil, now) || isLater(&past, now) || !isLater(&next, now) {
		t.Error("what is past is not to come")
	}
	for text, want := range map[string]string{"0s": "0 s", "59s": "59 s", "3661s": "1 h 1 min", "300000s": "3 days", "soon": "soon"} {
		if got := uptimeText(text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}

}

// detailed is a backend with one dispatch.
type detailed struct {
	*apitest.Backend
	one api.Detail
}

func (b *detailed) Dispatch(context.Context, string) (api.Detail, error) { return b.one, nil }

// The page of a question that was asked in no note says how it was asked, and can have it asked again.
func TestDispatchAskedInNoNote(t *testing.T) {
	backend := &detailed{}
	b := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t)
	for _, test := range []struct {
		file, diff, status string
		again              bool
	}{{"", "", "done", true}, {"", "", "processing", false}, {"A.md", "", "done", false}, {"A.md", "@@ line 1 @@\n+b\n", "done", true}} {
		backend.one.Dispatch, backend.one.Diff = api.Dispatch{ID: "d1", File: test.file, Status: test.status, Trigger: "ask"}, test.diff
		html := b.get(t, "/dispatch/d1").text
		if again := strings.Contains(html, `action="/dispatch/d1/again"`); again != test.again || !strings.Contains(html, "</time>, on the dashboard or by a program</dd>") {
			t.Errorf("%+v:\n%s", test, html)
		}
	}
}

// Each button says what it does, and no two of a page do the same.
func TestButtonsInWords(t *testing.T) {
	backend := &detailed{}
	b := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t)
	next := at(60)
	for _, test := range []struct {
		one   api.Detail
		says  string
		again bool
	}{
		{api.Detail{Dispatch: api.Dispatch{Status: "failed", Markers: 1}}, "Retry asks the agent once more; Cancel ends it: the question stays in the note and is asked again when its line changes.", false},
		{api.Detail{Dispatch: api.Dispatch{Status: "failed", Markers: 2}, Answers: []api.Answer{{Answer: "a"}}}, "Retry writes its answers again; Ask again asks the agent anew; Cancel ends it: the questions stay in the note and are asked again when their lines change.", true},
		{api.Detail{Dispatch: api.Dispatch{Status: "queued", Markers: 1, NextAttemptAt: &next}}, "Retry does not wait for the next attempt; Cancel", false},
		{api.Detail{Dispatch: api.Dispatch{Status: "parked", Markers: 1}, Answers: []api.Answer{{Answer: "a"}}}, "", false},
	} {
		backend.one = test.one
		backend.one.ID, backend.one.File = "d1", "A.md"
		html := b.get(t, "/dispatch/d1").text
		if again := strings.Contains(html, `action="/dispatch/d1/again"`); again != test.again || !strings.Contains(html, test.says) || test.says == "" && strings.Contains(html, "Cancel ends it") {
			t.Errorf("%s, %q:\n%s", test.one.Status, test.says, html)
		}
	}
}

// A link that is a property of a note stands on its page without the quotes of YAML; those of a sentence stay.
func TestCitationOfProperty(t *testing.T) {
	for text, want := range map[string]string{
		`- "[[Kyoto]]"`: `<li><a href="/note?note=%5B%5BKyoto%5D%5D&amp;vault=v">Kyoto</a></li>`, `"[[Kyoto]]"`: `<p><a href="/note?note=%5B%5BKyoto%5D%5D&amp;vault=v">Kyoto</a></p>`,
		`so "[[Kyoto]]"`: `&quot;<a `,
	} {
		if html := string(citation{Vault: "v", Text: text}.HTML()); !strings.Contains(html, want) {
			t.Errorf("%s: %s", text, html)
		}
	}
}

// What a note says of itself in a table reads as its cells.
func TestSourceInTable(t *testing.T) {
	n := &foundNote{Passages: []passage{{Hit: api.Hit{Text: "| coffee | for |\n|---|---|\n| Lantern | espresso |\n"}}}}
	if says := (presentationsView{}).Says(n); says != "coffee, for · Lantern, espresso" {
		t.Errorf("it says %q", says)
	}
}

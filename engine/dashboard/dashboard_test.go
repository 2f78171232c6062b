package dashboard

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// telling is a backend that has one text everywhere.
type telling struct {
	*apitest.Backend
	text, status string
}

func (b *telling) Status(context.Context, bool) (api.Status, error) {
	st := apitest.Filled[api.Status](b.text)
	st.Dispatches = nil
	for _, word := range api.StatusWords {
		d := apitest.Filled[api.Dispatch](b.text)
		d.Status = word
		st.Dispatches = append(st.Dispatches, d)
	}
	return st, nil
}

func (b *telling) Dispatches(_ context.Context, f api.Filter) (list []api.Dispatch, err error) {
	if f.Status != "held" {
		return []api.Dispatch{apitest.Filled[api.Dispatch](b.text)}, nil
	}
	for _, kind := range slices.Concat(api.HeldKinds, []api.HeldKind{{Kind: b.text}}) {
		d := apitest.Filled[api.Dispatch](b.text)
		d.Status, d.Hold.Kind = "held", kind.Kind
		list = append(list, d)
	}
	return list, nil
}

func (b *telling) Dispatch(context.Context, string) (api.Detail, error) {
	d := apitest.Filled[api.Detail](b.text)
	d.Status, d.Diff = b.status, "@@ line 1 @@\n-"+b.text+"\n+"+b.text+"\n"
	return d, nil
}

func (b *telling) Answers(context.Context) ([]api.Detail, error) {
	return []api.Detail{apitest.Filled[api.Detail](b.text)}, nil
}

func (b *telling) Proposed(context.Context) ([]api.Proposal, error) {
	p := apitest.Filled[api.Proposal](b.text)
	p.Problem, p.Diff = "", "@@ -1,1 +1,1 @@\n "+b.text+"\n-"+b.text+"\n+"+b.text+"\n"
	return []api.Proposal{p}, nil
}

func (b *telling) Usage(context.Context) (api.UsageReport, error) {
	return apitest.UsageOf(b.text), nil
}

func (b *telling) Search(context.Context, string, int) (api.HitList, error) {
	return apitest.Filled[api.HitList](b.text), nil
}

func (b *telling) Retry(context.Context, string) (api.Dispatch, error) {
	return api.Dispatch{}, &api.Conflict{Reason: b.text}
}

// Knows implements [server.Desk].
func (b *telling) Knows(string) bool { return false }

// ServeHTTP implements [server.Desk].
func (b *telling) ServeHTTP(http.ResponseWriter, *http.Request) {}

// Read implements [server.Desk].
func (b *telling) Read(context.Context, string, json.RawMessage) (any, error) {
	c := apitest.Filled[citation](b.text)
	return map[string]any{"cite": b.text, "note": b.text, "results": []citation{c}}, nil
}

// tools tell its text as well.
func (b *telling) tools() api.Tools {
	return api.Tools{
		Docs:   apitest.ToolsOf("").Docs,
		Log:    func(n int) ([]api.LogLine, error) { return apitest.ToolsOf(b.text).Log(n) },
		Doctor: func(ctx context.Context) ([]api.Finding, error) { return apitest.ToolsOf(b.text).Doctor(ctx) },
		Setup:  &api.SetupTools{Look: func(ctx context.Context) (api.Setup, error) { return apitest.ToolsOf(b.text).Setup.Look(ctx) }},
	}
}

// element is what a page is made of: a name and the names of its attributes.
type element struct {
	name  string
	attrs map[string]string
	made  bool // of markdown, in a part of the page that has nothing else
}

// isOurScript says whether an element is one of the two scripts that pages have.
func isOurScript(e element) bool {
	return slices.Contains([]string{"/live.js", "/palette.js", "/studio.js"}, e.attrs["src"])
}

// parsed reads a page as a browser would: its elements, and its text.
func parsed(t *testing.T, html string) (elements []element, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var b strings.Builder
	made := 0 // how deep it is in what was made of markdown
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements, b.String()
		}
		if err != nil {
			t.Fatalf("read the page: %v\n%s", err, html)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}, made: made > 0}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			elements = append(elements, e)
			if made > 0 || e.name == "article" && e.attrs["class"] == "made" {
				made++
			}
		case xml.EndElement:
			made = max(made-1, 0)
		case xml.CharData:
			b.Write(token)
		}
	}
}

// skeleton is a page without what was filled in. What was made of markdown is as that is written; its
// elements are held against a list.
func skeleton(elements []element) string {
	var b strings.Builder
	for _, e := range elements {
		if e.made {
			continue
		}
		var names []string
		for name := range e.attrs {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintf(&b, "%s %v\n", e.name, names)
	}
	return b.String()
}

var hostileTexts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</pre></section></main><h1>ours</h1>`,
	`javascript:alert(1)`, `<!-- <b>`, `--><svg onload=alert(1)>`, `]]><b>`, `{{.Form}}`, `&lt;b&gt; &amp;`, "\u202egnp.exe", "`${alert(1)}`",
	`</title><base href=http://evil.example>`, `<a href="http://evil.example">x</a>`, `../../leave`, `?x=1#y`, `%3Cscript%3E`, `</style>*{}`,
}

// pagesOf is every page there is, with every status of a dispatch.
func pagesOf(word string) []string {
	all := []string{"/", "/history", "/history?status=done&limit=1&q=", "/answers", "/held", "/proposed", "/usage", "/search", "/setup", "/setup?saved", "/doctor", "/log", "/log?lines=2", "/docs", "/note?q=", "/search?q="}
	for i, path := range all {
		if strings.HasSuffix(path, "q=") {
			all[i] = strings.Replace(path, "note?q=", "note?vault=v&note=", 1) + url.QueryEscape(word)
		}
	}
	return append(all, "/dispatch/d1")
}

// wordless are those of them that show no text of a note.
var wordless = []string{"/search", "/docs"}

// Every page is among those whose texts, headings and labels the tests look at. The files of a presentation are none.
func TestPagesOfAreAll(t *testing.T) {
	t.Parallel()
	asked := append(pagesOf("x"), presentationPages...)
	for _, route := range openSite(t).dashboard.Routes() {
		isAsked := slices.ContainsFunc(asked, func(path string) bool {
			path, _, _ = strings.Cut(path, "?")
			_, is := server.Match(route.Path, path)
			return is
		})
		if route.Method == "GET" && route.Page && !isAsked && !strings.HasPrefix(route.Path, "/presentations/{id}/") {
			t.Errorf("%s is not in pagesOf", route.Path)
		}
	}
}

// A text from a note changes nothing of a page but its text, and none of it is lost.
func TestPagesEscapeWhatTheyShow(t *testing.T) {
	t.Parallel()
	count := 0
	for _, status := range api.StatusWords {
		backend := &telling{status: status}
		b := openSite(t, func(s *parts) {
			backend.Backend = s.backend.(*apitest.Backend)
			s.backend = backend
			s.UseTools(backend.tools())
		}).browser(t)
		for i, hostile := range hostileTexts {
			plain := "plain"
			for _, path := range pagesOf(plain) {
				if path != "/dispatch/d1" && status != "done" {
					continue // only that page depends on it
				}
				backend.text = plain
				usual := b.get(t, path)
				backend.text = hostile
				other := pagesOf(hostile)[slices.Index(pagesOf(plain), path)]
				a := b.get(t, other)
				if usual.status != 200 || a.status != 200 {
					t.Fatalf("%s: %d, %s: %d", path, usual.status, other, a.status)
				}
				want, _ := parsed(t, usual.text)
				got, text := parsed(t, a.text)
				if skeleton(got) != skeleton(want) {
					t.Errorf("%s with %q is another page:\n%s\nwas\n%s", path, hostile, skeleton(got), skeleton(want))
				}
				if shown := strings.Contains(text, hostile); shown == slices.Contains(wordless, path) {
					t.Errorf("%s shows %q (text %d): %v", path, hostile, i, shown)
				}
				checkTargets(t, path, got)
				checkMade(t, path, got)
				count++
			}
		}
	}
	t.Logf("count: %d pages", count)
}

// checkMade holds that markdown makes no element that does anything.
func checkMade(t *testing.T, path string, elements []element) {
	t.Helper()
	for _, e := range elements {
		if e.made && !slices.Contains(madeNames, e.name) {
			t.Errorf("%s: markdown has made <%s %v>", path, e.name, e.attrs)
		}
		for name := range e.attrs {
			if e.made && !slices.Contains([]string{"class", "title", "scope", "data-label", "start", "href"}, name) {
				t.Errorf("%s: markdown has made <%s %s>", path, e.name, name)
			}
		}
	}
}

var madeNames = strings.Fields("p h2 h3 h4 h5 h6 ul ol li pre code blockquote em strong br hr table thead tbody tr th td cite a details summary mark")

// checkTargets holds that a page leads nowhere but to us, whatever it shows.
func checkTargets(t *testing.T, path string, elements []element) {
	t.Helper()
	for _, e := range elements {
		for _, name := range []string{"href", "src", "action"} {
			target, there := e.attrs[name]
			isHere := strings.HasPrefix(target, "#") && slices.ContainsFunc(elements, func(e element) bool { return e.attrs["id"] == target[1:] })
			if there && !strings.HasPrefix(target, "/") && !isHere || strings.HasPrefix(target, "//") || strings.Contains(target, "/leave") && e.name != "form" {
				t.Errorf("%s: <%s %s=%q>", path, e.name, name, target)
			}
		}
	}
}

// A failure is told as it is, and no more.
func TestProblemsAreEscaped(t *testing.T) {
	backend := &telling{text: hostileTexts[1]}
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		s.backend = backend
		s.UseTools(backend.tools())
	}).browser(t)
	a := b.send(t, "POST", "/dispatch/d1/retry", b.posting(map[string]string{"Accept": "text/html"}), "form="+b.form)
	if _, text := parsed(t, a.text); a.status != 409 || strings.Contains(a.text, "<img src=x") || !strings.Contains(text, hostileTexts[1]) {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// Every answer to a browser carries the policy, and what it says is so: no page
// has a script, a style or a handler in it.
func TestPagesKeepTheirPolicy(t *testing.T) {
	backend := &telling{text: "plain", status: "done"}
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		s.backend = backend
		s.UseTools(backend.tools())
	}).browser(t)
	paths := append(append(pagesOf("x"), presentationPages...), "/style.css", "/live.js", "/palette.js", "/studio.js", "/icon.svg", "/nowhere", "/open/used")
	for _, path := range paths {
		a := b.get(t, path)
		for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"X-Frame-Options": "DENY", "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": ""} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			continue
		}
		elements, _ := parsed(t, a.text)
		for _, e := range elements {
			if e.name == "style" || e.name == "base" || e.name == "iframe" || e.name == "script" && !isOurScript(e) {
				t.Errorf("%s holds <%s %v>", path, e.name, e.attrs)
			}
			for name := range e.attrs {
				if name == "style" || strings.HasPrefix(name, "on") {
					t.Errorf("%s: <%s %s>", path, e.name, name)
				}
			}
		}
	}
	for _, part := range []string{"default-src 'none'", "script-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy lacks %s", part)
		}
	}
	for _, weak := range []string{"unsafe", "*", "http:", "data:"} {
		if strings.Contains(policy, weak) {
			t.Errorf("the policy has %s", weak)
		}
	}
}

// What a screen reader and a keyboard need is on every page.
func TestPagesCanBeHeardAndTyped(t *testing.T) {
	t.Parallel()
	for _, status := range api.StatusWords {
		backend := &telling{text: "plain", status: status}
		b := openSite(t, func(s *parts) {
			backend.Backend = s.backend.(*apitest.Backend)
			s.backend = backend
			s.UseTools(backend.tools())
		}).browser(t)
		for _, path := range append(pagesOf("x"), presentationPages...) {
			elements, _ := parsed(t, b.get(t, path).text)
			checkOutline(t, path, elements)
			checkControls(t, path, elements)
		}
	}
}

// What a person has cancelled is their own wish, what is done has ended well, and what waits for a person
// or comes again is in order: none is shown as something wrong.
func TestWhatIsInOrderIsNoFailure(t *testing.T) {
	t.Parallel()
	for _, status := range api.StatusWords {
		backend := &telling{text: "a reason", status: status}
		b := openSite(t, func(s *parts) { backend.Backend = s.backend.(*apitest.Backend); s.backend = backend }).browser(t)
		_, page, _ := strings.Cut(b.get(t, "/dispatch/d-1").text, `id="live"`)
		if wrong := strings.Contains(page, `class="why">a reason`); wrong == slices.Contains([]string{"cancelled", "done", "held", "proposed", "parked", "scheduled"}, status) || !strings.Contains(page, ">a reason<") {
			t.Errorf("%s: shown as wrong is %v\n%s", status, wrong, page)
		}
	}
}

// checkOutline looks at the headings and landmarks of a page.
func checkOutline(t *testing.T, path string, elements []element) {
	t.Helper()
	count, level := map[string]int{}, 0
	for i, e := range elements {
		if e.name != "title" || elements[i-1].name != "rect" && elements[i-1].name != "circle" { // those have one of their own
			count[e.name]++
		}
		if len(e.name) == 2 && e.name[0] == 'h' && e.name[1] >= '1' && e.name[1] <= '6' {
			if next := int(e.name[1] - '0'); next > level+1 {
				t.Errorf("%s: from h%d to h%d", path, level, next)
			}
			level = int(e.name[1] - '0')
		}
		if e.name == "nav" { // several are told apart by their names
			count["nav "+e.attrs["aria-label"]+e.attrs["aria-labelledby"]]++
		}
		if e.name == "html" && e.attrs["lang"] != "en" || e.name == "th" && e.attrs["scope"] == "" {
			t.Errorf("%s: <%s %v>", path, e.name, e.attrs)
		}
	}
	for name, n := range count {
		if n != 1 && (slices.Contains([]string{"h1", "main", "title"}, name) || strings.HasPrefix(name, "nav ")) || name == "nav " {
			t.Errorf("%s has %d of %s", path, n, name)
		}
	}
	if count["h1"]*count["main"]*count["title"]*count["nav Pages"] == 0 {
		t.Errorf("%s has %v", path, count)
	}
}

// checkControls looks at what can be used on a page: names, labels, identities.
func checkControls(t *testing.T, path string, elements []element) {
	t.Helper()
	ids, labelled := map[string]bool{}, map[string]bool{}
	for _, e := range elements {
		if id, there := e.attrs["id"]; there {
			if ids[id] {
				t.Errorf("%s: two things are called %q", path, id)
			}
			ids[id] = true
		}
		if e.name == "label" {
			labelled[e.attrs["for"]] = true
		}
	}
	for _, e := range elements {
		field := e.name == "select" || e.name == "input" && e.attrs["type"] != "hidden"
		if field && !labelled[e.attrs["id"]] {
			t.Errorf("%s: <%s %v> has no label", path, e.name, e.attrs)
		}
		if by, there := e.attrs["aria-labelledby"]; there && !ids[by] {
			t.Errorf("%s: nothing is called %q", path, by)
		}
		if e.name == "form" && e.attrs["method"] == "post" && e.attrs["action"] == "" {
			t.Errorf("%s: a form goes nowhere", path)
		}
	}
}

// The forms do what the calls do.
func TestFormsAct(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path   string
		values url.Values
		status int
		to     string
		called string
	}{
		{"/dispatch/d1/retry", nil, 303, "/dispatch/d1", "retry"},
		{"/dispatch/d1/cancel", nil, 303, "/dispatch/d1", "cancel"},
		{"/dispatch/d1/release", nil, 303, "/dispatch/d1", "dispatch release"},
		{"/dispatch/d1/undo", nil, 303, "/dispatch/d1", "undo"},
		{"/dispatch/busy/retry", nil, 409, "", ""},
		{"/dispatch/edited/undo", nil, 409, "", ""},
		{"/held/release", nil, 303, "/held?released=1", "dispatches release"},
		{"/watch", url.Values{"running": {"true"}}, 303, "/", "watcher"},
		{"/watch", url.Values{"running": {"false"}, "vault": {"v"}, "for": {"1h"}}, 303, "/", "watcher"},
		{"/watch", nil, 400, "", ""},
		{"/watch", url.Values{"running": {"yes"}}, 400, "", ""},
		{"/rescan", nil, 303, "/", "rescan"},
		{"/ask", url.Values{"question": {"why?"}, "role": {"Miner"}}, 303, "/dispatch/d1", "ask"},
		{"/presentations/make", url.Values{"kind": {"quiz"}, "of": {"[[A]]"}}, 303, "/dispatch/d1", "ask"},
		{"/presentations/make", url.Values{"kind": {"quiz"}, "of": {" "}}, 400, "", ""},
		{"/presentations/make", url.Values{"kind": {"poem"}, "of": {"[[A]]"}}, 400, "", ""},
		{"/notices/held-1/dismiss", nil, 303, "/", "dismiss"},
		{"/leave", nil, 303, "/", ""},
	} {
		r := openSite(t)
		b := r.browser(t)
		before := len(r.backend.Called())
		a := b.submit(t, test.path, test.values)
		called := strings.Join(r.backend.Called()[before:], " ")
		st, err := r.dashboard.server.State(t.Context())
		if refused := st.LastRefused; err != nil || refused != nil {
			t.Errorf("%s: the status calls it refused: %+v", test.path, refused)
		}
		if a.status != test.status || a.header.Get("Location") != test.to || called != test.called {
			t.Errorf("%s %v: %d to %q, called %q", test.path, test.values, a.status, a.header.Get("Location"), called)
		}
	}
}

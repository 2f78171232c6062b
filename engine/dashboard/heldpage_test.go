package dashboard

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// crowd is a backend with very many dispatches that are held, the newest first.
type crowd struct {
	*apitest.Backend
	held     []api.Dispatch
	slow     time.Duration // the least time that is left to a release
	released []string
}

func (b *crowd) Dispatches(_ context.Context, f api.Filter) ([]api.Dispatch, error) {
	return slices.Clone(b.held[:min(len(b.held), f.Limit)]), nil
}

func (b *crowd) Release(ctx context.Context, id string) (api.Dispatch, error) {
	b.released = append(b.released, id)
	b.held = slices.DeleteFunc(b.held, func(d api.Dispatch) bool { return d.ID == id })
	if end, ok := ctx.Deadline(); ok {
		b.slow = min(b.slow, time.Until(end))
	}
	return api.Dispatch{ID: id, Status: "queued"}, ctx.Err()
}

// add holds one more, of two questions, for a kind.
func (b *crowd) add(kind, file string) {
	d := api.Dispatch{ID: fmt.Sprintf("d%04d", len(b.held)), Vault: "v", File: file, Role: "Editor", Instruction: "ask " + file, Status: "held", Markers: 2,
		Hold: &api.Hold{Kind: kind}, Error: "why " + kind}
	b.held = append([]api.Dispatch{d}, b.held...)
}

func crowded(t *testing.T) (*crowd, *browser) {
	backend := &crowd{slow: time.Hour}
	r := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend })
	return backend, r.browser(t)
}

// formsOf returns the fields of the forms of a page that go to an address, without our own.
func formsOf(t *testing.T, html, action string) (forms []url.Values) {
	elements, _ := parsed(t, html)
	inside := false
	for _, e := range elements {
		if e.name == "form" {
			if inside = e.attrs["action"] == action; inside {
				forms = append(forms, url.Values{})
			}
		}
		if inside && e.name == "input" && e.attrs["name"] != "form" {
			forms[len(forms)-1].Set(e.attrs["name"], e.attrs["value"])
		}
	}
	return forms
}

// More is held than a page lists: that is said. One button starts all that is old, for which there is
// more time than for a page, the oldest first.
func TestReleaseAllOfVeryMany(t *testing.T) {
	t.Parallel()
	backend, b := crowded(t)
	for range api.MostListed + 3 {
		backend.add("old", "a.md")
	}
	html := b.get(t, "/held").text
	if strings.Count(html, "<li><div>\n<p>") != api.MostListed || !strings.Contains(html, "the oldest 1000 of 1003") || !strings.Contains(html, ">Release 2006 that are old or over a limit<") {
		t.Errorf("the page does not say that more is held:\n%.3000s", html)
	}
	a := b.submit(t, "/held/release", url.Values{})
	if a.status != 303 || a.header.Get("Location") != "/held?released=1003" || !slices.IsSorted(backend.released) || len(backend.released) != api.MostListed+3 {
		t.Fatalf("%d %v: %d were released", a.status, a.header, len(backend.released))
	}
	if backend.slow < 10*time.Second {
		t.Errorf("%s are left for it", backend.slow)
	}
	if html := b.get(t, "/held?released=1003").text; !strings.Contains(html, "1003 released.") || !strings.Contains(html, "Nothing waits for you.") {
		t.Errorf("%s", html)
	}
}

// The kinds stand apart, each with why it waits, what a release does and how many questions it holds.
func TestHeldPageShowsKindsApart(t *testing.T) {
	backend, b := crowded(t)
	for _, d := range [][2]string{{"untrusted", "web.md"}, {"old", "a.md"}, {"limit", "b.md"}, {"budget", "b.md"}, {"burst", "sub/c.md"}, {"burst", "sub/c.md"}, {"burst", "sub/deep/d.md"}, {"burst", "e.md"}} {
		backend.add(d[0], d[1])
	}
	html := b.get(t, "/held").text
	_, text := parsed(t, html)
	at := 0
	for i, questions := range []string{"2 questions", "2 questions", "2 questions", "8 questions", "2 questions"} {
		kind := api.HeldKinds[i]
		for _, words := range []string{kind.Title, questions, kind.Why, kind.Does, kind.How, "why " + kind.Kind} {
			next := strings.Index(text[at:], words)
			if next < 0 {
				t.Fatalf("%s: %q does not follow", kind.Kind, words)
			}
			at += next
		}
	}
	if strings.Contains(text, "the oldest") {
		t.Error("a page that lists all says that there are more")
	}
	if !strings.Contains(text, "It leaves 12 other questions, below.") {
		t.Error("the big button does not say what it leaves")
	}
	// The big button, the burst, its two folders and the one note that has several.
	var what []string
	for _, f := range formsOf(t, html, "/held/release") {
		what = append(what, f.Get("kind")+" "+f.Get("folder")+" "+f.Get("note"))
	}
	if want := []string{"  ", "burst  ", "burst sub ", "burst sub/deep ", "burst  sub/c.md"}; !slices.Equal(what, want) {
		t.Errorf("the buttons start %q, want %q", what, want)
	}
	if strings.Contains(html, `aria-label="Release: ask web.md"`) || !strings.Contains(html, `aria-label="Read it, then release it: ask web.md"`) || strings.Contains(html, "<table") {
		t.Error("what is untrusted has no button of its own in the list, but its page; and there is no table")
	}
}

// A button starts what its list showed, and nothing that came later or is held for another reason.
func TestReleaseBurst(t *testing.T) {
	for i, want := range []string{"d0001 d0005", "d0000 d0002 d0003", "d0000 d0002", "d0000", "d0000 d0002"} {
		backend, b := crowded(t)
		for _, d := range [][2]string{{"burst", "sub/c.md"}, {"old", "a.md"}, {"burst", "sub/c.md"}, {"burst", "e.md"}, {"untrusted", "w.md"}, {"limit", "a.md"}} {
			backend.add(d[0], d[1])
		}
		if i == 3 {
			backend.held = slices.DeleteFunc(backend.held, func(d api.Dispatch) bool { return d.ID == "d0002" })
		}
		forms := formsOf(t, b.get(t, "/held").text, "/held/release")
		form := forms[min(i, 2)]
		if i == 4 {
			form = forms[3]
		}
		backend.held = append([]api.Dispatch{{ID: "d0009", Vault: "v", File: "sub/c.md", Status: "held", Hold: &api.Hold{Kind: "burst"}}}, backend.held...)
		if a := b.submit(t, "/held/release", form); a.status != 303 || strings.Join(backend.released, " ") != want {
			t.Errorf("%v: %d, released %q, want %q", form, a.status, backend.released, want)
		}
	}
}

// What the page has no button for is refused, and why is said.
func TestHeldFormsRefuse(t *testing.T) {
	backend, b := crowded(t)
	backend.add("burst", "a.md")
	backend.add("untrusted", "w.md")
	for words, form := range map[string]url.Values{
		"after its list was shown": {"kind": {"burst"}},
		"look at it again":         {"kind": {"burst"}, "seen": {"x"}},
		"one by one":               {"kind": {"untrusted"}},
	} {
		if a := b.submit(t, "/held/release", form); a.status != 409 || !strings.Contains(a.text, words) || len(backend.released) > 0 {
			t.Errorf("%v: %d, released %q:\n%s", form, a.status, backend.released, a.text)
		}
	}
}

// Of very many parked answers it is said that these are not all.
func TestAnswersPageTellsOfOlderOnes(t *testing.T) {
	for n, told := range map[int]bool{0: false, 1: false, api.MostAnswers: true} {
		backend := &parked{n: n}
		html := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t).get(t, "/answers").text
		if strings.Count(html, "<section") != n || strings.Contains(html, `href="/history?status=parked"`) != told {
			t.Errorf("%d answers:\n%.3000s", n, html)
		}
	}
}

// parked is a backend with so many parked answers.
type parked struct {
	*apitest.Backend
	n int
}

func (b *parked) Answers(context.Context) ([]api.Detail, error) { return make([]api.Detail, b.n), nil }

// single is a backend with one dispatch.
type single struct {
	*apitest.Backend
	detail api.Detail
}

func (b *single) Dispatch(context.Context, string) (api.Detail, error) { return b.detail, nil }

// A button that could only be refused is not offered; why is said.
func TestRetryIsOfferedWhereItCanBe(t *testing.T) {
	for _, test := range []struct {
		status, why string
		offered     bool
	}{{"failed", "", true}, {"cancelled", "", true}, {"cancelled", "Its marker is gone.", false}, {"failed", "No vault.", false}, {"done", "", false}} {
		backend := &single{detail: api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: test.status}, NoRetry: test.why}}
		html := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t).get(t, "/dispatch/d1").text
		if strings.Contains(html, `id="retry"`) != test.offered || strings.Contains(html, "It cannot be retried: "+test.why) != (test.why != "") {
			t.Errorf("%+v:\n%s", test, html)
		}
	}
}

// What is held is read on its page before the button: all of it, the agent and what that can touch.
// The button carries the proof; without it nothing starts.
func TestReadBeforeRelease(t *testing.T) {
	backend := &reader{single: single{detail: api.Detail{Task: "Request 1 (Line 3): whole", Answers: []api.Answer{{Line: 3, Instruction: "whole\ntext"}},
		Dispatch: api.Dispatch{ID: "d1", Status: "held", Role: "Editor", Markers: 2, Hold: &api.Hold{Kind: "untrusted"}}}}}
	b := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t)
	html := b.get(t, "/dispatch/d1").text
	forms := formsOf(t, html, "/dispatch/d1/release")
	if len(forms) != 1 || forms[0].Get("seen") == "" {
		t.Fatalf("%v:\n%s", forms, html)
	}
	before, _, _ := strings.Cut(html, `<form method="post" action="/dispatch/d1/release"`)
	for _, words := range []string{"whole\ntext", "Request 1 (Line 3): whole", "claude", "reads nothing", api.AddedLater, api.HeldKinds[4].Title} {
		if !strings.Contains(before, words) {
			t.Errorf("%q does not stand before the button", words)
		}
	}
	if strings.Contains(before, "<details") || strings.Contains(html, `id="retry"`) {
		t.Error("something of it is folded, or it can be retried")
	}
	for _, seen := range []string{"", "x"} {
		if a := b.submit(t, "/dispatch/d1/release", url.Values{"seen": {seen}}); a.status != 409 || backend.released > 0 {
			t.Errorf("with the proof %q: %d", seen, a.status)
		}
	}
	if a := b.submit(t, "/dispatch/d1/release", forms[0]); a.status != 303 || backend.released != 1 {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// reader is a backend with one dispatch and an agent for it.
type reader struct {
	single
	released int
}

func (b *reader) Status(context.Context, bool) (api.Status, error) {
	return api.Status{Agents: []api.Agent{{Role: "Editor", Runner: "claude", Reach: "reads nothing"}}}, nil
}

func (b *reader) Release(_ context.Context, id string) (api.Dispatch, error) {
	b.released++
	return api.Dispatch{ID: id, Status: "queued"}, nil
}

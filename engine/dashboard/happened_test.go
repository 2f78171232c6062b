package dashboard

import (
	"context"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// asked is a backend in which each dispatch has two questions.
type asked struct{ *behind }

func (b asked) Dispatch(_ context.Context, id string) (api.Detail, error) {
	if id == "gone" {
		return api.Detail{}, api.ErrNotFound
	}
	return api.Detail{Dispatch: api.Dispatch{ID: id}, Answers: []api.Answer{
		{Line: 3, Instruction: "one of " + id, Answer: "**From your notes** (1 passage)\n\n> We said **[[so]]**.\n"}, {Line: 4, Instruction: "two of " + id}}}, nil
}

// Each question of a group has its row, with those of its note, at the place of the newest.
func TestOneRowAQuestion(t *testing.T) {
	backend := asked{&behind{status: api.Status{Dispatches: []api.Dispatch{
		{ID: "c", Status: "done", File: "A.md", Lines: []int{3, 4}, Instructions: []string{"one of c", "two of c"}}, {ID: "gone", Status: "cancelled", File: "B.md", Instruction: "what was it?"}, {ID: "a", Status: "done", File: "A.md", Lines: []int{3}, Instruction: "one of a"},
	}}}}
	html := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t).get(t, "/").text
	_, html, _ = strings.Cut(html, `<h2 id="recent">`)
	html, _, _ = strings.Cut(html, "</section>")
	at := 0
	for _, want := range []string{">A.md</a>", "/dispatch/c#line-3", "one of c", "We said so.", "/dispatch/c#line-4", "two of c", "/dispatch/a#line-3", ">B.md</a>", "what was it?"} {
		i := strings.Index(html[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind %q in\n%s", want, html[:at], html)
		}
		at += i
	}
	if strings.Count(html, "<h3>") != 2 || strings.Contains(html, "**") {
		t.Errorf("%s", html)
	}
}

// The row of what the Broadcaster has made leads to the page that draws it.
func TestMadeIn(t *testing.T) {
	q := rows.Question{Dispatch: api.Dispatch{Vault: "v", Runner: "broadcast", Status: "done"}}
	for answer, want := range map[string]string{
		"![[Agent/Presentations/a-map.canvas]]\n\n**Mind map**": "/note?note=%5B%5BAgent%2FPresentations%2Fa-map%5D%5D&vault=v",
		"![[Agent/Presentations/a]]":                            "/note?note=%5B%5BAgent%2FPresentations%2Fa%5D%5D&vault=v", "**Nothing was made.**": "", "": "",
	} {
		if got := madeIn(q, answer); got != want {
			t.Errorf("%q leads to %q, want %q", answer, got, want)
		}
	}
	for _, other := range []api.Dispatch{{Runner: "builtin", Status: "done"}, {Runner: "broadcast", Status: "done", Result: "none"}, {Runner: "broadcast", Status: "cancelled"}} {
		if got := madeIn(rows.Question{Dispatch: other}, "![[a]]"); got != "" {
			t.Errorf("%+v leads to %q", other, got)
		}
	}
}

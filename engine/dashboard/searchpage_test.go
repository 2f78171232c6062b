package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// finding is a backend with notes that are found and read.
type finding struct {
	*apitest.Backend
	hits  []api.Hit
	limit int
	reads []string // the tools that were asked, with their arguments
	next  string   // where a list of notes goes on
}

func (b *finding) Search(_ context.Context, _ string, limit int) (api.HitList, error) {
	b.limit = limit
	return api.HitList{Hits: b.hits}, nil
}

func (b *finding) Dispatches(context.Context, api.Filter) ([]api.Dispatch, error) {
	return []api.Dispatch{{ID: "q1", Vault: "v", File: "Shop/Backups.md", Status: "done", Instruction: "how often?"},
		{ID: "q2", Vault: "v", File: "Shop/Backups.md.md", Instruction: "elsewhere"}, {ID: "q3", Vault: "w", File: "Shop/Backups.md", Instruction: "of another vault"}}, nil
}

func (b *finding) Dispatch(context.Context, string) (api.Detail, error) {
	return api.Detail{}, api.ErrNotFound
}

func (b *finding) Knows(string) bool { return false }

func (b *finding) ServeHTTP(http.ResponseWriter, *http.Request) {}

func (b *finding) Read(_ context.Context, tool string, arguments json.RawMessage) (any, error) {
	b.reads = append(b.reads, tool+string(arguments))
	switch {
	case strings.Contains(string(arguments), "absent"), strings.Contains(string(arguments), `"note":""`):
		return nil, errors.New("There is no such note.")
	case tool == "read_note":
		return map[string]any{"note": "Shop/Backups.md", "cite": "[[Backups]]"}, nil
	}
	return map[string]any{"next": b.next, "results": []map[string]string{{"note": tool + ".md", "text": "See [[Backups]].", "why": "of " + tool}}}, nil
}

// A search has one card a note, the words marked, and says in words why a passage was found.
func TestSearchPage(t *testing.T) {
	backend := &finding{hits: []api.Hit{
		{Vault: "v", Note: "A.md", Heading: "Rules", Link: "[[A#Rules|A › Rules]]", Text: "Backups of the *shop*, see [[B|the backup]].", Matched: 2, Terms: 2},
		{Vault: "v", Note: "B.md", Text: "b", Matched: 1, Terms: 2, InTitle: 1},
		{Vault: "v", Note: "A.md", Text: "second", Matched: 1, Terms: 2}, {Vault: "v", Note: "A.md", Text: "third", Matched: 1, Terms: 2},
	}}
	b := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t)
	html := b.get(t, "/search?q=backups+shop").text
	for _, want := range []string{
		`4 passages for backups shop, in 2 notes.`, `<a href="/note?note=A.md&amp;vault=v">A.md</a>`, `<mark>Backups</mark> of the <em><mark>shop</mark></em>`,
		`<a href="/note?note=%5B%5BB%5D%5D&amp;vault=v">the <mark>backup</mark></a>`, `has 1 of 2 words, 1 in its title`,
		`<summary>1 more passage</summary>`, `>[[A#Rules]]</code>`, `href="/?ask&amp;q=backups%20shop&amp;file=A.md&amp;vault=v"`, `<a href="/?ask&amp;q=backups%20shop&amp;vault=v">Ask this</a>`,
	} {
		if strings.Count(html, want) != 1 {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
	if strings.Count(html, "<h2>") != 2 || strings.Contains(html, "Show more") || backend.limit != firstHits {
		t.Errorf("%d were asked for:\n%s", backend.limit, html)
	}
	for len(backend.hits) < 40 {
		backend.hits = append(backend.hits, api.Hit{Note: "C.md"})
	}
	for ask, want := range map[string]int{"": 20, "&limit=5": 20, "&limit=40": 40, "&limit=1000": 100, "&limit=x": 20} {
		html := b.get(t, "/search?q=a"+ask).text
		if more := strings.Contains(html, "Show more"); backend.limit != want || more != (want <= 40) {
			t.Errorf("%q: %d were asked for, more is %v", ask, backend.limit, more)
		}
	}
}

// The link to copy is as short as it can be; one that had to be written as markdown stays as it is.
func TestLinkToCopy(t *testing.T) {
	for link, want := range map[string]string{
		"[[A#Rules|A › Rules]]": "[[A#Rules]]", "[[A]]": "[[A]]", "": "", "[C# › Rules](C%23.md#Rules)": "[C# › Rules](C%23.md#Rules)", "[a|b](a%7Cb.md)": "[a|b](a%7Cb.md)",
	} {
		if got := groupHits("", []api.Hit{{Link: link}})[0].Link; got != want {
			t.Errorf("%q becomes %q, not %q", link, got, want)
		}
	}
}

func TestWhyFound(t *testing.T) {
	for _, test := range []struct {
		hit  api.Hit
		want string
	}{
		{api.Hit{}, ""}, {api.Hit{Terms: 1, Matched: 1}, ""}, {api.Hit{Terms: 2, Matched: 2}, ""},
		{api.Hit{Terms: 2, Matched: 2, InTitle: 1}, "has all the words, 1 in its title"}, {api.Hit{Terms: 1, Matched: 1, InTitle: 1}, "has the word in its title"},
		{api.Hit{Terms: 3, Matched: 2, InHeading: 1, InTags: 1}, "has 2 of 3 words, 1 in its heading, 1 in its tags"},
		{api.Hit{Terms: 3, Similarity: .8}, "says something like it in other words"},
	} {
		if got := whyFound(test.hit); got != test.want {
			t.Errorf("%+v: %q", test.hit, got)
		}
	}
}

// The page of a note has its questions, what links to it and what is related; of one that cannot be read it
// says why.
func TestNotePage(t *testing.T) {
	backend := &finding{}
	b := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t)
	html := b.get(t, "/note?vault=v&note=%5B%5BBackups%5D%5D").text
	for _, want := range []string{"<h1>Backups</h1>", `<p class="minor">Shop/Backups.md</p>`, `>[[Backups]]</code>`, "how often?", `<a href="/note?note=backlinks.md&amp;vault=v">`,
		`<a href="/note?note=related.md&amp;vault=v">`, "of related", `href="/?ask&amp;file=Shop%2fBackups.md&amp;vault=v"`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
	if strings.Contains(html, "elsewhere") || strings.Contains(html, "of another vault") {
		t.Errorf("questions of other notes are there:\n%s", html)
	}
	if reads := strings.Join(backend.reads, " "); strings.Count(reads, `"limit":50`) != 1 || strings.Count(reads, `"limit":10`) != 1 || strings.Contains(html, "and more") {
		t.Errorf("all links to it and the most related are asked for: %q\n%s", reads, html)
	}
	backend.next = "c1"
	if html := b.get(t, "/note?vault=v&note=Shop%2FBackups.md").text; strings.Count(html, "and more") != 2 {
		t.Errorf("what is left out is not said:\n%s", html)
	}
	if html := b.get(t, "/note?vault=v&note=absent").text; !strings.Contains(html, "There is no such note.") || strings.Contains(html, "No note links to it.") || strings.Contains(html, "Related") {
		t.Errorf("of a note that cannot be read it says what it does not know:\n%s", html)
	}
}

// What an event has changed is asked for alone: the questions of the note, as they stand on its page,
// without a look at its links.
func TestNotePageIsBroughtUpToDate(t *testing.T) {
	backend := &finding{}
	b := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t)
	part := func(html string) string {
		_, rest, _ := strings.Cut(html, `<div id="live"`)
		live, _, _ := strings.Cut(rest, "</section>")
		return live
	}
	whole := part(b.get(t, "/note?vault=v&note=%5B%5BBackups%5D%5D").text)
	_, rest, _ := strings.Cut(whole, ` data-from="`)
	from, _, _ := strings.Cut(rest, `"`)
	backend.reads = nil
	html := b.get(t, strings.ReplaceAll(from, "&amp;", "&")).text
	if fresh := part(html); fresh != whole || !strings.Contains(fresh, "how often?") || len(backend.reads) > 0 {
		t.Errorf("%q asks for %q and has\n%s\nof\n%s", from, backend.reads, fresh, whole)
	}
	if strings.Contains(html, "No note links to it.") || strings.Contains(html, "No other note is about the same.") {
		t.Errorf("it says what it has not asked for:\n%s", html)
	}
	if html := b.get(t, "/note?vault=v").text; strings.Contains(html, "data-from") {
		t.Errorf("no note is asked for again:\n%s", html)
	}
}

package dashboard

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// grouped is a backend with one dispatch of three questions.
type grouped struct{ *apitest.Backend }

var trips = api.Dispatch{ID: "d1", Status: "done", Role: "Miner", File: "Trips.md", Markers: 3, Lines: []int{3, 5, 7}, Instruction: "what are evergreen notes?",
	Instructions: []string{"what are evergreen notes?", "how was the <b>trip</b> to Japan?", "who came?"}}

func (grouped) Dispatches(context.Context, api.Filter) ([]api.Dispatch, error) {
	return []api.Dispatch{trips}, nil
}

func (grouped) Dispatch(context.Context, string) (api.Detail, error) {
	return api.Detail{Dispatch: trips, Diff: "@@ line 3 @@\n-a\n+b\n"}, nil
}

func openGrouped(t *testing.T, path string) string {
	t.Helper()
	return openSite(t, func(s *parts) { s.backend = grouped{s.backend.(*apitest.Backend)} }).browser(t).get(t, path).text
}

// The history has a row for each question. A search shows the one of a group that has its words, and marks them; all of
// them where the words are those of its note.
func TestHistoryHasARowForEachQuestion(t *testing.T) {
	link := regexp.MustCompile(`<a href="(/dispatch/d1#line-\d)">(.*)</a>`)
	for query, want := range map[string]string{
		"":           "/dispatch/d1#line-3 what are evergreen notes?|/dispatch/d1#line-5 how was the &lt;b&gt;trip&lt;/b&gt; to Japan?|/dispatch/d1#line-7 who came?",
		"japan+trip": "/dispatch/d1#line-5 how was the &lt;b&gt;<mark>trip</mark>&lt;/b&gt; to <mark>Japan</mark>?",
		"WHO+miner":  "/dispatch/d1#line-7 <mark>who</mark> came?",
		"trips.md":   "/dispatch/d1#line-3 what are evergreen notes?|/dispatch/d1#line-5 how was the &lt;b&gt;trip&lt;/b&gt; to Japan?|/dispatch/d1#line-7 who came?",
	} {
		var rows []string
		for _, m := range link.FindAllStringSubmatch(openGrouped(t, "/history?q="+query), -1) {
			rows = append(rows, m[1]+" "+m[2])
		}
		if got := strings.Join(rows, "|"); got != want {
			t.Errorf("%q finds\n%s\nwant\n%s", query, got, want)
		}
	}
}

// A button says that it acts on all questions that were asked together.
func TestButtonsSayHowManyQuestions(t *testing.T) {
	html := openGrouped(t, "/dispatch/d1")
	for _, want := range []string{">Ask all 3 again</button>", ">Undo all 3: put the questions back</button>", "<h1>what are evergreen notes? and 2 more</h1>"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
}

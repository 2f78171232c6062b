package dashboard

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// behind is a backend in which what has ended is older than all that its status lists.
type behind struct {
	*apitest.Backend
	status api.Status
	ended  []api.Dispatch
}

func (b *behind) Status(context.Context, bool) (api.Status, error) { return b.status, nil }

func (b *behind) Dispatches(_ context.Context, f api.Filter) (found []api.Dispatch, err error) {
	for _, d := range b.ended {
		if d.Status == f.Status && len(found) < f.Limit {
			found = append(found, d)
		}
	}
	return found, nil
}

// A vault that was met with many old markers does not hide what was answered before.
func TestRecentBehindWhatIsHeld(t *testing.T) {
	backend := &behind{status: api.Status{Queue: api.Queue{Held: 60, Done: 30, Failed: 1}}}
	for i := range 50 {
		backend.status.Dispatches = append(backend.status.Dispatches, api.Dispatch{ID: fmt.Sprintf("h%d", i), Status: "held", CreatedAt: at(time.Duration(1000-i) * time.Second)})
	}
	backend.status.Dispatches = append(backend.status.Dispatches, api.Dispatch{ID: "old0", Status: "done", CreatedAt: at(100 * time.Second)})
	for i := range 30 {
		backend.ended = append(backend.ended, api.Dispatch{ID: fmt.Sprintf("old%d", i), Status: "done", CreatedAt: at(time.Duration(100-i) * time.Second)})
	}
	backend.ended = append(backend.ended, api.Dispatch{ID: "f", Status: "failed", CreatedAt: at(99500 * time.Millisecond)},
		api.Dispatch{ID: "c", Status: "cancelled", CreatedAt: at(time.Second)})
	html := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t).get(t, "/").text
	_, html, _ = strings.Cut(html, `<h2 id="recent">`)
	last, _, _ := strings.Cut(html, "</section>")
	var shown []string
	for part := range strings.SplitSeq(last, `href="/dispatch/`) {
		id, _, _ := strings.Cut(part, `"`)
		shown = append(shown, id)
	}
	if got := strings.Join(shown[1:], " "); got != "old0 f old1 old2 old3 old4 old5 old6 old7 old8" {
		t.Errorf("shown are %s", got)
	}
}

// A long queue does not stand between a person and what is at work: the next ones are
// shown, the others counted.
func TestLongQueue(t *testing.T) {
	for n, more := range map[int]string{mostWaiting: "", mostWaiting + 1: "1 more", 760: fmt.Sprintf("%d more", 760-mostWaiting)} {
		backend := &behind{status: api.Status{Queue: api.Queue{Queued: n}}}
		for i := range n { // the newest first
			backend.status.Dispatches = append(backend.status.Dispatches,
				api.Dispatch{ID: fmt.Sprintf("q%d.", n-i), Status: "queued", CreatedAt: at(time.Duration(n-i) * time.Second)})
		}
		html := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t).get(t, "/").text
		if shown := strings.Count(html, `<a href="/dispatch/q`); shown != mostWaiting || !strings.Contains(html, "/q1.") {
			t.Errorf("%d of %d are shown", shown, n)
		}
		if has := strings.Contains(html, `href="/history?status=queued"`); has != (more != "") || !strings.Contains(html, more) {
			t.Errorf("%d: %s", n, html)
		}
	}
}

// While the first question is on its way nobody is told that none was asked.
func TestNothingHasEndedYet(t *testing.T) {
	const none, notYet = "Nothing was asked yet", "Nothing has ended yet"
	for _, test := range []struct {
		status api.Status
		want   string
	}{
		{api.Status{}, none},
		{api.Status{Queue: api.Queue{Settling: 1}}, notYet},
		{api.Status{Queue: api.Queue{Queued: 1}, Dispatches: []api.Dispatch{{ID: "q", Status: "queued"}}}, notYet},
		{api.Status{Queue: api.Queue{Processing: 1}, Dispatches: []api.Dispatch{{ID: "p", Status: "processing"}}}, notYet},
		{api.Status{Queue: api.Queue{Held: 1}, Dispatches: []api.Dispatch{{ID: "h", Status: "held"}}}, notYet},
	} {
		backend := &behind{status: test.status}
		html := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend }).browser(t).get(t, "/").text
		if !strings.Contains(html, test.want) || strings.Contains(html, none) == strings.Contains(html, notYet) {
			t.Errorf("%+v: no %q in\n%s", test.status.Queue, test.want, html)
		}
	}
}

package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// crowd is a backend with very many dispatches that are held, the newest first.
type crowd struct {
	*apitest.Backend
	held     []api.Dispatch
	slow     time.Duration // the least time that is left to a release
	released []string

	last func() // called by the third release
}

func (b *crowd) Dispatches(_ context.Context, f api.Filter) ([]api.Dispatch, error) {
	return b.held[:min(len(b.held), f.Limit)], nil
}

func (b *crowd) Release(ctx context.Context, id string) (api.Dispatch, error) {
	if b.released = append(b.released, id); len(b.released) == 3 && b.last != nil {
		b.last()
	}
	if end, ok := ctx.Deadline(); ok {
		b.slow = min(b.slow, time.Until(end))
	}
	return api.Dispatch{ID: id, Status: "queued"}, ctx.Err()
}

func crowded(t *testing.T, n int) (*crowd, *site, *browser) {
	backend := &crowd{slow: time.Hour}
	for i := n; i > 0; i-- {
		backend.held = append(backend.held, api.Dispatch{ID: fmt.Sprintf("d%d", i), Status: "held"})
	}
	r := openSite(t, func(s *parts) { backend.Backend, s.backend = s.backend.(*apitest.Backend), backend })
	return backend, r, r.browser(t)
}

// More is held than a page lists: that is said, and one button starts all of it, for
// which there is more time than for a page.
func TestReleaseAllOfVeryMany(t *testing.T) {
	backend, _, b := crowded(t, api.MostListed+3)
	html := b.get(t, "/held").text
	if strings.Count(html, "<section>") != api.MostListed || !strings.Contains(html, "the newest 1000") || !strings.Contains(html, ">Release all<") {
		t.Errorf("the page does not say that more is held:\n%.2000s", html)
	}
	if a := b.submit(t, "/held/release", url.Values{}); a.status != 303 {
		t.Fatalf("%d %s", a.status, a.text)
	}
	slices.Reverse(backend.held)
	for i, d := range backend.held {
		if len(backend.released) != len(backend.held) || backend.released[i] != d.ID {
			t.Fatalf("%d of %d were released, not the oldest first", len(backend.released), len(backend.held))
		}
	}
	if backend.slow < 10*time.Second {
		t.Errorf("%s are left for it", backend.slow)
	}
}

// Where all that is held is listed, the button says how much that is.
func TestReleaseAllOfFew(t *testing.T) {
	_, _, b := crowded(t, 2)
	if html := b.get(t, "/held").text; !strings.Contains(html, ">Release all 2<") || strings.Contains(html, "the newest") {
		t.Errorf("%s", html)
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

// What there was no time for waits, and that is told.
func TestReleaseAllTakesTooLong(t *testing.T) {
	backend, r, _ := crowded(t, 8)
	ctx, cancel := context.WithCancel(t.Context())
	backend.last = cancel
	_, err := r.dashboard.releaseAll(server.Call{Request: httptest.NewRequestWithContext(ctx, "POST", "/held/release", nil)})
	if _, ok := errors.AsType[*api.Conflict](err); !ok || !strings.Contains(err.Error(), "5 are still held") {
		t.Errorf("%v", err)
	}
}

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

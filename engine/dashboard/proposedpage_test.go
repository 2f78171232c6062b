package dashboard

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// A proposal is accepted by the proof that its page was made with, as it is or with other words, and rejected with a reason or
// without; without a proof, or with an old one, nothing is written.
func TestProposedPage(t *testing.T) {
	t.Parallel()
	s := openSite(t)
	b := s.browser(t)
	page := b.get(t, "/proposed").text
	for _, want := range []string{`<del>&gt; @agent-Miner! why</del>`, `<ins>Weekly.</ins>`, `name="seen" value="5ee"`, `data-key="a"`, `data-key="r"`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page:\n%s", want, page)
		}
	}
	for _, c := range []struct {
		act    string
		typed  url.Values
		status int
	}{
		{"accept", url.Values{"seen": {"5ee"}}, 303},
		{"accept", url.Values{"seen": {"5ee"}, "text": {"a\r\nb"}}, 303},
		{"accept", url.Values{"seen": {"old"}}, 409},
		{"accept", nil, 400},
		{"accept", url.Values{"seen": {"5ee"}, "text": {" \r\n"}}, 400}, // the emptied text is not the answer
		{"reject", nil, 303},
		{"reject", url.Values{"because": {" shorter "}}, 303},
	} {
		if got := b.submit(t, "/dispatch/d1/"+c.act, c.typed); got.status != c.status || got.status == 303 && got.header.Get("Location") != "/proposed" {
			t.Errorf("%s %v: %d %s", c.act, c.typed, got.status, got.header.Get("Location"))
		}
	}
	got := slices.DeleteFunc(s.backend.Called(), func(call string) bool {
		return !strings.HasPrefix(call, "accept") && !strings.HasPrefix(call, "reject")
	})
	if want := []string{"accept ", "accept a\nb", "reject ", "reject shorter"}; !slices.Equal(got, want) {
		t.Errorf("the backend was asked %q, want %q", got, want)
	}
}

package dashboard

import (
	"net/http"
	"testing"
	"time"
)

// at is a moment of the tests of time.
func at(d time.Duration) time.Time {
	return time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC).Add(d)
}

func TestLinkIsGoodOnceAndNotForLong(t *testing.T) {
	for _, test := range []struct {
		after time.Duration
		works bool
	}{{0, true}, {linkLife - 1, true}, {linkLife, false}, {time.Hour, false}} {
		s := NewSessions()
		key := s.newLink("", at(0))
		if works := s.useLink(key, at(test.after)) != ""; works != test.works {
			t.Errorf("after %s: works %v", test.after, works)
		}
		if s.useLink(key, at(test.after)) != "" {
			t.Errorf("after %s: the link works twice", test.after)
		}
	}
	s := NewSessions()
	if key := s.newLink("", at(0)); s.useLink("", at(0)) != "" || s.useLink(key[1:], at(0)) != "" || s.findSession(key, at(0)) != nil {
		t.Error("something that is no link opens a session, or the link is one")
	}
}

func TestSessionEnds(t *testing.T) {
	s := NewSessions()
	text := s.useLink(s.newLink("", at(0)), at(0))
	if s.findSession("", at(0)) != nil || s.findSession(text[1:], at(0)) != nil {
		t.Error("a secret nobody has is one of a session")
	}
	if s.findSession(text, at(sessionIdle-1)) == nil || s.findSession(text, at(2*sessionIdle-2)) == nil {
		t.Error("a session that is used ends")
	}
	if s.findSession(text, at(3*sessionIdle-2)) != nil {
		t.Error("a session that nobody uses goes on")
	}

	text = s.useLink(s.newLink("", at(0)), at(0))
	of := s.findSession(text, at(0))
	var last time.Duration
	for last = 0; s.findSession(text, at(last)) != nil; last += sessionIdle / 2 {
		if last > 2*sessionLife {
			t.Fatal("a session goes on for ever")
		}
	}
	if last != sessionLife || of.Alive(at(last)) || !of.Alive(at(last-1)) {
		t.Errorf("a session in use ended after %s", last)
	}

	text = s.useLink(s.newLink("", at(0)), at(0))
	s.endSession(s.findSession(text, at(0)), at(0))
	if s.findSession(text, at(0)) != nil {
		t.Error("a session that was ended goes on")
	}
	first, key := s.useLink(s.newLink("", at(0)), at(0)), s.newLink("", at(0))
	of = s.findSession(first, at(0))
	s.endAll()
	if s.findSession(first, at(0)) != nil || of.Alive(at(0)) || s.useLink(key, at(0)) != "" {
		t.Error("something is left after the end of all")
	}
}

func TestSecretIsExchanged(t *testing.T) {
	s := NewSessions()
	old := s.useLink(s.newLink("", at(0)), at(0))
	if s.rotateSecret(old, at(rotateAfter-1)) != "" {
		t.Error("exchanged before it is due")
	}
	text := s.rotateSecret(old, at(rotateAfter))
	if text == "" || text == old || s.rotateSecret(old, at(rotateAfter)) != "" {
		t.Errorf("from %q to %q", old, text)
	}
	of := s.findSession(text, at(rotateAfter))
	if of == nil || s.findSession(old, at(rotateAfter+rotateGrace-1)) != of {
		t.Error("a request under way lost its session")
	}
	if s.findSession(old, at(rotateAfter+rotateGrace)) != nil || s.findSession(text, at(rotateAfter+rotateGrace)) != of {
		t.Error("the old secret is still good, or the new one is not")
	}
	s.endSession(of, at(rotateAfter+rotateGrace))
	if s.findSession(text, at(rotateAfter+rotateGrace)) != nil {
		t.Error("the end of a session did not reach its new secret")
	}
}

func TestSessionsAreBounded(t *testing.T) {
	s := NewSessions()
	var keys, texts []string
	for i := range 3 * mostSecrets {
		now := at(time.Duration(i) * time.Millisecond)
		keys = append(keys, s.newLink("", now))
		texts = append(texts, s.useLink(s.newLink("", now), now))
	}
	if len(s.links) > mostLinks || len(s.secrets) > mostSecrets {
		t.Errorf("%d links, %d secrets", len(s.links), len(s.secrets))
	}
	now := at(time.Second)
	if last := len(keys) - 1; s.findSession(texts[last], now) == nil || s.findSession(texts[0], now) != nil || s.useLink(keys[0], now) != "" || s.useLink(keys[last], now) == "" {
		t.Error("it is not the oldest that gave way")
	}
}

// Whoever opens a second link in the same browser goes on using the pages that are
// open; another browser has forms of its own.
func TestSecondLinkInOneBrowser(t *testing.T) {
	r := openSite(t)
	b, other := r.browser(t), r.browser(t)
	if b.form == other.form {
		t.Error("two browsers share their forms")
	}
	before := b.cookie.Value
	if a := b.get(t, "/open/"+r.sessions.newLink("", time.Now())); a.status != http.StatusSeeOther || b.cookie.Value == before {
		t.Errorf("%d, the cookie is %q", a.status, b.cookie.Value)
	}
	if a := b.submit(t, "/rescan", nil); a.status != http.StatusSeeOther {
		t.Errorf("a form of an open page: %d %s", a.status, a.text)
	}
}

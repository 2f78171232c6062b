package api

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{perSecond: 20, burst: 100}
		for i := range 100 {
			if _, ok := l.take(); !ok {
				t.Fatalf("request %d of the burst was refused", i)
			}
		}
		wait, ok := l.take()
		if ok || wait != 50*time.Millisecond {
			t.Errorf("after the burst: %v, wait %v", ok, wait)
		}
		time.Sleep(wait)
		if _, ok := l.take(); !ok {
			t.Error("refused after the wait that was asked for")
		}
		if _, ok := l.take(); ok {
			t.Error("two for one wait")
		}
		time.Sleep(time.Hour)
		for i := range 100 {
			if _, ok := l.take(); !ok {
				t.Fatalf("request %d after an hour was refused", i)
			}
		}
		if _, ok := l.take(); ok {
			t.Error("an hour saved up more than the burst")
		}
	})
}

func TestClockThatGoesBack(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b, _, _ := bucket{}.take(now, 20, 2)
	b, _, ok := b.take(now.Add(-time.Hour), 20, 2)
	if !ok {
		t.Error("the second token of two was refused")
	}
	if _, wait, ok := b.take(now.Add(-time.Hour), 20, 2); ok || wait != 50*time.Millisecond {
		t.Errorf("%v, wait %v", ok, wait)
	}
}

func TestTooManyScans(t *testing.T) {
	r := start(t, func(s *Server) { s.scans = limiter{perSecond: 0.001, burst: 3} }) // a busy machine takes seconds for what follows
	note := ask("POST", "/vault-mind/scan", asJSON, `{"file":"note.md"}`)
	outside := ask("POST", "/vault-mind/scan", asJSON, `{"file":"/etc/passwd"}`)
	for range 3 {
		r.raw(t, outside) // costs nothing: no file is looked at
		if a := r.raw(t, note); a.status != 200 {
			t.Fatalf("within the burst: %d %s", a.status, a.code)
		}
	}
	a := r.raw(t, note)
	wait, err := strconv.Atoi(a.header.Get("Retry-After"))
	if a.status != http.StatusTooManyRequests || a.code != "rate_limited" || err != nil || wait > 1000 || wait < 1000-int(patience.Seconds()) {
		t.Errorf("over it: %d %s, Retry-After %q", a.status, a.code, a.header.Get("Retry-After"))
	}
	if a := r.raw(t, ask("GET", "/vault-mind/status", nil, "")); a.status != 200 {
		t.Errorf("the status is limited too: %d", a.status)
	}
}

// TestScanRate: of a flood of scans no more are let in than the burst and what has
// come back since; each of the others is told when to come again.
func TestScanRate(t *testing.T) {
	const flood, perSecond, burst = 400, 20, 100
	r := start(t, func(s *Server) {
		s.scans.perSecond, s.scans.burst = perSecond, burst // TestLimits holds the server to these
	})
	note := ask("POST", "/vault-mind/scan", asJSON, `{"file":"note.md"}`)
	let, began := 0, time.Now()
	for i := range flood {
		switch a := r.raw(t, note); {
		case a.status == 200:
			let++
		case i < burst || a.status != http.StatusTooManyRequests || a.code != "rate_limited" || a.header.Get("Retry-After") != "1":
			t.Fatalf("scan %d: %d %s, Retry-After %q", i, a.status, a.code, a.header.Get("Retry-After"))
		}
	}
	took := time.Since(began)
	if most := burst + int(perSecond*took.Seconds()) + 1; let > most {
		t.Errorf("%d of %d scans were let in within %v, want at most %d", let, flood, took, most)
	}
	t.Logf("%d of %d let in within %v", let, flood, took)
}

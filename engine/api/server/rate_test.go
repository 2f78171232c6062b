package server

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api/testdata/apitest"
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
	note := apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"note.md"}`)
	outside := apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"/etc/passwd"}`)
	for range 3 {
		r.Raw(t, outside) // costs nothing: no file is looked at
		if a := r.Raw(t, note); a.Status != 200 {
			t.Fatalf("within the burst: %d %s", a.Status, a.Code)
		}
	}
	a := r.Raw(t, note)
	wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if a.Status != http.StatusTooManyRequests || a.Code != "rate_limited" || err != nil || wait > 1000 || wait < 1000-int(apitest.Patience.Seconds()) {
		t.Errorf("over it: %d %s, Retry-After %q", a.Status, a.Code, a.Header.Get("Retry-After"))
	}
	if a := r.Raw(t, apitest.Request("GET", "/vault-mind/status", nil, "")); a.Status != 200 {
		t.Errorf("the status is limited too: %d", a.Status)
	}
}

// TestScanRate: of a flood of scans no more are let in than the burst and what has
// come back since; each of the others is told when to come again.
func TestScanRate(t *testing.T) {
	const flood, perSecond, burst = 400, 20, 100
	r := start(t, func(s *Server) {
		s.scans.perSecond, s.scans.burst = perSecond, burst // TestLimits holds the server to these
	})
	note := apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"note.md"}`)
	let, began := 0, time.Now()
	for i := range flood {
		switch a := r.Raw(t, note); {
		case a.Status == 200:
			let++
		case i < burst || a.Status != http.StatusTooManyRequests || a.Code != "rate_limited" || a.Header.Get("Retry-After") != "1":
			t.Fatalf("scan %d: %d %s, Retry-After %q", i, a.Status, a.Code, a.Header.Get("Retry-After"))
		}
	}
	took := time.Since(began)
	if most := burst + int(perSecond*took.Seconds()) + 1; let > most {
		t.Errorf("%d of %d scans were let in within %v, want at most %d", let, flood, took, most)
	}
	t.Logf("%d of %d let in within %v", let, flood, took)
}

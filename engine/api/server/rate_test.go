package server

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/api/backlog"
	"vaultdispatcher/engine/api/testdata/apitest"
)

func scansOf(perSecond float64, burst, most int) func(*Server) {
	return func(s *Server) {
		s.scans = backlog.New[wanted](backlog.Limits{PerSecond: perSecond, Burst: burst, Pieces: most, MostBytes: 1 << 20})
	}
}

func TestLimitOfScans(t *testing.T) {
	r := start(t, scansOf(0.001, 3, 1)) // a busy machine takes seconds for what follows
	note := apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"note.md"}`)
	outside := apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"/etc/passwd"}`)
	for range 3 {
		r.Raw(t, outside) // costs nothing: no file is looked at
		if a := r.Raw(t, note); a.Status != 200 || a.Body["remembered"] != nil {
			t.Fatalf("within the burst: %d %s", a.Status, a.Code)
		}
	}
	for range 2 {
		if a := r.Raw(t, note); a.Status != 200 || a.Body["remembered"] != true || a.Body["file"] != "note.md" || a.Body["groups"] != 0.0 {
			t.Errorf("over it: %d %v", a.Status, a.Body)
		}
	}
	a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"sub/other.md"}`))
	if a.Status != http.StatusTooManyRequests || a.Code != "rate_limited" || a.Header.Get("Retry-After") != "1" {
		t.Errorf("more than is remembered: %d %s, Retry-After %q", a.Status, a.Code, a.Header.Get("Retry-After"))
	}
	if a := r.Raw(t, apitest.Request("GET", "/vault-mind/status", nil, "")); a.Status != 200 {
		t.Errorf("the status is limited too: %d", a.Status)
	}
}

// TestScansAreRemembered: of a flood of saves every note is looked at once, also those whose
// request was answered before; with "now" it says so.
func TestScansAreRemembered(t *testing.T) {
	t.Parallel()
	const flood = 60
	r := start(t, scansOf(200, 10, 1000))
	for i := range flood {
		name := fmt.Sprintf("n%d.md", i)
		apitest.WriteNote(t, filepath.Join(r.backend.Vaults[0].Path, name))
		if a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, fmt.Sprintf(`{"file":%q,"now":%v}`, name, i%2 == 0))); a.Status != 200 {
			t.Fatalf("%s: %d %s", name, a.Status, a.Code)
		}
	}
	for end := time.Now().Add(apitest.Patience); ; <-time.After(5 * time.Millisecond) {
		r.backend.Lock()
		scans := r.backend.Scans
		r.backend.Unlock()
		if len(scans) < flood && time.Now().Before(end) {
			continue
		}
		seen := make(map[string]bool)
		for _, s := range scans {
			seen[fmt.Sprint(s.Rel, s.Now)] = true
		}
		for i := range flood {
			if want := fmt.Sprintf("n%d.md%v", i, i%2 == 0); !seen[want] {
				t.Errorf("%s was never looked at", want)
			}
		}
		if len(scans) != flood {
			t.Errorf("%d looks for %d notes", len(scans), flood)
		}
		return
	}
}

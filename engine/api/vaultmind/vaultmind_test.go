package vaultmind

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
)

func serve(t *testing.T) (*apitest.Caller, *apitest.Backend) {
	t.Helper()
	backend := apitest.NewBackend(t)
	s := server.New(backend, apitest.Token, slog.New(slog.DiscardHandler))
	s.UseCalls(Routes(backend, s))
	caller, _ := apitest.Serve(t, func(ctx context.Context, ln net.Listener) error { return s.Run(ctx, ln) })
	return caller, backend
}

// TestHostileRequests: what no call of the server lets in, these let in neither.
func TestHostileRequests(t *testing.T) {
	caller, backend := serve(t)
	count := 0
	expect := func(name, request string, status int, code string) {
		t.Helper()
		count++
		a := caller.Raw(t, request)
		if text, _ := a.Body["error"].(string); a.Status != status || a.Code != code || text == "" ||
			a.Header.Get("Access-Control-Allow-Origin") == "*" || strings.Contains(text, backend.Vaults[0].Path) || a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v, want %d %s", name, a.Status, a.Body, status, code)
		}
	}
	for _, route := range Routes(backend, nil) {
		path := strings.ReplaceAll(route.Path, "{id}", "d1")
		body := `{"query":"a","entity":"a"}`
		if route.Method == "GET" {
			body = ""
		}
		let := apitest.Joined(apitest.Bearer, apitest.AsJSON)
		with := func(name, value string) string {
			return apitest.Request(route.Method, path, apitest.Joined(let, map[string]string{name: value}), body)
		}
		for _, host := range []string{"evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost.:PORT", "x.localhost:PORT", "0.0.0.0:PORT", "127.1:PORT", "[::]:PORT", "vault.local:PORT"} {
			expect(path+" host "+host, with("Host", host), 403, "host_not_allowed")
		}
		for _, origin := range []string{"null", "http://evil.example", "http://127.0.0.1:PORT", "http://localhost:PORT", "file://", "app://obsidian.md/", "APP://OBSIDIAN.MD", "app://obsidian.md.evil.example", "capacitor://localhost"} {
			expect(path+" origin "+origin, with("Origin", origin), 403, "origin_not_allowed")
		}
		for _, site := range []string{"cross-site", "same-site", "anything"} {
			expect(path+" fetched "+site, with("Sec-Fetch-Site", site), 403, "origin_not_allowed")
		}
		for _, token := range []string{"", "Bearer " + strings.Repeat("0", 64), "Bearer " + apitest.Token[:63], "Bearer " + apitest.Token + "0", "Basic " + apitest.Token, apitest.Token, "Bearer "} {
			expect(path+" token "+token, with("Authorization", token), 401, "unauthorized")
		}
		expect(path+" token in the query", apitest.Request(route.Method, path+"?token="+apitest.Token, nil, ""), 401, "unauthorized")
		for _, method := range []string{"PUT", "DELETE", "PATCH", "TRACE", map[string]string{"GET": "POST", "POST": "GET"}[route.Method]} {
			expect(method+" "+path, apitest.Request(method, path, apitest.Bearer, ""), 405, "method_not_allowed")
		}
		expect(path+"/", apitest.Request(route.Method, path+"/", let, body), 404, "not_found")
		expect(path+" in capitals", apitest.Request(route.Method, strings.ToUpper(path), let, body), 404, "not_found")
		if route.Unread {
			continue
		}
		expect(path+" too large", apitest.Request(route.Method, path, let, strings.Repeat(" ", 70<<10)), 413, "body_too_large")
		expect(path+" packed", apitest.Request(route.Method, path, apitest.Joined(let, map[string]string{"Content-Encoding": "gzip"}), "x"), 415, "content_encoding")
	}
	for _, path := range []string{"/vm/search", "/vm/fts-search", "/vm/graph"} {
		for body, status := range map[string]int{"": 400, "{": 400, "[]": 400, "null": 400, `{"query":" "}`: 400, `{"query":1}`: 400, `{"query":"a","limit":"x"}`: 400, "{\"query\":\"\xff\"}": 400} {
			expect(path+" "+body, apitest.Request("POST", path, apitest.Joined(apitest.Bearer, apitest.AsJSON), body), status, "bad_request")
		}
		expect(path+" as a form", apitest.Request("POST", path, apitest.Joined(apitest.Bearer, apitest.AsForm), "query=a"), 415, "content_type")
	}
	for _, path := range []string{"/agent/jobs//retry", "/agent/jobs/a%2fb/retry", "/agent/jobs/../retry", "/agent/jobs/.x/cancel", "/agent/jobs/" + strings.Repeat("a", 200) + "/cancel", "/agent/stream", "/vm/init", "/vm/approve", "/server/start", "/vm"} {
		expect(path, apitest.Request("POST", path, apitest.Bearer, ""), 404, "not_found")
	}
	for _, q := range []string{"?status=queued", "?status=PENDING", "?status=%ff", "?%"} {
		expect("queue "+q, apitest.Request("GET", "/agent/queue"+q, apitest.Bearer, ""), 400, "bad_request")
	}
	expect("a job that runs", apitest.Request("POST", "/agent/jobs/busy/retry", apitest.Bearer, ""), 409, "conflict")
	if called := backend.Called(); len(called) > 0 {
		t.Errorf("hostile requests reached %s", called)
	}
	t.Logf("count: %d hostile requests", count)
}

// TestContextTakesAnything: where the cursor is comes with each of its moves, and with what is
// selected; nothing of it is refused or remembered as refused.
func TestContextTakesAnything(t *testing.T) {
	caller, _ := serve(t)
	for name, body := range map[string]string{"none": "", "broken": "{", "64 KiB": strings.Repeat("a", 64<<10), "a note of 4 MB": `{"selection":"` + strings.Repeat("ä", 2<<20) + `"}`} {
		a := caller.Raw(t, apitest.Request("POST", "/vault-mind/context", apitest.Joined(apitest.Bearer, apitest.AsJSON), body))
		if a.Status != 200 || a.Body["ok"] != true {
			t.Errorf("%s: %d %v", name, a.Status, a.Body)
		}
	}
	if a := caller.Raw(t, apitest.Request("GET", "/vault-mind/status", nil, "")); a.Body["lastRefused"] != nil {
		t.Errorf("refused: %v", a.Body["lastRefused"])
	}
}

// TestEachStatusHasAWord: of the plugin's five.
func TestEachStatusHasAWord(t *testing.T) {
	want := map[string]string{"settling": "pending", "queued": "pending", "held": "pending", "proposed": "pending", "scheduled": "pending", "processing": "running", "done": "done", "parked": "done", "failed": "failed", "cancelled": "cancelled"}
	for _, ours := range api.StatusWords {
		if got := jobStatus(ours); got != want[ours] || got == "" {
			t.Errorf("%s: %q, want %q", ours, got, want[ours])
		}
	}
}

// TestHits: one line for a link, the whole passage beside it, and a vault's name chooses.
func TestHits(t *testing.T) {
	list := []api.Hit{{Vault: "a", Note: "Sub/One.md", Text: "first\n\n  line " + strings.Repeat("ä", 400)}, {Vault: "b", Note: "Two.markdown", Text: "x"}}
	all := hitsOf(list, "", 10)
	if len(all.Hits) != 2 || all.Hits[0].Source != "Sub/One" || all.Hits[0].Title != "One" || all.Hits[0].Path != "Sub/One.md" || all.Hits[1].Source != "Two" ||
		len([]rune(all.Hits[0].Fact)) != maxFact || !strings.HasPrefix(all.Hits[0].Fact, "first line ä") || all.Hits[0].Snippet != list[0].Text {
		t.Errorf("%+v", all)
	}
	if got := fmt.Sprint(hitsOf(list, "b", 1), hitsOf(nil, "b", 1)); got != "{[{Two x Two Two.markdown x}]} {[]}" {
		t.Error(got)
	}
}

// crowded has ten passages of one vault before three of another.
type crowded struct{ *apitest.Backend }

func (crowded) Roots() []api.Root { return []api.Root{{Name: "a"}, {Name: "b"}} }

func (crowded) Search(_ context.Context, _ string, limit int) (found api.HitList, _ error) {
	for i := range 13 {
		found.Hits = append(found.Hits, api.Hit{Vault: "aaaaaaaaaabbb"[i : i+1], Note: "N.md", Text: "x"})
	}
	found.Hits = found.Hits[:min(limit, len(found.Hits))]
	return found, nil
}

// TestHitsOfOneVault: the passages of other vaults take none of the places.
func TestHitsOfOneVault(t *testing.T) {
	search := (&calls{backend: crowded{}}).search(func(hits Hits) any { return len(hits.Hits) })
	for body, want := range map[string]int{`{"query":"x","collection":"b","limit":5}`: 3, `{"query":"x","collection":"b","limit":2}`: 2, `{"query":"x","collection":"a","limit":5}`: 5, `{"query":"x","collection":"main","limit":11}`: 11} {
		request := httptest.NewRequestWithContext(t.Context(), "POST", "/vm/search", nil)
		request.Header.Set("Content-Type", "application/json")
		got, err := search(server.Call{Request: request, Body: []byte(body)})
		if err != nil || got != want {
			t.Errorf("%s: %v, want %d, %v", body, got, want, err)
		}
	}
}

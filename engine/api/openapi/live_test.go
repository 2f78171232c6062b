package openapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	validator "github.com/pb33f/libopenapi-validator"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/testdata/testmain"
)

func statusOf(c call) string { return strconv.Itoa(max(c.status, http.StatusOK)) }

// target is where a call is made, with its query if it has one.
func (c call) target(query string) string {
	return strings.ReplaceAll(c.path, "{id}", "d1") + query
}

// wellMade is a request that succeeds, with more headers.
func (c call) wellMade(more map[string]string) string {
	query, body := "", ""
	if c.good != "" && c.method == "GET" {
		query = c.good
	} else {
		body = c.good
	}
	accept := map[string]string{}
	if c.path == "/mcp" { // it asks for both
		accept["Accept"] = "application/json, text/event-stream"
	}
	return apitest.Request(c.method, c.target(query), apitest.Joined(apitest.Bearer, apitest.AsJSON, accept, more), body)
}

// TestEveryCallIsDescribed: the calls that the status names are those of the description that is served.
func TestEveryCallIsDescribed(t *testing.T) {
	s := serve(t, false)
	var st api.Status
	if err := json.Unmarshal(s.send(t, apitest.Request("GET", "/vault-mind/status", nil, "")).body, &st); err != nil {
		t.Fatal(err)
	}
	var document struct{ Paths map[string]map[string]any }
	got := s.send(t, apitest.Request("GET", "/vault-mind/openapi.json", apitest.Bearer, ""))
	if err := json.Unmarshal(got.body, &document); err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v", got.StatusCode, err)
	}
	var described []string
	for path, methods := range document.Paths {
		for method := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(described)
	slices.Sort(st.Endpoints)
	if !slices.Equal(described, st.Endpoints) {
		t.Errorf("described are\n%s\nthere are\n%s", strings.Join(described, "\n"), strings.Join(st.Endpoints, "\n"))
	}
}

// TestPageNamesEveryCall: the page for people has a row for each.
func TestPageNamesEveryCall(t *testing.T) {
	page, err := os.ReadFile("../../../assets/docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		token := "yes"
		if c.open {
			token = "no"
		}
		if row := fmt.Sprintf("\n| `%s %s` | %s | %s |\n", c.method, c.path, token, c.text); !strings.Contains(string(page), row) {
			t.Errorf("assets/docs/http.md lacks the row %s", strings.TrimSpace(row))
		}
	}
}

// TestCallsAnswerAsDescribed makes each call, of an engine with one of everything and of an empty one.
func TestCallsAnswerAsDescribed(t *testing.T) {
	t.Parallel()
	s, v := serve(t, false), validatorOf(t, strict(t))
	for _, empty := range []bool{false, true} {
		s.engine.set(empty, nil)
		for _, c := range calls {
			got := s.send(t, c.wellMade(nil))
			if strconv.Itoa(got.StatusCode) != statusOf(c) {
				t.Errorf("%s %s: %d %s", c.method, c.path, got.StatusCode, got.body)
				continue
			}
			s.hold(t, v, c, got, true)
			if c.stream != nil {
				stream := s.send(t, c.wellMade(map[string]string{"Accept": "text/event-stream"}))
				if kind := stream.Header.Get("Content-Type"); stream.StatusCode != http.StatusOK || kind != "text/event-stream" {
					t.Errorf("%s %s: no stream: %d %s", c.method, c.path, stream.StatusCode, kind)
				}
			}
		}
	}
	for kind, body := range map[string]string{"application/x-www-form-urlencoded": "file=note.md", "text/plain": "note.md"} {
		got := s.send(t, apitest.Request("POST", "/vault-mind/scan", map[string]string{"Content-Type": kind}, body))
		if got.StatusCode != http.StatusOK {
			t.Errorf("a scan as %s: %d %s", kind, got.StatusCode, got.body)
		}
	}
}

// hold holds an answer, and where it is right the request too, against the description.
func (s *served) hold(t *testing.T, v validator.Validator, c call, got reply, alsoRequest bool) {
	t.Helper()
	query, body := "", ""
	if c.method == "GET" {
		query = c.good
	} else {
		body = c.good
	}
	request, err := http.NewRequest(c.method, s.Base()+c.target(query), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+apitest.Token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	got.Body = io.NopCloser(bytes.NewReader(got.body))
	ok, problems := v.ValidateHttpResponse(request, got.Response)
	if ok && alsoRequest {
		ok, problems = v.ValidateHttpRequestSync(request)
	}
	if !ok {
		for _, p := range problems {
			t.Errorf("%s %s: %s: %s %v\n%.400s", c.method, c.path, p.Message, p.Reason, p.SchemaValidationErrors, got.body)
		}
	}
}

// TestRefusalsAreAsDescribed brings about each refusal of each call.
func TestRefusalsAreAsDescribed(t *testing.T) {
	t.Parallel()
	s, bare, v := serve(t, false), serve(t, true), validatorOf(t, strict(t))
	count := 0
	for _, c := range calls {
		for _, r := range refusalsOf(c) {
			var got reply
			switch _, code, _ := strings.Cut(r, " "); {
			case code == "body_timeout":
				continue // below
			case code == "not_here" || code == "no_pages":
				got = bare.send(t, c.wellMade(nil))
			case code == "rate_limited" && c.path == "/vault-mind/events":
				got = s.openUntilFull(t, c)
			default:
				got = s.bringAbout(t, c, r)
			}
			count++
			s.holdRefusal(t, v, c, got, r)
		}
		for _, a := range c.bad {
			count++
			s.holdRefusal(t, v, c, s.send(t, apitest.Request(c.method, c.target(a.query), apitest.Joined(apitest.Bearer, apitest.AsJSON), a.body)), a.refusal)
		}
	}
	t.Logf("count: %d refusals of %d calls", count, len(calls))
}

// TestTimeoutsAreAsDescribed: a body that does not come ends each call, all at once here because each
// takes the seconds that the server waits.
func TestTimeoutsAreAsDescribed(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits as long as a body may take")
	s, v := serve(t, false), validatorOf(t, strict(t))
	got := make([]reply, len(calls))
	var group sync.WaitGroup
	for i, c := range calls {
		if c.unread {
			continue
		}
		group.Go(func() {
			half := apitest.Request(c.method, c.target(""), apitest.Joined(apitest.Bearer, apitest.AsJSON, map[string]string{"Content-Length": "9"}), "")
			got[i] = s.send(t, half+"{")
		})
	}
	group.Wait()
	for i, c := range calls {
		if !c.unread {
			s.holdRefusal(t, v, c, got[i], "408 body_timeout")
		}
	}
}

// failures are what a backend fails with, by what it becomes.
var failures = map[string]error{
	"500 internal": errors.New("/home/me: disk on fire"), "503 stopping": api.ErrStopping, "503 busy": context.DeadlineExceeded, "503 offline": api.ErrOffline,
	"404 not_found": api.ErrNotFound, "422 not_a_note": api.ErrNotNote, "409 conflict": &api.Conflict{Reason: "It is done already."},
	"409 changed":        api.Changed("-a\n+b\n", "5ee"),
	"409 ambiguous":      api.Refusal(http.StatusConflict, "ambiguous", "More than one note fits."),
	"429 rate_limited":   api.Refusal(http.StatusTooManyRequests, "rate_limited", "Too many."),
	"502 failed":         api.Refusal(http.StatusBadGateway, "failed", "There is no answer."),
	"403 outside_vaults": api.Refusal(http.StatusForbidden, "outside_vaults", "It is in no vault."),
}

// bringAbout makes a call so that it is refused.
func (s *served) bringAbout(t *testing.T, c call, refusal string) reply {
	t.Helper()
	if err := failures[refusal]; err != nil {
		s.engine.set(false, err)
		defer s.engine.set(false, nil)
		return s.send(t, c.wellMade(nil))
	}
	switch refusal {
	case "400 bad_request": // what every call has: the body breaks off
		broken := apitest.Request(c.method, c.target(""), apitest.Joined(apitest.Bearer, apitest.AsJSON, map[string]string{"Transfer-Encoding": "chunked"}), "")
		return s.send(t, broken+"zz\r\n")
	case "401 unauthorized":
		return s.send(t, c.wellMade(map[string]string{"Authorization": ""}))
	case "403 host_not_allowed":
		return s.send(t, c.wellMade(map[string]string{"Host": "evil.example:PORT"}))
	case "403 origin_not_allowed":
		return s.send(t, c.wellMade(map[string]string{"Origin": "https://evil.example"}))
	case "413 body_too_large":
		return s.send(t, apitest.Request(c.method, c.target(""), apitest.Joined(apitest.Bearer, apitest.AsJSON), strings.Repeat(" ", 65<<10)))
	case "415 content_encoding":
		return s.send(t, c.wellMade(map[string]string{"Content-Encoding": "gzip"}))
	case "415 content_type":
		return s.send(t, c.wellMade(map[string]string{"Content-Type": "application/xml"}))
	}
	t.Fatalf("%s %s: nothing brings %s about", c.method, c.path, refusal)
	return reply{}
}

// openUntilFull opens streams until there are too many.
func (s *served) openUntilFull(t *testing.T, c call) (got reply) {
	t.Helper()
	for range 40 {
		if got = s.send(t, c.wellMade(nil)); got.StatusCode != http.StatusOK {
			break
		}
	}
	return got
}

// holdRefusal holds an answer against the status and code it should have, and against the description.
func (s *served) holdRefusal(t *testing.T, v validator.Validator, c call, got reply, want string) {
	t.Helper()
	var p api.Problem
	err := json.Unmarshal(got.body, &p)
	if is := fmt.Sprint(got.StatusCode, " ", p.Code); is != want || err != nil || p.Error == "" {
		t.Errorf("%s %s: %s (%s), want %s", c.method, c.path, is, got.body, want)
		return
	}
	if strings.Contains(p.Error, "disk on fire") || got.Header.Get("X-Content-Type-Options") != "nosniff" || got.Header.Get("Access-Control-Allow-Origin") == "*" {
		t.Errorf("%s %s: %v %s", c.method, c.path, got.Header, got.body)
	}
	s.hold(t, v, c, got, false)
}

// TestHostileRequests: nobody else gets in by any call, and least of all by that of the description.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	s, v := serve(t, false), validatorOf(t, strict(t))
	for _, c := range calls {
		expect := func(header, value, want string) {
			t.Helper()
			s.holdRefusal(t, v, c, s.send(t, c.wellMade(map[string]string{header: value})), want)
		}
		for _, host := range []string{"evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.:PORT", "0.0.0.0:PORT", "[::]:PORT"} {
			expect("Host", host, "403 host_not_allowed")
		}
		for _, origin := range []string{"null", "http://127.0.0.1:PORT", "file://", "app://obsidian.md/", "APP://OBSIDIAN.MD", "capacitor://localhost"} {
			expect("Origin", origin, "403 origin_not_allowed")
		}
		for _, site := range []string{"cross-site", "same-site", "anything"} {
			expect("Sec-Fetch-Site", site, "403 origin_not_allowed")
		}
		if c.open {
			continue
		}
		for _, token := range []string{"Bearer " + apitest.Token[:63], "Bearer " + apitest.Token + "0", "Basic " + apitest.Token, apitest.Token, "Bearer "} {
			expect("Authorization", token, "401 unauthorized")
		}
		for _, method := range []string{"PUT", "DELETE", "PATCH"} {
			got := s.send(t, apitest.Request(method, c.target(""), apitest.Bearer, ""))
			if got.StatusCode != http.StatusMethodNotAllowed || got.Header.Get("Allow") == "" {
				t.Errorf("%s %s: %d", method, c.path, got.StatusCode)
			}
		}
	}
}

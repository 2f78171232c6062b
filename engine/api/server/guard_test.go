package server

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/peer"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// hostile is a request and how it must end.
type hostile struct {
	name    string
	request string // PORT stands for the port
	status  int
	code    string
}

// doors are calls that would succeed, each by its own kind of route.
func doors() []hostile {
	return []hostile{
		{name: "status", request: "GET /vault-mind/status"},
		{name: "scan", request: "POST /vault-mind/scan"},
		{name: "shutdown", request: "POST /vault-mind/shutdown"},
		{name: "accept", request: "POST /vault-mind/dispatches/d1/accept"},
	}
}

func strangers() []hostile {
	var all []hostile
	for _, door := range doors() {
		method, path, _ := strings.Cut(door.request, " ")
		body, base := "", apitest.Joined(apitest.Bearer)
		if method == "POST" {
			body, base = `{"file":"note.md","seen":"5ee"}`, apitest.Joined(apitest.Bearer, apitest.AsJSON)
		}
		for _, host := range []string{"", "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost.:PORT", "localhost.evil.example:PORT",
			"x.localhost:PORT", "0.0.0.0:PORT", "127.0.0.2:PORT", "127.1:PORT", "2130706433:PORT", "[::]:PORT", "[::ffff:127.0.0.1]:PORT", "vault.local:PORT", "127.0.0.1:PORT.evil.example", "127.0.0.1:0PORT"} {
			status, code := 403, "host_not_allowed"
			if host == "" { // HTTP/1.1 itself requires one
				status, code = 400, ""
			}
			all = append(all, hostile{door.name + " host " + host, apitest.Request(method, path, apitest.Joined(base, map[string]string{"Host": host}), body), status, code})
		}
		for _, origin := range []string{"null", "http://evil.example", "https://evil.example", "http://127.0.0.1:PORT", "http://localhost:PORT", "http://localhost:3000", "file://",
			"app://obsidian.md.evil.example", "app://obsidian.md/", "APP://OBSIDIAN.MD", "capacitor://localhost", "chrome-extension://abcdefghijklmnop", "app://obsidian.md, http://evil.example"} {
			all = append(all, hostile{door.name + " origin " + origin, apitest.Request(method, path, apitest.Joined(base, map[string]string{"Origin": origin}), body), 403, "origin_not_allowed"})
		}
		for _, site := range []string{"cross-site", "same-site", "Cross-Site", "anything"} {
			all = append(all, hostile{door.name + " fetched " + site, apitest.Request(method, path, apitest.Joined(base, map[string]string{"Sec-Fetch-Site": site}), body), 403, "origin_not_allowed"})
		}
		twice := strings.Replace(apitest.Request(method, path, apitest.Joined(base, map[string]string{"Origin": obsidian}), body), "\r\n", "\r\nOrigin: http://evil.example\r\n", 1)
		all = append(all, hostile{door.name + " two origins", twice, 403, "origin_not_allowed"})
		absolute := apitest.Request(method, "http://evil.example"+path, base, body)
		all = append(all, hostile{door.name + " absolute form", absolute, 403, "host_not_allowed"})
	}
	return all
}

// answers says whether a call with that path has that method.
func answers(path, method string) bool {
	return slices.ContainsFunc((&Server{backend: &apitest.Backend{}}).listCalls(), func(r Route) bool { return r.Path == path && r.Method == method })
}

func badRoutes() []hostile {
	var all []hostile
	for _, path := range []string{"/vault-mind", "/vault-mind/", "/vault-mind/status/", "//vault-mind/status", "/vault-mind//status", "/vault-mind/./status", "/vault-mind/x/../status",
		"/VAULT-MIND/STATUS", "/vault-mind/%73tatus", "/vault-mind%2fstatus", "/vault-mind/status%00", "/vault-mind/dispatches/", "/vault-mind/dispatches/../status", "/vault-mind/dispatches/a%2fb", "/vault-mind/dispatches/.hidden",
		"/vault-mind/dispatches/a/b/retry", "/vault-mind/dispatches//retry", "/vault-mind/dispatches/" + strings.Repeat("a", 200), "/vault-mind/events/", "/vault-mind/session/d1", "/open", "/open/", "/dispatch", "/dispatch/", "/dispatch/a/b/retry", "/dispatch/.hidden", "/now.html", "/layout.html", "/web/style.css", "/style.css/..", "/metrics", "/favicon.ico", "/debug/pprof/", "/etc/passwd", "/../../etc/passwd", "/.env"} {
		all = append(all, hostile{"path " + path, apitest.Request("GET", path, apitest.Bearer, ""), 404, "not_found"})
	}
	for _, route := range (&Server{backend: &apitest.Backend{}}).listCalls() {
		path := strings.ReplaceAll(route.Path, "{id}", "d1")
		for _, method := range []string{"PUT", "DELETE", "PATCH", "TRACE", "FOO", map[string]string{"GET": "POST", "POST": "GET"}[route.Method]} {
			if !answers(route.Path, method) {
				all = append(all, hostile{method + " " + path, apitest.Request(method, path, apitest.Bearer, ""), 405, "method_not_allowed"})
			}
		}
		if !route.Token {
			continue
		}
		for name, value := range map[string]string{"none": "", "wrong": "Bearer " + strings.Repeat("0", 64), "short": "Bearer " + apitest.Token[:63], "long": "Bearer " + apitest.Token + "0",
			"huge": "Bearer " + strings.Repeat("a", 8000), "basic": "Basic " + apitest.Token, "bare": apitest.Token, "empty": "Bearer ", "two spaces": "Bearer  " + apitest.Token, "two": "Bearer " + apitest.Token + ", Bearer x"} {
			all = append(all, hostile{path + " token " + name, apitest.Request(route.Method, path, map[string]string{"Authorization": value}, ""), 401, "unauthorized"})
		}
		cookie := apitest.Request(route.Method, path, map[string]string{"Cookie": "session=" + apitest.Token}, "")
		query := apitest.Request(route.Method, path+"?token="+apitest.Token, nil, "")
		all = append(all, hostile{path + " token as cookie", cookie, 401, "unauthorized"}, hostile{path + " token in the query", query, 401, "unauthorized"})
	}
	return all
}

func badBodies() []hostile {
	scan := func(name, body string, status int, code string, headers ...map[string]string) hostile {
		return hostile{"scan " + name, apitest.Request("POST", "/vault-mind/scan", apitest.Joined(headers...), body), status, code}
	}
	call := func(name, path, body string, status int, code string, headers ...map[string]string) hostile {
		return hostile{path + " " + name, apitest.Request("POST", path, apitest.Joined(apitest.Bearer, apitest.Joined(headers...)), body), status, code}
	}
	note := `{"file":"note.md"}`
	app := map[string]string{"Origin": obsidian}
	all := []hostile{
		scan("too large", `{"file":"`+strings.Repeat("a", 70<<10)+`"}`, 413, "body_too_large", apitest.AsJSON),
		scan("gzip", note, 415, "content_encoding", apitest.AsJSON, map[string]string{"Content-Encoding": "gzip"}),
		scan("identity", note, 415, "content_encoding", apitest.AsJSON, map[string]string{"Content-Encoding": "identity"}),
		scan("xml", "<file>note.md</file>", 415, "content_type", map[string]string{"Content-Type": "application/xml"}),
		scan("multipart", note, 415, "content_type", map[string]string{"Content-Type": "multipart/form-data; boundary=x"}),
		scan("no type at all", note, 415, "content_type", map[string]string{"Content-Type": "json"}),
		scan("form from a page", "file=note.md", 415, "content_type", apitest.AsForm, app),
		scan("text from a page", "note.md", 415, "content_type", apitest.AsText, app),
		scan("text called JSON from a page", "note.md", 400, "bad_request", apitest.AsJSON, app),
		scan("untyped from a page", note, 415, "content_type", app),
		scan("nothing", "", 400, "bad_request", apitest.AsJSON),
		scan("prose", "please scan everything", 400, "bad_request", apitest.AsText),
		scan("other form", "path=note", 400, "bad_request", apitest.AsForm),
		scan("file twice in a form", "file=note.md&file=sub/other.md", 400, "bad_request", apitest.AsForm),
		scan("only a BOM", "\xef\xbb\xbf", 400, "bad_request", apitest.AsJSON),
		call("text", "/vault-mind/watcher", `{"running":true}`, 415, "content_type", apitest.AsText),
		call("form", "/vault-mind/watcher", `running=true`, 415, "content_type", apitest.AsForm),
		call("broken", "/vault-mind/watcher", `{"running":`, 400, "bad_request", apitest.AsJSON),
		call("nothing said", "/vault-mind/watcher", `{}`, 400, "bad_request", apitest.AsJSON),
		call("null", "/vault-mind/watcher", `null`, 400, "bad_request", apitest.AsJSON),
		call("array", "/vault-mind/watcher", `[true]`, 400, "bad_request", apitest.AsJSON),
		call("wrong type", "/vault-mind/watcher", `{"running":"yes"}`, 400, "bad_request", apitest.AsJSON),
		call("bad length of time", "/vault-mind/watcher", `{"running":true,"for":"soon"}`, 400, "bad_request", apitest.AsJSON),
		call("time backwards", "/vault-mind/watcher", `{"running":true,"for":"-1h"}`, 400, "bad_request", apitest.AsJSON),
		call("two values", "/vault-mind/watcher", `{"running":true}{"running":false}`, 400, "bad_request", apitest.AsJSON),
		call("not UTF-8", "/vault-mind/watcher", "{\"running\":true,\"vault\":\"\xff\"}", 400, "bad_request", apitest.AsJSON),
		call("too large", "/vault-mind/rescan", strings.Repeat(" ", 70<<10), 413, "body_too_large"),
		call("gzip", "/vault-mind/shutdown", "x", 415, "content_encoding", map[string]string{"Content-Encoding": "gzip"}),
		call("reserved, as text", "/vault-mind/dispatch", note, 415, "content_type", apitest.AsText),
		call("reserved, broken", "/vault-mind/dispatch", "{", 400, "bad_request", apitest.AsJSON),
		call("unknown id", "/vault-mind/dispatches/busy/retry", "", 409, "conflict"),
	}
	for _, body := range []string{`{}`, `[]`, `null`, `true`, `42`, `{"file":null}`, `{"file":1}`, `{"file":["note.md"]}`, `{"file":{"file":"note.md"}}`, `{"FILE":"note.md"}`, `{"File":"note.md"}`,
		`{"data":{"file":"note.md"}}`, `{"file":"note.md","file":"sub/other.md"}`, `{"file":""}`, `{"file":"\ud800.md"}`, `{"file":"note.md\u0000"}`, `{"file":"a\nb.md"}`, `{"path":"note.md"}`, `{file}`, `{"file"}`, `{"file":}`, `{`,
		strings.Repeat(`{"a":`, 9000), strings.Repeat("[", 20000)} {
		all = append(all, scan("body "+body[:min(len(body), 40)], body, 400, "bad_request", apitest.AsJSON))
	}
	for _, q := range []string{"", "?q=", "?q=%20", "?q=%zz", "?q=%ff", "?q=a&limit=0", "?q=a&limit=-1", "?q=a&limit=1000000", "?q=a&limit=x", "?q=a;b", "?limit=9999999999999999999999&q=a"} {
		all = append(all, hostile{"search " + q, apitest.Request("GET", "/vault-mind/search"+q, apitest.Bearer, ""), 400, "bad_request"})
	}
	for _, q := range []string{"?status=DONE", "?status=x", "?limit=1001", "?limit=0x1", "?q=%ff", "?%"} {
		all = append(all, hostile{"dispatches " + q, apitest.Request("GET", "/vault-mind/dispatches"+q, apitest.Bearer, ""), 400, "bad_request"})
	}
	return append(all, hostile{"unknown dispatch", apitest.Request("GET", "/vault-mind/dispatches/gone", apitest.Bearer, ""), 404, "not_found"})
}

// malformed are requests HTTP itself does not allow.
func malformed() []hostile {
	long := strings.Repeat("a", 20<<10)
	return []hostile{
		{"no HTTP", "hello\r\n\r\n", 400, ""},
		{"HTTP/9", "GET /vault-mind/status HTTP/9.9\r\nHost: 127.0.0.1:PORT\r\n\r\n", 505, ""},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 403, "host_not_allowed"},
		{"two hosts", "GET /vault-mind/status HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n", 400, ""},
		{"a space in a header's name", "GET /vault-mind/status HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX Y: 1\r\n\r\n", 400, ""},
		{"transfer coding", "POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: gzip\r\n\r\n", 501, ""},
		{"two lengths", "POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, ""},
		{"negative length", "POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: -1\r\n\r\n", 400, ""},
		{"chunks of nonsense", "POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "bad_request"},
		{"expectation", "POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nExpect: money\r\nContent-Length: 1\r\n\r\n{", 417, ""},
		{"long header", "GET /vault-mind/status HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX: " + long + "\r\n\r\n", 431, ""},
		{"long line", "GET /vault-mind/" + long + " HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 431, ""},
		{"many headers", "GET /vault-mind/status HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n" + strings.Repeat("X: yyyyyyyy\r\n", 2000) + "\r\n", 431, ""},
		{"no host, HTTP/1.0", "GET /vault-mind/status HTTP/1.0\r\n\r\n", 403, "host_not_allowed"},
		{"connect", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", 403, "host_not_allowed"},
		{"options *", "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 403, "origin_not_allowed"},
		{"preflight from nowhere", apitest.Request("OPTIONS", "/vault-mind/scan", nil, ""), 403, "origin_not_allowed"},
		{"preflight from a page", apitest.Request("OPTIONS", "/vault-mind/scan", map[string]string{"Origin": "http://evil.example"}, ""), 403, "origin_not_allowed"},
		{"preflight from null", apitest.Request("OPTIONS", "/vault-mind/scan", map[string]string{"Origin": "null"}, ""), 403, "origin_not_allowed"},
		{"preflight, rebound", apitest.Request("OPTIONS", "/vault-mind/scan", map[string]string{"Origin": obsidian, "Host": "evil.example:PORT"}, ""), 403, "host_not_allowed"},
	}
}

// TestHostileRequests sends every request of the table over a real connection.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	r := start(t)
	var all []hostile
	all = append(all, strangers()...)
	all = append(all, badRoutes()...)
	all = append(all, badBodies()...)
	all = append(all, malformed()...)
	if len(all) < 300 {
		t.Errorf("only %d hostile requests", len(all))
	}
	r.expect(t, all)
	if got := strings.Join(r.backend.Called(), " "); got != "" {
		t.Errorf("hostile requests reached %s", got)
	}
	t.Logf("count: %d hostile requests", len(all))
}

// expect sends requests and holds every answer against the table and the promises.
func (r *running) expect(t *testing.T, all []hostile) {
	t.Helper()
	for _, h := range all {
		a := r.Raw(t, h.request)
		if a.Status != h.status || a.Code != h.code {
			t.Errorf("%q: %d %s, want %d %s (%v)", h.name, a.Status, a.Code, h.status, h.code, a.Body["error"])
		}
		if h.status != 200 && h.code != "" { // without a code it is net/http's own answer
			checkProblem(t, h.name, r.backend.Vaults[0].Path, a)
		}
	}
}

// checkProblem holds what is promised of every answer that is no success.
func checkProblem(t *testing.T, name, vault string, a apitest.Reply) {
	t.Helper()
	text, _ := a.Body["error"].(string)
	switch {
	case a.Status >= 500:
		t.Errorf("%q: status %d", name, a.Status)
	case text == "" || a.Code == "":
		t.Errorf("%q: %d without a sentence or a code", name, a.Status)
	case strings.Contains(text, "passwd") || strings.Contains(text, vault):
		t.Errorf("%q: the answer repeats the path: %q", name, text)
	case a.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(a.Header.Get("Content-Type"), "application/json"):
		t.Errorf("%q: headers %v", name, a.Header)
	case a.Header.Get("Access-Control-Allow-Origin") == "*":
		t.Errorf("%q: open to every page", name)
	case a.Status == 405 && a.Header.Get("Allow") == "":
		t.Errorf("%q: 405 without Allow", name)
	}
}

// TestDispatchCall: what a client may not wait for is taken up, and goes to the end of its note.
func TestDispatchCall(t *testing.T) {
	r := start(t)
	a := r.Raw(t, apitest.Request("POST", "/vault-mind/dispatch", apitest.Joined(apitest.Bearer, apitest.AsJSON), `{"role":"Miner","instruction":"why","file":"note.md"}`))
	if a.Status != http.StatusAccepted || a.Body["jobId"] != "d1" {
		t.Errorf("%d %v", a.Status, a.Body)
	}
	if got := r.backend.Asked; got != (api.AskRequest{Question: "why", Role: "Miner", File: "note.md", Append: true}) {
		t.Errorf("asked %+v", got)
	}
	a = r.Raw(t, apitest.Request("POST", "/vault-mind/dispatch", apitest.Joined(apitest.Bearer, apitest.AsJSON), `{"role":"Miner","instruction":"why"}`))
	if a.Status != http.StatusBadRequest {
		t.Errorf("without a note: %d %v", a.Status, a.Body)
	}
}

func TestPreflightOfTheNoteApp(t *testing.T) {
	r := start(t)
	app := map[string]string{"Origin": obsidian, "Sec-Fetch-Site": "cross-site"}
	a := r.Raw(t, apitest.Request("OPTIONS", "/vault-mind/dispatches", apitest.Joined(app, map[string]string{"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"}), ""))
	want := map[string]string{
		"Access-Control-Allow-Origin":          "app://obsidian.md",
		"Access-Control-Allow-Headers":         "authorization, content-type",
		"Access-Control-Allow-Methods":         "GET, POST",
		"Access-Control-Allow-Private-Network": "true",
		"Vary":                                 "Origin",
	}
	if a.Status != 204 {
		t.Errorf("status %d", a.Status)
	}
	for name := range a.Header {
		if strings.HasPrefix(name, "Access-Control-") && want[name] == "" {
			t.Errorf("unasked header %s", name)
		}
	}
	for name, value := range want {
		if a.Header.Get(name) != value {
			t.Errorf("%s: %q, want %q", name, a.Header.Get(name), value)
		}
	}
	a = r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.Joined(app, apitest.AsJSON), `{"file":"note.md"}`))
	if a.Status != 200 || a.Header.Get("Access-Control-Allow-Origin") != obsidian {
		t.Errorf("the call after it: %d %v", a.Status, a.Header)
	}
	a = r.Raw(t, apitest.Request("GET", "/vault-mind/dispatches", app, ""))
	if a.Status != 401 || a.Header.Get("Access-Control-Allow-Origin") != obsidian {
		t.Errorf("a refusal the app should be able to read: %d %v", a.Status, a.Header)
	}
}

func TestEmptyTokenLetsNobodyIn(t *testing.T) {
	r := start(t, func(s *Server) { s.token = "" })
	for _, value := range []string{"", "Bearer ", "Bearer", "Bearer x"} {
		a := r.Raw(t, apitest.Request("GET", "/vault-mind/dispatches", map[string]string{"Authorization": value}, ""))
		if a.Status != 401 {
			t.Errorf("%q: %d", value, a.Status)
		}
	}
}

func TestRefusalIsRemembered(t *testing.T) {
	r := start(t)
	if r.Refusals.Last() != nil {
		t.Errorf("refused before the first request: %+v", r.Refusals.Last())
	}
	r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"/etc/passwd"}`))
	st, err := client.New(r.Port, "").Status(t.Context())
	if err != nil || st.LastRefused == nil || st.LastRefused.Code != "outside_vaults" || st.LastRefused.At.IsZero() {
		t.Errorf("status: %+v, %v", st.LastRefused, err)
	}
}

func TestUnknownPeerIsLetInWithANotice(t *testing.T) {
	r := start(t, func(s *Server) { s.peer = func(net.Addr, net.Addr) peer.Kind { return peer.Unknown } })
	st, err := client.New(r.Port, "").Status(t.Context())
	if err != nil || len(st.Notices) != 1 || len(r.Refusals.Notices()) != 1 {
		t.Errorf("notices %+v, %v", st.Notices, err)
	}
}

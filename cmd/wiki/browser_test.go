package main

import (
	"encoding/json"
	"io"
	"net/http"
	neturl "net/url"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"vaultdispatcher/engine/api"
)

// visit FILE opens the dashboard's link that is in the file, as JSON, and keeps
// the cookie it gives; with ! the link must be of no use to a new browser.
func visit(ts *testscript.TestScript, neg bool, args []string) {
	var link api.Link
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &link))
	resp, err := http.DefaultTransport.RoundTrip(pageRequest(ts, http.MethodGet, link.URL, ""))
	ts.Check(err)
	resp.Body.Close()
	cookies := resp.Cookies()
	if opened := len(cookies) == 1; opened == neg {
		ts.Fatalf("open the link: %s with %d cookies", resp.Status, len(cookies))
	}
	if !neg {
		ts.Setenv("COOKIE", cookies[0].Name+"="+cookies[0].Value)
	}
}

// page PATH TEXT... looks at a page, which must have each text; with ! there
// must be no such page for this browser.
func lookAt(ts *testscript.TestScript, neg bool, args []string) {
	resp, text := pageAnswer(ts, pageRequest(ts, http.MethodGet, url(ts, args[0]), ""), ts.Getenv("COOKIE"))
	if ok := resp.StatusCode == http.StatusOK; ok == neg {
		ts.Fatalf("%s: %s", args[0], resp.Status)
	}
	for _, want := range args[1:] {
		if !strings.Contains(text, want) {
			ts.Fatalf("%s lacks %q:\n%s", args[0], want, text)
		}
	}
}

var formValue = regexp.MustCompile(`name="form" value="([0-9a-f]+)"`)

// press PAGE ACTION sends the form of the page that has this action.
func press(ts *testscript.TestScript, _ bool, args []string) {
	_, text := pageAnswer(ts, pageRequest(ts, http.MethodGet, url(ts, args[0]), ""), ts.Getenv("COOKIE"))
	found := formValue.FindStringSubmatch(text)
	if found == nil || !strings.Contains(text, `action="`+args[1]+`"`) {
		ts.Fatalf("%s has no form for %s:\n%s", args[0], args[1], text)
	}
	req := pageRequest(ts, http.MethodPost, url(ts, args[1]), neturl.Values{"form": {found[1]}}.Encode())
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", url(ts, ""))
	if resp, text := pageAnswer(ts, req, ts.Getenv("COOKIE")); resp.StatusCode != http.StatusSeeOther {
		ts.Fatalf("%s: %s\n%s", args[1], resp.Status, text)
	}
}

func pageRequest(ts *testscript.TestScript, method, target, body string) *http.Request {
	req, err := http.NewRequest(method, target, strings.NewReader(body))
	ts.Check(err)
	req.Header.Set("Accept", "text/html")
	return req
}

// pageAnswer is the answer to a request of a browser with that cookie.
func pageAnswer(ts *testscript.TestScript, req *http.Request, cookie string) (*http.Response, string) {
	if cookie != "" {
		req.Header.Set("Cookie", cookie)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	ts.Check(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	ts.Check(err)
	return resp, string(text)
}

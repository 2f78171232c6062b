package modelhttp

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for after, want := range map[string]time.Duration{
		"0": 0, "1.5": 1500 * time.Millisecond, "1e300": maxWait, "Fri, 20 Nov 2026 09:10:00 GMT": 10 * time.Minute,
		"Fri, 20 Nov 2099 09:10:00 GMT": maxWait,
	} {
		r := &Refusal{header: http.Header{"Retry-After": {after}}}
		if got, ok := r.RetryAfter(now); got != want || !ok {
			t.Errorf("Retry-After %s: %s", after, got)
		}
	}
	for _, after := range []string{"", "-1", "soon", "NaN", "Fri, 20 Nov 2020 09:10:00 GMT"} {
		r := &Refusal{header: http.Header{"Retry-After": {after}}}
		if got, ok := r.RetryAfter(now); ok {
			t.Errorf("Retry-After %q: %s", after, got)
		}
	}
	r := &Refusal{header: http.Header{"Retry-After": {"2"}, "Retry-After-Ms": {"250"}}}
	if got, _ := r.RetryAfter(now); got != 250*time.Millisecond {
		t.Errorf("in milliseconds: %s", got)
	}
}

// A caller reads a streamed answer from the body, while the server still writes it.
func TestBodyIsReadAsItComes(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		<-release
		_, _ = io.WriteString(w, "data: 2\n\n")
	}))
	defer s.Close()
	resp, err := NewClient(1).Post(t.Context(), s.URL, "", map[string]bool{"stream": true})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	first := make([]byte, 9)
	if _, err := io.ReadFull(resp.Body, first); err != nil || string(first) != "data: 1\n\n" {
		t.Fatalf("%q, %v", first, err)
	}
	close(release)
	if rest, err := io.ReadAll(resp.Body); err != nil || string(rest) != "data: 2\n\n" {
		t.Errorf("%q, %v", rest, err)
	}
}

// The address and the proxy of the environment have no part, and the key is in no
// error.
func TestRefusal(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:9/")
	for body, want := range map[string]string{
		`{"error":{"message":"wrong sk-secret","code":"bad_key"}}`: "401 wrong (the key)",
		`{"error":"no"}`:    "401 no",
		`{"message":"no"}`:  "401 no",
		`[{"detail":"no"}]`: "401 no",
		"no":                "401 no",
		"<html>no</html>":   "401 ",

		// However the JSON has it, and however it was read.
		`{"error":{"message":"wrong \"\u0073k-\u0073ecret\"","code":"bad_key"}}`: `401 wrong "(the key)"`,
		`{"error":{"message":"{\"error\":\"wrong \\u0073k-secret\"}"}}`:          `401 {"error":"wrong (the key)"}`,
		`wrong \u0073k-secret`:                      "401 wrong (the key)",
		`{"error":{"message":"wrong k-secret..."}}`: "401 wrong (the key)...",
		`{"error":{"message":"wrong p4ssw0rd"}}`:    "401 wrong (the key)",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(401)
			_, _ = io.WriteString(w, body)
		}))
		_, err := NewClient(1).Post(t.Context(), strings.Replace(s.URL, "//", "//me:p4ssw0rd@", 1), "sk-secret", nil)
		s.Close()
		if r, ok := errors.AsType[*Refusal](err); !ok || err.Error() != want || strings.Contains(body, "bad_key") != (r.Code == "bad_key") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

package modelhttp

import (
	"encoding/json"
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

// The time at which a limit ends counts where nothing of it is left, whoever names it: a failure that passes has no such time.
func TestResetOfLimit(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status      int
		left, reset string
		want        time.Duration // negative = not said
	}{
		{429, "0", "1795910400000", maxWait}, // 29 November
		{429, "0", "1763629200", -1},         // a year ago
		{429, "0", "1795165800", 10 * time.Minute},
		{429, "", "1795165800000", 10 * time.Minute},
		{403, "0", "1795165800", 10 * time.Minute},
		{429, "0", "9999999999", maxWait},
		{429, "12", "1795165800", -1},
		{503, "", "1795165800", -1},
		{429, "0", "60", -1}, // nobody knows of what
		{429, "0", "1e300", -1},
		{429, "0", "NaN", -1},
		{429, "0", "", -1},
	} {
		headers := map[string]string{"X-RateLimit-Reset": c.reset}
		if c.left != "" {
			headers["X-RateLimit-Remaining"] = c.left
		}
		inBody, _ := json.Marshal(map[string]any{"error": map[string]any{"code": c.status, "metadata": map[string]any{"headers": headers}}})
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for name, value := range headers {
				w.Header().Set(name, value)
			}
			w.WriteHeader(c.status)
		}))
		_, err := NewClient(1).Post(t.Context(), s.URL, "", nil)
		s.Close()
		refused, _ := errors.AsType[*Refusal](err)
		for where, r := range map[string]*Refusal{"header": refused, "body": ReadComplaint(inBody)} {
			if got, ok := r.RetryAfter(now); ok != (c.want >= 0) || ok && got != c.want {
				t.Errorf("%+v in the %s: %s, %v", c, where, got, ok)
			}
		}
	}
	for _, body := range []string{`{"error":{"code":429,"metadata":"none"}}`, `{"error":{"code":429,"metadata":{"headers":[]}}}`, `{"error":{"code":429,"metadata":{"headers":{"X-RateLimit-Reset":null}}}}`} {
		if r := ReadComplaint([]byte(body)); r.Named.Status != 429 {
			t.Errorf("%s: %+v", body, r)
		} else if got, ok := r.RetryAfter(now); ok {
			t.Errorf("%s: %s", body, got)
		}
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
		`{"error":"no"}`:        "401 no",
		`{"message":"no"}`:      "401 no",
		`[{"detail":"no"}]`:     "401 no",
		"no":                    "401 no",
		`{"code":1,"msg":"no"}`: "401 no",
		`{"base_resp":{"status_code":1,"status_msg":"no"}}`:                    "401 no",
		`{"errors":[{"message":"no","code":5021}],"success":false}`:            "401 no",
		`{"choices":null,"error_type":"BadRequestError","error_message":"no"}`: "401 no",
		`{"detail":[{"msg":"no"}]}`:                                            `401 {"detail":[{"msg":"no"}]}`,
		"<html>no</html>":                                                      "401 ",

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

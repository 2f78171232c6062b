package modelhttp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/secret"
)

// Refusal is an answer of a server other than 2xx.
type Refusal struct {
	Status int
	Code   string // the server's own name of the error; may be empty
	Text   string // the server's own words, without the key
	Named  Named
	header http.Header
}

func (r *Refusal) Error() string { return fmt.Sprintf("%d %s", r.Status, r.Text) }

func readRefusal(resp *http.Response, key string) *Refusal {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxComplaint)) // a complaint that is cut off is one
	r := ReadComplaint(body, append(secret.InAddress(resp.Request.URL.String()), key)...)
	r.Status, r.header = resp.StatusCode, resp.Header
	return r
}

// ReadComplaint reads what a server says of its failure where its answer has begun: the status is
// the one that it names, or 0. Some servers repeat the key, as their JSON has it: it is taken out of the words that were
// read.
func ReadComplaint(body []byte, keys ...string) *Refusal {
	status, code, text := readComplaint(body)
	named, raw := readNamed(body)
	if _, _, inner := readComplaint(raw); inner != "" {
		text = text + ": " + inner
	}
	r := secret.NewRedactor(keys...)
	return &Refusal{Status: status, Code: r.Redact(code), Text: r.Redact(text), Named: named}
}

// maxWait bounds what a server may ask for.
const maxWait = 7 * 24 * time.Hour

// RetryAfter reads how long the server wishes to be left alone, in seconds, in
// milliseconds, or until a time; false when it does not say so.
func (r *Refusal) RetryAfter(now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(r.readHeader("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return min(time.Duration(min(ms, 1e12))*time.Millisecond, maxWait), true
	}
	after := r.readHeader("Retry-After")
	if seconds, err := strconv.ParseFloat(after, 64); err == nil && seconds >= 0 {
		return min(time.Duration(min(seconds, 1e9)*float64(time.Second)), maxWait), true
	}
	at, err := http.ParseTime(after)
	if err != nil {
		at = r.readReset()
	}
	if at.Before(now) {
		return 0, false
	}
	return min(at.Sub(now), maxWait), true
}

// readHeader returns a header of the answer, or else one that the answer hands on.
func (r *Refusal) readHeader(name string) string {
	return cmp.Or(r.header.Get(name), r.Named.header.Get(name))
}

// readReset returns when the limit ends that is used up; zero = it is not said. Servers say it in seconds since 1970
// (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api) or in milliseconds (https://github.com/Gitlawb/openclaude/issues/936).
func (r *Refusal) readReset() time.Time {
	left := r.readHeader("X-RateLimit-Remaining")
	isUsedUp := left == "0" || left == "" && cmp.Or(r.Named.Status, r.Status) == http.StatusTooManyRequests
	switch at, _ := strconv.ParseFloat(r.readHeader("X-RateLimit-Reset"), 64); { // no number: not said
	case isUsedUp && at >= 1e9 && at < 1e10:
		return time.Unix(int64(at), 0)
	case isUsedUp && at >= 1e12 && at < 1e13:
		return time.UnixMilli(int64(at))
	}
	return time.Time{}
}

// readComplaint finds a server's words for its failure: {"error":{"message":"..."}}, {"error":"..."},
// {"message":"..."}, {"detail":"..."}, a list of one of them, or plain text; after them {"code":1,"msg":"..."},
// {"base_resp":{"status_msg":"..."}} (https://github.com/adrianlyjak/obsidian-aloud-tts/pull/114),
// {"error_message":"..."} (https://github.com/NousResearch/hermes-agent/issues/65631) or
// {"errors":[{"message":"..."}]} (https://developers.cloudflare.com/fundamentals/api/reference/responses/).
func readComplaint(body []byte) (status int, code, text string) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error                json.RawMessage
		Message, Detail, Msg string
		Told                 string `json:"error_message"`
		Base                 struct {
			Msg string `json:"status_msg"`
		} `json:"base_resp"`
		Errors []struct{ Message string }
	}
	var inner struct {
		Code    any
		Message string
	}
	failed := json.Unmarshal(body, &outer) // a field of another kind says nothing
	if json.Unmarshal(outer.Error, &text) != nil && json.Unmarshal(outer.Error, &inner) == nil {
		text = inner.Message
		code, _ = inner.Code.(string)
		if number, ok := inner.Code.(float64); ok && number >= 400 && number < 600 {
			status = int(number)
		}
	}
	isName := inner.Message == "" && text != "" // of the status, which a message explains: https://docs.fireworks.ai/guides/inference-error-codes
	for _, other := range []string{outer.Message, outer.Detail} {
		switch {
		case text == "":
			text = other
		case isName && !strings.Contains(text, other):
			text += ": " + other
		}
	}
	if text == "" {
		text = cmp.Or(outer.Msg, outer.Told, outer.Base.Msg, append(outer.Errors, struct{ Message string }{})[0].Message)
	}
	if failed != nil && text == "" && !strings.HasPrefix(strings.TrimSpace(string(body)), "<") { // a page says nothing
		text = string(body)
	}
	return status, code, text
}

// Named is what a server says of an error beside its words, whatever the status of its answer.
type Named struct {
	Status int      // of HTTP, if it names one
	Names  []string // of the error, such as its code and its type, as they came: they are compared and not shown
	Window int      // how many tokens the model reads at once, as llama.cpp tells it

	header http.Header // of the server behind a router, as OpenRouter tells it
}

// readNamed finds that in the error, or else beside the words, and returns the answer of the server behind a router too, as JSON
// (https://github.com/anomalyco/opencode/issues/24462): its names come before the router's.
func readNamed(body []byte) (n Named, raw []byte) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	type names struct {
		Code, Type, Status any
		Window             any                           `json:"n_ctx"`
		Wait               any                           `json:"resets_in_seconds"` // https://github.com/router-for-me/CLIProxyAPI/issues/3115
		Details            []struct{ RetryDelay string } // https://cloud.google.com/apis/design/errors#error_details
		Metadata           json.RawMessage
	}
	var outer struct {
		names
		Error json.RawMessage
	}
	_ = json.Unmarshal(body, &outer) // a body that is not JSON has no names
	of := outer.names
	if inner := (names{}); json.Unmarshal(outer.Error, &inner) == nil {
		of = inner
	}
	for _, value := range []any{of.Code, of.Type, of.Status} {
		if number, err := strconv.Atoi(fmt.Sprint(value)); err == nil && number >= 400 && number < 600 && n.Status == 0 {
			n.Status = number
		} else if name, ok := value.(string); ok {
			n.Names = append(n.Names, name)
		}
	}
	n.header = readHandedOn(of.Metadata)
	if seconds, ok := of.Wait.(float64); ok {
		n.header.Set("Retry-After", strconv.FormatFloat(seconds, 'f', 0, 64))
	}
	for _, d := range of.Details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil {
			n.header.Set("Retry-After", strconv.FormatFloat(wait.Seconds(), 'f', 0, 64))
		}
	}
	var behind struct{ Raw string }
	_ = json.Unmarshal(of.Metadata, &behind) // another form has no text
	raw = []byte(behind.Raw)
	if strings.HasPrefix(behind.Raw, "{") {
		inner, _ := readNamed(raw)
		n.Names = append(inner.Names, n.Names...)
	}
	if tokens, ok := of.Window.(float64); ok && tokens >= 1 && tokens < 1e9 {
		n.Window = int(tokens)
	}
	return n, raw
}

// readHandedOn returns the headers in the metadata of an error.
func readHandedOn(metadata []byte) http.Header {
	var about struct{ Headers map[string]any }
	_ = json.Unmarshal(metadata, &about) // another form has no headers
	h := http.Header{}
	for name, value := range about.Headers {
		if number, ok := value.(float64); ok {
			value = strconv.FormatFloat(number, 'f', -1, 64)
		}
		if text, ok := value.(string); ok {
			h.Set(name, text)
		}
	}
	return h
}

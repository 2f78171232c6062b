package server

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"vaultdispatcher/engine/api"
)

// writeJSON writes a body, or a [api.StatusError], as JSON. Texts from notes stay as
// they are written, and nothing in them is markup to a browser: see nosniff.
func writeJSON(w http.ResponseWriter, body any) {
	status := http.StatusOK
	if e, ok := body.(*api.StatusError); ok {
		status, body = e.Status, api.Problem{Error: e.Text, Code: e.Code, Diff: e.Diff, Seen: e.Seen}
	}
	writeStatus(w, status, body)
}

// writeStatus writes a body with its status.
func writeStatus(w http.ResponseWriter, status int, body any) {
	h := w.Header()
	text, err := encodeJSON(body)
	if err != nil { // a value of ours that JSON cannot hold
		status = http.StatusInternalServerError
		text, _ = encodeJSON(api.Problem{Error: "The answer cannot be written as JSON.", Code: "internal"})
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	w.Write(text)
}

// setProblemHeaders is what HTTP itself has to say of a failure.
func setProblemHeaders(h http.Header, e *api.StatusError) {
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
	if e.Allow != "" {
		h.Set("Allow", e.Allow)
	}
}

func encodeJSON(body any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(body)
	return buf.Bytes(), err
}

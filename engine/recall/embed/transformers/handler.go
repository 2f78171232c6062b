package main

import (
	"encoding/json"
	"fmt"
	"mime"
	"net"
	"net/http"
	"path/filepath"
	"sync"
)

// maxTexts is what one request may hold; who asks for more is told to ask for
// less, and does. maxBody bounds the request itself.
const (
	maxTexts = 32
	maxBody  = 4 << 20
)

// handler is POST /v1/embeddings. One request is computed at a time.
type handler struct {
	model string // its name, the last part of its folder
	embed func([]string) ([][]float32, error)
	busy  sync.Mutex // held while a request is computed
}

// vector is one entry of an answer.
type vector struct {
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, body := h.answer(r)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller is gone where this fails
}

func (h *handler) answer(r *http.Request) (status int, body any) {
	fail := func(status int, format string, args ...any) (int, any) {
		return status, map[string]any{"error": map[string]string{"message": fmt.Sprintf(format, args...)}}
	}
	if !local(r) {
		return fail(http.StatusForbidden, "only programs on this machine are answered, and no web pages")
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" {
		return fail(http.StatusNotFound, "there is only POST /v1/embeddings")
	}
	var question struct {
		Model string
		Input []string
	}
	r.Body = http.MaxBytesReader(nil, r.Body, maxBody)
	if err := json.NewDecoder(r.Body).Decode(&question); err != nil {
		return fail(http.StatusBadRequest, "the request is no JSON with a list of texts as input: %v", err)
	}
	if asked := filepath.Base(question.Model); asked != h.model {
		return fail(http.StatusNotFound, "the model %q is not served here, %q is", asked, h.model)
	}
	switch n := len(question.Input); {
	case n == 0:
		return fail(http.StatusBadRequest, "the request has no texts")
	case n > maxTexts:
		return fail(http.StatusRequestEntityTooLarge, "%d texts are too many at once, %d are not", n, maxTexts)
	}
	h.busy.Lock()
	defer h.busy.Unlock()
	if r.Context().Err() != nil {
		return fail(http.StatusServiceUnavailable, "the caller is gone")
	}
	vectors, err := h.embed(question.Input)
	if err != nil {
		return fail(http.StatusInternalServerError, "%v", err)
	}
	list := make([]vector, len(vectors))
	for i, v := range vectors {
		list[i] = vector{i, v}
	}
	return http.StatusOK, map[string]any{"data": list}
}

// local turns away what a web page can send: another origin, a name that was
// made to point here, a type that needs no leave.
func local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.Header.Get("Origin") == "" && kind == "application/json" && (host == "127.0.0.1" || host == "localhost")
}

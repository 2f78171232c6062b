// Package fakemodel is a model server for tests: it speaks the HTTP interfaces
// of the real ones, does what the prompt says, and remembers what it was sent.
//
// A test starts one with [New], points an agent at [Server.URL] and looks at
// [Server.Calls] afterwards. The prompt says what the model shall do, so
// it passes through the whole agent unchanged:
//
//	{{SAY blue}}                        answer with this text
//	{{CALLTOOL write {"path":"x"}}}     call this tool; its result is the answer
//	{{SLEEP 30s}}                       wait before anything else, or until the caller leaves
//	{{HTTP 429 slow down}}              refuse with this status and message
//
// Directives are read from what the user said last; those of a history do
// nothing. A prompt with several requests of the form "Request 2 (Line 9):" is
// answered with the JSON the engine asks for, each request by its own SAY; where
// the agent offers a tool for structured output, through that tool.
//
// The interfaces are /v1/chat/completions, /v1/responses, /v1/messages and
// /v1beta/models/M:generateContent, each also streaming.
//
// The package is under testdata because only tests import it: patterns such as
// ./... leave it out, an import names it. engine/agent/fakemodel_test.go tests it.
package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Turn is one step of a conversation, whatever the interface calls it.
type Turn struct {
	Role string // "system", "user", "assistant" or "tool"
	Text string
}

// Call is one request that asked the model for something.
type Call struct {
	API    string // "chat", "responses", "messages" or "generate"
	Model  string
	Header http.Header
	Turns  []Turn
	Tools  []string        // names of the tools on offer
	Schema json.RawMessage // that the answer has to fit, where the interface has a place for it
	Body   []byte
	At     time.Time
}

// Saw reports whether the model was shown the text, in any role.
func (c Call) Saw(text string) bool {
	return slices.ContainsFunc(c.Turns, func(t Turn) bool { return strings.Contains(t.Text, text) })
}

// Server is a running model server on the loopback interface.
type Server struct {
	URL string // "http://127.0.0.1:port", without a path

	mu    sync.Mutex // guards the fields below
	calls []Call
	busy  int // calls that are being answered
	most  int // most calls at once
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{}
	mux := http.NewServeMux()
	for path, d := range dialects {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, d) })
	}
	mux.HandleFunc("/", s.other)
	srv := httptest.NewServer(mux)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	s.URL = srv.URL
	return s
}

// Calls returns what the model was asked so far, oldest first.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Busy returns how many calls are being answered now.
func (s *Server) Busy() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy
}

// Most returns how many calls were answered at once at most.
func (s *Server) Most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// dialect is one interface of a model.
type dialect struct {
	api   string
	parse func(r *http.Request, body []byte) (call Call, stream bool, err error)
	write func(w io.Writer, c Call, m move, stream bool) error
	fail  func(status int, message string) any
}

var dialects = map[string]dialect{
	"/v1/chat/completions":   {"chat", parseChat, writeChat, failOpenAI},
	"/chat/completions":      {"chat", parseChat, writeChat, failOpenAI},
	"/v1/responses":          {"responses", parseResponses, writeResponses, failOpenAI},
	"/v1/messages":           {"messages", parseMessages, writeMessages, failMessages},
	"/v1beta/models/{model}": {"generate", parseGenerate, writeGenerate, failGenerate},
}

// other answers what agents ask beside the model: nothing is there.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	http.Error(w, `{"error":{"message":"not here"}}`, http.StatusNotFound)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, d dialect) {
	if strings.HasSuffix(r.URL.Path, ":countTokens") {
		respond(w, http.StatusOK, map[string]int{"totalTokens": 1})
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller has left
	}
	call, stream, err := d.parse(r, body)
	if err != nil {
		respond(w, http.StatusBadRequest, d.fail(http.StatusBadRequest, err.Error()))
		return
	}
	call.API, call.Header, call.Body, call.At = d.api, r.Header.Clone(), body, time.Now()
	defer s.begin(call)()

	m := decide(call)
	select {
	case <-time.After(m.sleep):
	case <-r.Context().Done():
		return
	}
	if m.status != 0 {
		respond(w, m.status, d.fail(m.status, m.text))
		return
	}
	if stream {
		w.Header().Set("Content-Type", "text/event-stream")
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	_ = d.write(w, call, m, stream) // fails when the caller has left, and then nobody is there to be told
}

// begin records a call and returns what ends it.
func (s *Server) begin(c Call) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
	s.busy++
	s.most = max(s.most, s.busy)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy--
	}
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

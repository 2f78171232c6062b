package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"vaultdispatcher/engine/api"
)

// Desk answers agents that speak the Model Context Protocol, behind the guard. Its answers are
// those of that protocol, its errors too.
type Desk interface {
	http.Handler
	// Knows reports whether a ticket, sent in the place of the token, opens the desk.
	Knows(ticket string) bool
	// Read answers a tool that reads the notes, for the person whose notes they are.
	Read(ctx context.Context, tool string, arguments json.RawMessage) (any, error)
}

// UseDesk gives the server a desk. It is called once, before Run.
func (s *Server) UseDesk(d Desk) {
	s.desk = d
	s.routes = append(s.routes, Route{Method: "POST", Path: "/mcp", Token: true, Ticket: true, Handle: s.passOn})
	s.endpoints = append(s.endpoints, "POST /mcp")
}

// ReadNotes has a tool of the desk read the notes, for a page.
func (s *Server) ReadNotes(ctx context.Context, tool string, arguments, into any) error {
	if s.desk == nil {
		return api.ErrNotFound
	}
	asked, err := json.Marshal(arguments)
	if err != nil {
		return fmt.Errorf("ask %s: %w", tool, err)
	}
	found, err := s.desk.Read(ctx, tool, asked)
	if err != nil {
		return &api.Conflict{Reason: err.Error()}
	}
	told, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("what %s has found: %w", tool, err)
	}
	return json.Unmarshal(told, into)
}

// hasTicket reports whether a request has a ticket of the desk.
func (s *Server) hasTicket(r *http.Request) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	scheme, ticket, _ := strings.Cut(values[0], " ")
	return strings.EqualFold(scheme, "Bearer") && s.desk.Knows(ticket)
}

// passOn hands a call to the desk.
func (s *Server) passOn(c Call) (any, error) {
	r := c.Request.Clone(c.Request.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(c.Body)), int64(len(c.Body))
	answer := &held{header: make(http.Header), status: http.StatusOK}
	s.desk.ServeHTTP(answer, r)
	if answer.status >= http.StatusBadRequest && !strings.HasPrefix(answer.header.Get("Content-Type"), "application/json") {
		return nil, explainRefusal(answer.status, strings.TrimSpace(answer.String()))
	}
	return answer, nil
}

// explainRefusal is what the protocol's own server refuses before it is asked anything, in words as all of ours have them.
func explainRefusal(status int, text string) error {
	code := "bad_request"
	if status == http.StatusUnsupportedMediaType {
		code = "content_type"
	}
	return api.Refusal(status, code, "The request is none of the Model Context Protocol: "+cmp.Or(text, http.StatusText(status))+".")
}

// held is an answer that is sent when it is whole: the time that a call has ends before that
// for writing does.
type held struct {
	header http.Header
	status int
	bytes.Buffer
}

func (h *held) Header() http.Header    { return h.header }
func (h *held) WriteHeader(status int) { h.status = status }

// Respond implements [Responder].
func (h *held) Respond(w http.ResponseWriter, _ *http.Request) {
	for name, values := range h.header {
		w.Header()[name] = values
	}
	w.WriteHeader(h.status)
	_, _ = w.Write(h.Bytes()) // a client that has gone needs no answer
}

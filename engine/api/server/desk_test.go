package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// oneTicket is a desk that knows one ticket, and answers with what it was sent.
type oneTicket struct{}

func (oneTicket) Knows(ticket string) bool { return ticket == "ticket-1" }

func (oneTicket) Read(_ context.Context, tool string, arguments json.RawMessage) (any, error) {
	if tool == "none" {
		return nil, errors.New("there is no such tool")
	}
	return map[string]any{"tool": tool, "asked": arguments}, nil
}

// A page reads the notes by the desk, and is told why it cannot.
func TestReadNotes(t *testing.T) {
	s := New(apitest.NewBackend(t), apitest.Token, slog.New(slog.DiscardHandler))
	var got struct {
		Tool  string
		Asked struct{ Note string }
	}
	if err := s.ReadNotes(t.Context(), "backlinks", nil, &got); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("without a desk: %v", err)
	}
	s.UseDesk(oneTicket{})
	err := s.ReadNotes(t.Context(), "backlinks", map[string]string{"note": "A.md"}, &got)
	if err != nil || got.Tool != "backlinks" || got.Asked.Note != "A.md" {
		t.Errorf("%+v, %v", got, err)
	}
	var refused *api.Conflict
	if err := s.ReadNotes(t.Context(), "none", nil, &got); !errors.As(err, &refused) || refused.Reason != "there is no such tool" {
		t.Errorf("%v", err)
	}
}

func (oneTicket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // it is in memory
	if r.Header.Get("Accept") == "text/plain" {
		http.Error(w, "Accept must contain both", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_, _ = w.Write(body) // the test sees what came
}

// What the protocol's server refuses by itself has the body that all refusals have.
func TestRefusedByTheDesk(t *testing.T) {
	r := start(t, func(s *Server) { s.UseDesk(oneTicket{}) })
	headers := apitest.Joined(apitest.Joined(apitest.AsJSON, apitest.Bearer), map[string]string{"Accept": "text/plain"})
	a := r.Raw(t, apitest.Request("POST", "/mcp", headers, "{}"))
	if a.Status != 400 || a.Body["code"] != "bad_request" || a.Body["error"] != "The request is none of the Model Context Protocol: Accept must contain both." {
		t.Errorf("%d %v", a.Status, a.Body)
	}
}

// The desk stands behind the whole guard, a ticket opens it, and nothing else.
func TestDeskBehindTheGuard(t *testing.T) {
	r := start(t, func(s *Server) { s.UseDesk(oneTicket{}) })
	ticket := map[string]string{"Authorization": "Bearer ticket-1"}
	for _, c := range []struct {
		name, method, path string
		headers            map[string]string
		status             int
	}{
		{"token", "POST", "/mcp", apitest.Bearer, 202},
		{"ticket", "POST", "/mcp", ticket, 202},
		{"ticket and a query", "POST", "/mcp?private=1", ticket, 202},
		{"nothing", "POST", "/mcp", nil, 401},
		{"another ticket", "POST", "/mcp", map[string]string{"Authorization": "Bearer ticket-2"}, 401},
		{"a web page", "POST", "/mcp", apitest.Joined(ticket, map[string]string{"Origin": "http://evil.example"}), 403},
		{"another host", "POST", "/mcp", apitest.Joined(ticket, map[string]string{"Host": "evil.example"}), 403},
		{"GET", "GET", "/mcp", ticket, 405},
		{"DELETE", "DELETE", "/mcp", ticket, 405},
		{"another path", "POST", "/mcp/", ticket, 404},
		{"compressed", "POST", "/mcp", apitest.Joined(ticket, map[string]string{"Content-Encoding": "gzip"}), 415},
		{"the ticket elsewhere", "GET", "/vault-mind/search?q=x", ticket, 401},
		{"the ticket at a question", "POST", "/vault-mind/ask", ticket, 401},
		{"the ticket at the end", "POST", "/vault-mind/shutdown", ticket, 401},
	} {
		body := ""
		if c.method == "POST" {
			body = `{"got":"it"}`
		}
		a := r.Raw(t, apitest.Request(c.method, c.path, apitest.Joined(apitest.AsJSON, c.headers), body))
		if a.Status != c.status || a.Status == 202 && a.Body["got"] != "it" {
			t.Errorf("%s: %d %v, want %d", c.name, a.Status, a.Body, c.status)
		}
	}
}

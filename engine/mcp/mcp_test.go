package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vaultdispatcher/engine/mcp"
)

// echo answers with what it was asked.
type echo struct{}

func (echo) Call(_ context.Context, who mcp.Scope, tool string, arguments json.RawMessage) (any, error) {
	switch {
	case strings.Contains(string(arguments), "refuse"):
		return nil, mcp.Refusal("Not this.")
	case strings.Contains(string(arguments), "fail"):
		return nil, errors.New("broken")
	}
	return map[string]any{"tool": tool, "arguments": arguments, "who": who, "text": "<&>"}, nil
}

func connect(t *testing.T, o mcp.Options) *sdk.ClientSession {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	served, err := mcp.New(o).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close(); served.Wait() })
	return session
}

func names(t *testing.T, s *sdk.ClientSession) (list []string) {
	t.Helper()
	found, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range found.Tools {
		list = append(list, tool.Name)
		if tool.Annotations == nil || tool.Annotations.ReadOnlyHint != (tool.Name != "ask") {
			t.Errorf("%s: annotations %+v", tool.Name, tool.Annotations)
		}
	}
	slices.Sort(list)
	return list
}

func TestServer(t *testing.T) {
	readers := []string{"backlinks", "list_notes", "questions", "read_note", "recent", "related", "search"}
	s := connect(t, mcp.Options{Library: echo{}, Version: "1"})
	if got := names(t, s); !slices.Equal(got, readers) {
		t.Errorf("tools %q", got)
	}
	for arguments, want := range map[string]string{"x": `"text":"<&>"`, "refuse": "Not this."} {
		r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": arguments}})
		if err != nil {
			t.Fatal(err)
		}
		if text := r.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, want) || r.IsError != (arguments == "refuse") {
			t.Errorf("%s: %s, %t", arguments, text, r.IsError)
		}
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": "fail"}}); err == nil {
		t.Error("a failure is no answer")
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "ask", Arguments: map[string]any{"question": "x"}}); err == nil {
		t.Error("there is a tool that asks")
	}
	asked := connect(t, mcp.Options{Library: echo{}, Ask: func(_ context.Context, _ mcp.Scope, role, question string) (any, error) { return role + question, nil }})
	if got := names(t, asked); !slices.Equal(got, append([]string{"ask"}, readers...)) {
		t.Errorf("tools %q", got)
	}
	r, err := asked.CallTool(t.Context(), &sdk.CallToolParams{Name: "ask", Arguments: map[string]any{"question": "why?", "role": "Miner"}})
	if err != nil || r.Content[0].(*sdk.TextContent).Text != `"Minerwhy?"` {
		t.Errorf("%+v, %v", r, err)
	}
}

// bearer sends a ticket.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// A ticket opens the desk in its scope, whatever its holder asks for, until it is given back.
func TestDesk(t *testing.T) {
	desk := mcp.NewDesk(echo{}, "1")
	site := httptest.NewServer(desk)
	defer site.Close()
	ticket, leave := desk.Admit(mcp.Scope{Vault: "/v"})
	if !desk.Knows(ticket) || desk.Knows(ticket+"x") || desk.Knows("") {
		t.Fatal("the desk does not know its ticket, or another one")
	}
	call := func(as, query string) (string, error) {
		s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{
			Endpoint: site.URL + "/mcp" + query, HTTPClient: &http.Client{Transport: bearer(as)}, DisableStandaloneSSE: true, MaxRetries: -1}, nil)
		if err != nil {
			return "", err
		}
		defer s.Close()
		r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": "x"}})
		if err != nil {
			return "", err
		}
		return r.Content[0].(*sdk.TextContent).Text, nil
	}
	for _, c := range []struct{ as, query, want string }{
		{ticket, "", `"who":{"Vault":"/v","Private":false}`}, {ticket, "?private=1", `"who":{"Vault":"/v","Private":false}`},
		{"token", "", `"who":{"Vault":"","Private":false}`}, {"token", "?private=1", `"who":{"Vault":"","Private":true}`},
	} {
		if got, err := call(c.as, c.query); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s%s: %s, %v", c.as, c.query, got, err)
		}
	}
	leave()
	if got, err := call(ticket, ""); err == nil || desk.Knows(ticket) {
		t.Errorf("a ticket that was given back: %s", got)
	}
}

// waiting answers when its call ends.
type waiting struct{ begun chan struct{} }

func (w waiting) Call(ctx context.Context, _ mcp.Scope, _ string, _ json.RawMessage) (any, error) {
	close(w.begun)
	<-ctx.Done()
	return nil, ctx.Err()
}

// A call that the end of the engine cuts off is answered.
func TestCutOffCallIsAnswered(t *testing.T) {
	w := waiting{make(chan struct{})}
	ctx, cut := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "POST", "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"recent","arguments":{}}}`))
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	go func() { <-w.begun; cut() }()
	mcp.NewDesk(w, "1").ServeHTTP(answer, r)
	if body := answer.Body.String(); !strings.Contains(body, `"id":7`) || !strings.Contains(body, `"error"`) && !strings.Contains(body, `"isError":true`) {
		t.Errorf("%d %q", answer.Code, body)
	}
}

// Tickets are taken and given back by many at once; each shows its own vault, and a stranger's nothing.
func TestTicketsTogether(t *testing.T) {
	desk := mcp.NewDesk(echo{}, "1")
	ask := func(bearer, query string) string {
		r := httptest.NewRequest("POST", "/mcp"+query, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recent","arguments":{}}}`))
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", bearer)
		answer := httptest.NewRecorder()
		desk.ServeHTTP(answer, r)
		return answer.Body.String()
	}
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			own := "/vault" + strconv.Itoa(i)
			ticket, leave := desk.Admit(mcp.Scope{Vault: own})
			for _, misuse := range []string{"Bearer " + ticket, "bearer " + ticket, "Bearer " + ticket + " ", "Bearer  " + ticket} {
				for _, query := range []string{"", "?private=1", "?private=1&vault=/other"} {
					if got := ask(misuse, query); strings.Contains(got, `who`) && (!strings.Contains(got, own+`\"`) || strings.Contains(got, `Private\":true`)) {
						t.Errorf("%q%s: %s", misuse, query, got)
					}
				}
			}
			if got := ask("Bearer "+ticket, ""); !strings.Contains(got, own+`\"`) {
				t.Errorf("its own ticket: %s", got)
			}
			leave()
			leave()
			if got := ask("Bearer "+ticket, "?private=1"); strings.Contains(got, "who") || desk.Knows(ticket) {
				t.Errorf("given back: %s", got)
			}
		})
	}
	all.Wait()
}

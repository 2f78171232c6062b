package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"vaultdispatcher/engine/mcp"
)

// What clients send for what they mean, and what the library is given; a refusal names the argument.
var sloppy = []struct{ tool, sent, want string }{
	{"search", `{"query":"x","limit":5}`, `{"limit":5,"query":"x"}`},
	{"search", `{"query":"x","limit":"5"}`, `{"limit":5,"query":"x"}`},
	{"search", `{"query":"x","limit":" 5 "}`, `{"limit":5,"query":"x"}`},
	{"search", `{"query":"x","limit":5.0}`, `{"limit":5,"query":"x"}`},
	{"search", `{"query":"x","limit":"5.0"}`, `{"limit":5,"query":"x"}`},
	{"search", `{"query":"x","limit":5e0}`, `{"limit":5,"query":"x"}`},
	{"search", `{"query":"x","limit":null}`, `{"query":"x"}`},
	{"search", `{"query":"x","limit":""}`, `{"limit":0,"query":"x"}`},
	{"search", `{"query":"x","limit":0}`, `{"limit":0,"query":"x"}`},
	{"search", `{"query":"x","other":{"a":1},"note":"y"}`, `{"query":"x"}`},
	{"search", `{"Query":"x"}`, `{"query":"x"}`},
	{"search", `{"query":2026}`, `{"query":"2026"}`},
	{"recent", ``, `{}`},
	{"recent", `null`, `{}`},
	{"read_note", `{"note":"x","from":"3","to":4.0}`, `{"from":3,"note":"x","to":4}`},
	{"search", `{"query":"x","limit":"five"}`, "!The argument limit is to be a whole number from 1 to 50."},
	{"search", `{"query":"x","limit":5.5}`, "!The argument limit is to be a whole number from 1 to 50."},
	{"search", `{"query":"x","limit":true}`, "!The argument limit is to be a whole number from 1 to 50."},
	{"search", `{"query":"x","limit":[5]}`, "!The argument limit is to be a whole number from 1 to 50."},
	{"search", `{"query":"x","limit":51}`, "!The argument limit is to be a whole number from 1 to 50."},
	{"search", `{"query":"x","limit":1e300}`, "!The argument limit is to be a whole number from 1 to 50."},
	{"search", `{"query":"x","limit":"NaN"}`, "!The argument limit is to be a whole number from 1 to 50."},
	{"read_note", `{"note":"x","from":-1}`, "!The argument from is to be a whole number, 1 or more."},
	{"search", `{"query":["x"]}`, "!The argument query is to be a text."},
	{"search", `{"query":{"text":"x"}}`, "!The argument query is to be a text."},
	{"search", `{"query":"` + strings.Repeat("ä", 1001) + `"}`, "!The argument query is to be a text of 1000 letters at most."},
	{"search", `["x"]`, `!The arguments are to be an object, such as {"note": "Backups"}.`},
	{"search", `"x"`, `!The arguments are to be an object, such as {"note": "Backups"}.`},
	{"ask", `{"question":"why?","role":"Miner","limit":5}`, `"Miner why?"`},
	{"ask", `{"question":5}`, `" 5"`},
	{"ask", `{"question":["why?"]}`, "!The argument question is to be a text."},
	{"ask", `{"role":"Miner"}`, "!ask needs a question."},
}

// line is a call of a tool in one line.
func line(id int, tool, arguments string) string {
	if arguments != "" {
		arguments = `,"arguments":` + arguments
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q%s}}`, id, tool, arguments)
}

// answer is what became of a call: the arguments that the library was given, or a refusal behind an exclamation mark.
func answer(t *testing.T, text string) string {
	t.Helper()
	var a struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil || len(a.Result.Content) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	said := a.Result.Content[0].Text
	if a.Result.IsError {
		return "!" + said
	}
	var told struct{ Arguments json.RawMessage }
	if json.Unmarshal([]byte(said), &told) == nil && told.Arguments != nil {
		return string(told.Arguments)
	}
	return said
}

func asks(_ context.Context, _ mcp.Scope, role, question string) (any, error) {
	return role + " " + question, nil
}

// conversation is a server over two pipes, begun as the protocol wants it.
type conversation struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func converse(t *testing.T) *conversation {
	t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.ServeLines(t.Context(), mcp.Options{Library: echo{}, Ask: asks}, in, out)
		out.Close()
	}()
	c := &conversation{t, write, bufio.NewReader(read)}
	t.Cleanup(func() {
		write.Close()
		_, _ = io.Copy(io.Discard, read) // what it still says
		if err := <-ended; err != nil {
			t.Errorf("the end: %v", err)
		}
	})
	c.say(`{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	c.hear()
	c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *conversation) say(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, text+"\n"); err != nil {
		c.t.Fatalf("%.200s: %v", text, err)
	}
}

func (c *conversation) hear() string {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return text
}

func TestSloppyArguments(t *testing.T) {
	c := converse(t)
	desk := mcp.NewDesk(echo{}, "1")
	for i, s := range sloppy {
		c.say(line(i, s.tool, s.sent))
		if got := answer(t, c.hear()); got != s.want {
			t.Errorf("%s %.80s: %s, want %s", s.tool, s.sent, got, s.want)
		}
		if s.tool == "ask" {
			continue
		}
		if _, text := postTo(desk, line(i, s.tool, s.sent)); answer(t, text) != s.want {
			t.Errorf("over HTTP: %s %.80s: %s", s.tool, s.sent, text)
		}
		_, err := desk.Read(t.Context(), s.tool, json.RawMessage(s.sent))
		if refused := strings.HasPrefix(s.want, "!"); refused != (err != nil) || refused && "!"+err.Error() != s.want {
			t.Errorf("for a page: %s %.80s: %v", s.tool, s.sent, err)
		}
	}
}

func postTo(desk *mcp.Desk, body string) (status int, text string) {
	r := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	a := httptest.NewRecorder()
	desk.ServeHTTP(a, r)
	return a.Code, a.Body.String()
}

// What is no message is answered as JSON-RPC has it, and the server goes on.
func TestWhatIsNoMessage(t *testing.T) {
	c := converse(t)
	desk := mcp.NewDesk(echo{}, "1")
	for _, s := range []struct{ sent, want string }{
		{"hello", `"id":null,"error":{"code":-32700`},
		{"{", `"id":null,"error":{"code":-32700`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"`, `"id":null,"error":{"code":-32700`},
		{`{} {}`, `"id":null,"error":{"code":-32700`},
		{"\x00", `"id":null,"error":{"code":-32700`},
		{"Content-Length: 52\r", `"id":null,"error":{"code":-32700`},
		{`"` + strings.Repeat("a", 2<<20) + `"`, `"id":null,"error":{"code":-32700`},
		{"{}", `"id":null,"error":{"code":-32600`},
		{"5", `"id":null,"error":{"code":-32600`},
		{"null", `"id":null,"error":{"code":-32600`},
		{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, `"id":7,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":"a","method":5}`, `"id":"a","error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, `"id":null,"error":{"code":-32600`},
	} {
		c.say(s.sent)
		if got := c.hear(); !strings.Contains(got, s.want) || !json.Valid([]byte(got)) {
			t.Errorf("%.60s: %s", s.sent, got)
		}
		if status, text := postTo(desk, s.sent); len(s.sent) < 1<<20 && (status != 400 || !strings.Contains(text, s.want)) {
			t.Errorf("over HTTP: %.60s: %d %s", s.sent, status, text)
		}
		c.say("")
		c.say("\ufeff  " + line(3, "recent", `{}`) + " \r")
		if got := answer(t, c.hear()); got != "{}" {
			t.Fatalf("after %.60s: %s", s.sent, got)
		}
	}
	c.say("[]")
	if got := c.hear(); !strings.Contains(got, "-32600") {
		t.Errorf("an empty list: %s", got)
	}
	c.say("[" + line(4, "recent", `{}`) + ",5]")
	if got := c.hear() + c.hear(); !strings.Contains(got, `"id":4`) || !strings.Contains(got, "-32600") {
		t.Errorf("a list: %s", got)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// speaker is a model server that says what it is told to, a piece at a time.
func speaker(t *testing.T) (url string, pieces chan string, left chan struct{}) {
	pieces, left = make(chan string), make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			http.NotFound(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			var piece string
			select {
			case piece = <-pieces:
			case <-r.Context().Done():
				left <- struct{}{}
				return
			}
			if piece == "" {
				fmt.Fprint(w, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`, "\n\ndata: [DONE]\n\n")
				return
			}
			data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": piece}}}})
			fmt.Fprintf(w, "data: %s\n\n", data)
			_ = http.NewResponseController(w).Flush()
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, pieces, left
}

// TestAskStreams: on a terminal an answer is shown while it is made, what would steer the terminal is
// not obeyed, and who leaves ends the agent.
func TestAskStreams(t *testing.T) {
	home := newHome(t, "Notes")
	url, pieces, left := speaker(t)
	log := filepath.Join(home, "log")
	config := fmt.Sprintf("wiki:\n  vaults: [%q]\n  agents:\n    Writer: {runner: openai, url: %q, model: tiny}\n"+
		"    Waiter: {runner: acp, command: [fake-acp], env: {LOG: %q, ASKS: 'yes'}}\n", filepath.Join(home, "Notes"), url, log)
	file := filepath.Join(home, "wiki.yaml")
	for path, text := range map[string]string{file: config, filepath.Join(home, "Notes", "Plan.md"): "# Plan\n\nThe plan is to meet on Friday.\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	on := func(args ...string) *screen {
		return onScreenOf(t, home, unix.Winsize{Row: 50, Col: 120}, fmt.Sprintf("WIKI_HTTPPORT=%d", port), args...)
	}
	engine := on("run", "--config", file)
	engine.sees("listening on")

	s := on("ask", "--config", file, "--role", "Writer", "when do we meet, as the plan says?")
	for _, step := range []struct{ piece, shown string }{
		{"On ", "On"}, {"Fri", " Fri"}, {"day,\x1b[2J ", `day,\x1b[2J`}, {"as [[Pl", " as [[Pl"}, {"an]] says.\n", "an]] says."},
	} {
		pieces <- step.piece
		s.sees(step.shown)
	}
	pieces <- ""
	s.ends(0)
	if n := strings.Count(s.shown(), "Fri"); n != 1 {
		t.Errorf("the answer is shown %d times:\n%s", n, s.shown())
	}

	s = on("ask", "--config", file, "--role", "Writer", "which points are open?")
	pieces <- "These are "
	s.sees("These are")
	s.types("\x03")
	awaitEnd(t, "the request of the model", left)
	s.sees("interrupted; the question is taken back")
	s.sees("hint: wiki retry")
	s.ends(1)

	s = on("ask", "--config", file, "--role", "Waiter", "wait for me")
	awaitLog(t, log, "waiting")
	s.types("\x03")
	s.sees("taken back")
	awaitLog(t, log, "cancelled")
	s.ends(1)

	s = on("ask", "--config", file, "--role", "Waiter", "go on")
	s.sees("Writing was refused.")
	s.ends(0)
	engine.types("\x03")
	engine.ends(0)
}

func awaitEnd(t *testing.T, what string, ended <-chan struct{}) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(scriptPatience):
		t.Fatalf("%s does not end", what)
	}
}

// awaitLog waits for a line of what the agents have written down.
func awaitLog(t *testing.T, file, line string) {
	t.Helper()
	for end := time.Now().Add(scriptPatience); ; time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		if strings.Contains(string(text), line+"\n") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is not in %q", line, text)
		}
	}
}

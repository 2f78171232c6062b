package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"vaultdispatcher/cmd/wiki/testdata/fakeagent/agent"
)

// fakeModel serves chat completions at the address in $EMBEDDER, as its first
// argument says. Each request is logged to $LOG.model, one a line: the form it
// asked for, its key, and the messages.
func fakeModel() {
	mode := os.Args[1]
	http.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Messages []struct{ Role, Content string }
			Format   struct{ Type string } `json:"response_format"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		f, err := os.OpenFile(os.Getenv("LOG")+".model", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			fmt.Fprintf(f, "form=%q key=%q messages=%q\n", q.Format.Type, r.Header.Get("Authorization"), q.Messages)
			f.Close()
		}
		last := q.Messages[len(q.Messages)-1].Content
		answer := "The answer of the model."
		if n := strings.Count(last, "\nRequest "); n > 1 {
			answer = agent.Responses(n, 0)
		}
		w.Header().Set("Content-Type", "application/json")
		switch {
		case mode == "locked" && r.Header.Get("Authorization") != "Bearer "+os.Getenv("MODEL_KEY"):
			refuseKey(w, r)
		case mode == "old" && q.Format.Type == "json_schema":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"response_format must be text or json_object"}}`)
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{
				"model":   "tiny",
				"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": answer}}},
				"usage":   map[string]any{"prompt_tokens": 120, "completion_tokens": 7, "total_tokens": 127},
			})
		}
	})
	http.HandleFunc("POST /v1/embeddings", refuseKey)
	serveScript()
}

// refuseKey refuses a key and repeats it, as gateways do.
func refuseKey(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnauthorized)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
		"message": fmt.Sprintf("Incorrect API key provided: %q, that is %s...%s.", key, key[:18], key[len(key)-9:]), "code": "invalid_api_key"}})
}

// fakeACP speaks the Agent Client Protocol: it asks to write into the vault and
// tells what became of that, and hangs when it is asked to wait.
func fakeACP() {
	in := json.NewDecoder(os.Stdin)
	say := func(v map[string]any) {
		v["jsonrpc"] = "2.0"
		data, _ := json.Marshal(v)
		fmt.Println(string(data))
	}
	chunk := func(text string) {
		say(map[string]any{"method": "session/update", "params": map[string]any{"sessionId": "s", "update": map[string]any{
			"sessionUpdate": "agent_message_chunk", "content": map[string]any{"type": "text", "text": text}}}})
	}
	fmt.Println("fake agent, a new version is out")
	var asked any
	var seal string
	for {
		var m struct {
			ID     any
			Method string
			Params json.RawMessage
			Error  json.RawMessage
		}
		if in.Decode(&m) != nil {
			return
		}
		switch m.Method {
		case "initialize":
			say(map[string]any{"id": m.ID, "result": map[string]any{"protocolVersion": 1}})
		case "session/new":
			agent.Logged("new\n")
			modes := []any{map[string]any{"id": "auto", "name": "Auto"}}
			if os.Getenv("ASKS") != "" {
				modes = append(modes, map[string]any{"id": "default", "name": "Manual"})
			}
			say(map[string]any{"id": m.ID, "result": map[string]any{"sessionId": "s",
				"modes": map[string]any{"currentModeId": "auto", "availableModes": modes}}})
		case "session/set_mode":
			agent.Logged("mode\n")
			say(map[string]any{"id": m.ID, "result": map[string]any{}})
		case "session/prompt":
			asked = m.ID
			_, seal, _ = strings.Cut(string(m.Params), "only BEGIN")
			seal, _, _ = strings.Cut(seal, " ")
			if strings.Contains(string(m.Params), "wait for me") {
				agent.Logged("waiting\n")
				continue
			}
			say(map[string]any{"id": "w", "method": "fs/write_text_file", "params": map[string]any{
				"sessionId": "s", "path": os.Getenv("TARGET"), "content": "mine"}})
		case "session/cancel":
			agent.Logged("cancelled\n")
			say(map[string]any{"id": asked, "result": map[string]any{"stopReason": "cancelled"}})
		case "":
			chunk("BEGIN" + seal + "\nWriting was ")
			chunk(map[bool]string{true: "allowed.", false: "refused."}[m.Error == nil] + "\nEND" + seal)
			say(map[string]any{"id": asked, "result": map[string]any{"stopReason": "end_turn"}})
		}
	}
}

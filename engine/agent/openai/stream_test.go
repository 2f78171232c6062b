package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
)

// piece is an event with a piece of an answer.
func piece(text string) string {
	data, _ := json.Marshal(map[string]any{"object": "chat.completion.chunk", "model": "tiny:7b",
		"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": nil}}})
	return "data: " + string(data) + "\n\n"
}

const (
	finish = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	counts = `data: {"choices":[],"usage":{"prompt_tokens":21,"completion_tokens":4,"cost":0.0125}}` + "\n\n"
	done   = "data: [DONE]\n\n"
)

// streams is the answer of a server that streams what is in the channel, until that is closed.
func streams(events <-chan string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for {
			select {
			case event, ok := <-events:
				if !ok {
					return
				}
				_, _ = io.WriteString(w, event)
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}
}

// streamed is streams of one text.
func streamsAll(text string) http.HandlerFunc {
	events := make(chan string, 1)
	events <- text
	close(events)
	return streams(events)
}

// heard is a task somebody listens to, and what was heard of its answer.
func heard() (agent.Task, *[]string) {
	task, list := taskOf(1), new([]string)
	task.Listener = func(text string) { *list = append(*list, text) }
	return task, list
}

// Each piece is heard before the next one is sent, and the answer is the same as one that is given at once.
func TestStream(t *testing.T) {
	events := make(chan string)
	m, requests := served(t, streams(events))
	task, said := taskOf(1), make(chan string)
	task.Listener = func(text string) { said <- text }
	go func() {
		defer close(events)
		for _, step := range []struct{ event, heard string }{
			{": OPENROUTER PROCESSING\n\n", ""}, {piece(""), ""}, {"event: x\r\nid: 1\r\n" + piece("On "), "On "}, {strings.Replace(piece("Fri"), "data: ", "data:", 1), "On Fri"},
			{`data: {"choices":[{"index":1,"delta":{"content":"other"}}]}` + "\n\n", ""}, {piece("day.\n"), "On Friday.\n"}, {finish, ""}, {counts, ""}, {done, ""},
		} {
			events <- step.event
			if step.heard == "" {
				continue
			}
			if got := <-said; got != step.heard {
				t.Errorf("heard %q, not %q", got, step.heard)
			}
		}
	}()
	reply, err := m.Run(t.Context(), task)
	if want := (agent.Reply{Text: "On Friday.\n", Usage: agent.Usage{Model: "tiny:7b", Input: 21, Output: 4, Cost: 0.0125}}); err != nil || !reflect.DeepEqual(reply, want) {
		t.Errorf("%+v, %v; want %+v", reply, err, want)
	}
	if a := requests()[0].body; !a.Stream || !a.Options.Usage || a.Format.Type != "" {
		t.Errorf("asked with %+v", a)
	}
}

// A stream is always asked for, because some models can be had in no other way. Nobody hears JSON.
func TestStreamOfGroup(t *testing.T) {
	const answer = `{"responses":[{"request":1,"answer":"a"},{"request":2,"answer":"b"}]}`
	m, requests := served(t, streamsAll(piece(answer[:9])+piece(answer[9:])+finish+done))
	two := taskOf(2)
	two.Listener = func(text string) { t.Errorf("heard %q", text) }
	if reply, err := m.Run(t.Context(), two); err != nil || reply.Text != answer {
		t.Errorf("%+v, %v", reply, err)
	}
	if a := requests()[0].body; !a.Stream || !a.Options.Usage || a.Format.Type != "json_schema" {
		t.Errorf("asked with %+v", a)
	}
}

// A server may give its answer whole all the same, or turn the stream down, and is asked so once.
func TestServersThatDoNotStream(t *testing.T) {
	m, requests := served(t, says("Whole."))
	task, list := heard()
	if reply, err := m.Run(t.Context(), task); err != nil || reply.Text != "Whole." || reply.Usage.Output != 4 || len(*list) > 0 || len(requests()) != 1 {
		t.Errorf("%+v, %v, heard %q", reply, err, *list)
	}
	for words, status := range map[string]int{"stream_options: Extra inputs are not permitted": 400, "stream: extra": 422, "stream: no": 501,
		"SSE not available": 501, "streaming not implemented": 500, "stream=true is not supported": 405} {
		m, requests = served(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Context().Value(streamKey{}) == true {
				refuses(status, `{"error":{"message":"`+words+`"}}`)(w, r)
				return
			}
			says("Whole.")(w, r)
		})
		for range 2 {
			if reply, err := m.Run(t.Context(), task); err != nil || reply.Text != "Whole." {
				t.Errorf("%d: %+v, %v", status, reply, err)
			}
		}
		var asked []bool
		for _, a := range requests() {
			asked = append(asked, a.body.Stream)
		}
		if !slices.Equal(asked, []bool{true, false, false}) {
			t.Errorf("%d: streams were asked for: %v", status, asked)
		}
	}
	for words, most := range map[string]int{"no streams today": 2, "no questions today": 1} {
		m, requests = served(t, refuses(400, `{"error":"`+words+`"}`))
		for i := range 2 {
			if _, err := m.Run(t.Context(), task); err == nil || len(requests()) != (i+1)*most || !requests()[len(requests())-most].body.Stream {
				t.Errorf("%v: a server that refuses everything was asked %d times", err, len(requests()))
			}
		}
	}
}

// What is wrong with a stream, and what has been heard by then.
func TestHostileStreams(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	for name, test := range map[string]struct {
		stream, text, reason string
		kind                 agent.Kind
		heard                []string
	}{
		"no end, but a reason":       {stream: piece("a") + finish, text: "a", heard: []string{"a"}},
		"no reason, but an end":      {stream: piece("a") + done, text: "a", heard: []string{"a"}},
		"more behind its end":        {stream: piece("a") + done + piece("b"), text: "a", heard: []string{"a"}},
		"the last line unfinished":   {stream: piece("a") + strings.TrimSpace(finish), text: "a", heard: []string{"a"}},
		"data in lines":              {stream: "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\n" + done, text: "a", heard: []string{"a"}},
		"broken UTF-8":               {stream: `data: {"choices":[{"delta":{"content":"a` + "\xff\xe2\x82" + `"}}]}` + "\n\n" + done, text: "a\ufffd\ufffd\ufffd", heard: []string{"a\ufffd\ufffd\ufffd"}},
		"sequences":                  {stream: piece("\x1b[2") + piece("Ja\x00") + done, text: "\x1b[2Ja\x00", heard: []string{"\x1b[2", "\x1b[2Ja\x00"}},
		"fields of other kinds":      {stream: `data: {"model":7,"choices":[{"delta":{"content":"a"}}],"usage":"none"}` + "\n\n" + done, text: "a", heard: []string{"a"}},
		"empty pieces":               {stream: "data: {}\n\ndata: null\n\ndata:\n\ndata: {\"choices\":null,\"error\":null}\n\n" + piece("a") + done, text: "a", heard: []string{"a"}},
		"comments as data":           {stream: strings.Repeat("data: : OPENROUTER PROCESSING\n\n", 2) + piece("a") + "data: : OPENROUTER PROCESSING\ndata::\n" + finish + done, text: "a", heard: []string{"a"}}, // https://github.com/mnfst/llm-gateway/issues/2053
		"only comments as data":      {stream: "data: : OPENROUTER PROCESSING\n\n" + done, reason: "gave an empty answer"},
		"a bent piece":               {stream: piece("a") + "data: {\"choices\":[{\"delta\":{\"content\":}}]}\n\n" + finish + done, reason: "broke its answer off", kind: agent.Transient, heard: []string{"a"}},
		"thoughts":                   {stream: piece("<th") + piece("ink>hm") + piece("</think>") + piece("\n\nOn ") + piece("Friday") + done, text: "<think>hm</think>\n\nOn Friday", heard: []string{"<th", "<think>hm", "<think>hm</think>", "<think>hm</think>\n\nOn ", "<think>hm</think>\n\nOn Friday"}},
		"like a thought":             {stream: piece("<t") + piece("able>") + done, text: "<table>", heard: []string{"<t", "<table>"}},
		"cut":                        {stream: piece("a"), reason: "broke its answer off", kind: agent.Transient, heard: []string{"a"}},
		"cut in a piece":             {stream: piece("a") + piece("b")[:40], reason: "broke its answer off", kind: agent.Transient, heard: []string{"a"}},
		"nothing":                    {stream: "", reason: "broke its answer off", kind: agent.Transient},
		"a page":                     {stream: "<html>\n\n</html>\n", reason: "where JSON was asked for"},
		"only an end":                {stream: done, reason: "gave an empty answer"},
		"no words":                   {stream: piece("") + finish + done, reason: "gave an empty answer"},
		"its limit":                  {stream: piece("a") + `data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + "\n\n" + done, reason: "came to its limit of tokens", heard: []string{"a"}},
		"a filter":                   {stream: `data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}` + "\n\n" + done, reason: "content filter"},
		"a refusal":                  {stream: `data: {"choices":[{"delta":{"refusal":"I can"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"refusal":"not"}}]}` + "\n\n" + done, reason: "declined to answer: I cannot"},
		"a tool":                     {stream: `data: {"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}` + "\n\n" + done, reason: "asked for a tool"},
		"an error":                   {stream: piece("a") + `data: {"error":{"message":"out of memory","type":"server_error","code":null}}` + "\n\n", reason: "failed: out of memory", kind: agent.Transient, heard: []string{"a"}},
		"an error with a status":     {stream: piece("a") + `data: {"error":{"message":"overloaded","code":502}}` + "\n\n", reason: "failed with status 502: overloaded", kind: agent.Transient, heard: []string{"a"}},
		"an error of other kind":     {stream: `data: {"error":"model runner has stopped"}` + "\n\n", reason: "reports a failure: model runner has stopped", kind: agent.Transient},
		"an error as vLLM's were":    {stream: `data: {"object":"error","message":"too long","code":400}` + "\n\n", reason: "refused the request with status 400: too long"},
		"a limit":                    {stream: `data: {"error":{"message":"slow down","code":429}}` + "\n\n", reason: "limit", kind: agent.Transient},
		"no credit":                  {stream: `data: {"error":{"message":"pay","code":"insufficient_quota"}}` + "\n\n", reason: "no credit left"},
		"the key in an error":        {stream: `data: {"error":{"message":"bad key sk-secret"}}` + "\n\n", reason: "bad key (the key)", kind: agent.Transient},
		"a line too long":            {stream: "data: " + strings.Repeat("x", maxAnswer+1) + "\n\n", reason: "more than 8 MiB"},
		"an event too long":          {stream: strings.Repeat("data: "+big+"\n", 9), reason: "more than 8 MiB"},
		"an answer too long":         {stream: strings.Repeat(piece(big), 9) + done, reason: "more than 8 MiB"},
		"a long one is heard enough": {stream: piece("a") + piece(strings.Repeat("x", replies.MaxBegun)) + done, text: "a" + strings.Repeat("x", replies.MaxBegun), heard: []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, requests := served(t, streamsAll(test.stream))
			m.Env = map[string]string{defaultKey: "sk-secret"}
			task, list := heard()
			reply, err := m.Run(t.Context(), task)
			switch failure, failed := errors.AsType[*agent.Failure](err); {
			case test.reason == "" && (err != nil || reply.Text != test.text):
				t.Errorf("%.80q, %v", reply.Text, err)
			case test.reason != "" && (!failed || failure.Kind != test.kind || !strings.Contains(err.Error(), test.reason)):
				t.Errorf("%v (%+v); want %q", err, failure, test.reason)
			}
			if test.heard != nil && !slices.Equal(*list, test.heard) || len(requests()) != 1 {
				t.Errorf("heard %.80q, asked %d times", *list, len(requests()))
			}
		})
	}
}

// A stream without end takes no more memory than an answer may, and ends.
func TestEndlessStream(t *testing.T) {
	large := strings.Replace(piece(""), "{", `{"system_fingerprint":"`+strings.Repeat("f", 1<<12)+`",`, 1)
	for name, line := range map[string]string{"beats": ": " + strings.Repeat("b", 1<<16) + "\n\n", "pieces without words": strings.Repeat(large, 16)} {
		m, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, line)
			}
		})
		task, list := heard()
		if _, err := m.Run(t.Context(), task); err == nil || !strings.Contains(err.Error(), "more than 8 MiB") || len(*list) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A run that is cancelled or takes too long ends in the middle of a stream, and nothing is heard after it.
func TestStreamEnds(t *testing.T) {
	for name, end := range map[string]func(*Model, context.CancelFunc){
		"cancelled": func(_ *Model, cancel context.CancelFunc) { cancel() },
		"too long":  func(*Model, context.CancelFunc) {},
	} {
		events, left := make(chan string), make(chan struct{})
		m, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
			defer close(left)
			streams(events)(w, r)
		})
		if name == "too long" {
			m.Timeout = 200 * time.Millisecond
		}
		ctx, cancel := context.WithCancel(t.Context())
		task, list := heard()
		hear := task.Listener
		task.Listener = func(text string) { hear(text); end(&m, cancel) }
		go func() {
			select {
			case events <- piece("a"):
			case <-left: // a machine that is too slow for the time
			}
		}()
		_, err := m.Run(ctx, task)
		before := len(*list)
		<-left
		if name == "cancelled" && err != context.Canceled || name == "too long" && (err == nil || !strings.Contains(err.Error(), "had not answered after 200ms")) || len(*list) != before {
			t.Errorf("%s: %v, heard %q", name, err, fmt.Sprint(*list))
		}
		cancel()
	}
}

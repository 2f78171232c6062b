package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/replies"
)

// TestMain sets what must never be used: whatever the environment says of a
// server or a key belongs to somebody else.
func TestMain(m *testing.M) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"} {
		os.Setenv(name, "ambient-secret")
	}
	os.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/")
	os.Setenv("HTTP_PROXY", "http://127.0.0.1:9/")
	os.Exit(m.Run())
}

// asked is one request as the server saw it.
type asked struct {
	path   string
	header http.Header
	body   struct {
		Model    string
		Messages []struct{ Role, Content string }
		Format   struct {
			Type   string
			Schema struct {
				Strict bool
				Schema json.RawMessage
			} `json:"json_schema"`
		} `json:"response_format"`
		Tools   json.RawMessage
		Stream  bool
		Options struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
}

// formKey is the key of the form that a request asked for, in its context.
type formKey struct{}

// streamKey is the key of whether it asked for a stream.
type streamKey struct{}

// served answers with answer and records what it was asked.
func served(t *testing.T, answer http.HandlerFunc) (Model, func() []asked) {
	var mu sync.Mutex
	var list []asked
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/show" {
			http.NotFound(w, r) // it is no Ollama
			return
		}
		a := asked{path: r.Method + " " + r.URL.Path, header: r.Header}
		data, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(data, &a.body); err != nil {
			t.Errorf("asked with %q: %v", data, err)
		}
		mu.Lock()
		list = append(list, a)
		mu.Unlock()
		ctx := context.WithValue(r.Context(), formKey{}, a.body.Format.Type)
		answer(w, r.WithContext(context.WithValue(ctx, streamKey{}, a.body.Stream)))
	}))
	t.Cleanup(server.Close)
	return Model{Servers: NewServers(), URL: server.URL, Settings: agent.Settings{Model: "tiny"}}, func() []asked {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

// says is the answer of a server that works.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		gives(w, map[string]any{"role": "assistant", "content": text}, "stop")
	}
}

func gives(w http.ResponseWriter, message map[string]any, finish string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "c", "object": "chat.completion", "model": "tiny:7b",
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": message}},
		"usage":   map[string]any{"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 25, "cost": 0.0125},
	})
}

func refuses(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func taskOf(requests int) agent.Task {
	return agent.Task{Role: "Editor", Text: "the task", Requests: make([]agent.Request, requests)}
}

func TestConversation(t *testing.T) {
	m, requests := served(t, says("On Friday."))
	task := taskOf(1)
	task.System = "You answer briefly.\n"
	task.History = []agent.Exchange{{Question: "wh\u200bo?", Answer: "Both."}, {Question: "empty?", Answer: " "}}
	reply, err := m.Run(t.Context(), task)
	if want := (agent.Reply{Text: "On Friday.", Usage: agent.Usage{Model: "tiny:7b", Input: 21, Output: 4, Cost: 0.0125}}); err != nil || !reflect.DeepEqual(reply, want) {
		t.Fatalf("%+v, %v; want %+v", reply, err, want)
	}
	a := requests()[0]
	got := fmt.Sprint(a.path, " ", a.body.Model, " ", a.body.Messages, " format:", a.body.Format.Type, " tools:", string(a.body.Tools), " stream:", a.body.Stream)
	if want := "POST /v1/chat/completions tiny [{system You answer briefly.} {user who?} {assistant Both.} {user the task}] format: tools: stream:true"; got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
	for name, values := range a.header {
		if strings.HasPrefix(name, "X-Stainless") || strings.HasPrefix(name, "Openai-") || strings.Contains(fmt.Sprint(values), "secret") || name == "Authorization" {
			t.Errorf("the server was told %s: %s", name, values)
		}
	}
}

func TestKey(t *testing.T) {
	t.Setenv("MY_KEY", "from-environment\n")
	for _, c := range []struct {
		variable string
		env      map[string]string
		want     string
	}{
		{"", nil, ""},
		{"", map[string]string{"OPENAI_API_KEY": "of-role"}, "Bearer of-role"},
		{"MY_KEY", nil, "Bearer from-environment"},
		{"MY_KEY", map[string]string{"MY_KEY": "of-role"}, "Bearer of-role"},
	} {
		m, requests := served(t, says("yes"))
		m.KeyVariable, m.Env = c.variable, c.env
		if _, err := m.Run(t.Context(), taskOf(1)); err != nil {
			t.Fatal(err)
		}
		if got := requests()[0].header.Get("Authorization"); got != c.want {
			t.Errorf("%+v sent %q", c, got)
		}
	}
	m, requests := served(t, says("yes"))
	m.KeyVariable = "NO_SUCH_KEY"
	_, err := m.Run(t.Context(), taskOf(1))
	if _, ok := errors.AsType[*agent.NotLoggedIn](err); !ok || !strings.Contains(err.Error(), "set the environment variable NO_SUCH_KEY") || len(requests()) > 0 {
		t.Errorf("without the key: %v, %d requests", err, len(requests()))
	}
}

// A key that no server would take for one is not sent, and the variable is named, never the value.
func TestMalformedKeyIsNotSent(t *testing.T) {
	for _, key := range []string{`"sk-very-secret-key"`, "Bearer sk-very-secret-key", "sk-very secret-key", "sk-very\nsecret-key", "\ufeffsk-very-secret-key", "sk-very\u200b-secret-key", "sk-véry-secret-key"} {
		for _, variable := range []string{"", "MY_KEY"} {
			m, requests := served(t, says("yes"))
			m.KeyVariable, m.Env = variable, map[string]string{"OPENAI_API_KEY": key, "MY_KEY": key}
			_, err := m.Run(t.Context(), taskOf(1))
			failure, ok := errors.AsType[*agent.Failure](err)
			if !ok || failure.Kind != agent.Permanent || !strings.Contains(err.Error(), "the variable "+cmp.Or(variable, "OPENAI_API_KEY")+" does not hold a key alone") ||
				strings.Contains(err.Error(), "secret") || len(requests()) > 0 {
				t.Errorf("%q: %v, %d requests", key, err, len(requests()))
			}
		}
	}
}

// A server is asked in the best form it takes, and not twice in one it does not.
func TestForm(t *testing.T) {
	const answer = `{"responses":[{"request":1,"answer":"a"},{"request":2,"answer":"b"}]}`
	for _, c := range []struct {
		takes string
		first []string
		then  []string
	}{
		{"json_schema", []string{"json_schema"}, []string{"json_schema"}},
		{"json_object", []string{"json_schema", "json_object"}, []string{"json_object"}},
		{"", []string{"json_schema", "json_object", ""}, []string{""}},
		{"nothing", []string{"json_schema", "json_object", ""}, []string{"json_schema", "json_object", ""}},
	} {
		m, requests := served(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Context().Value(formKey{}) != c.takes {
				refuses(400, `{"error":{"message":"'response_format.type' is wrong."}}`)(w, r)
				return
			}
			says(answer)(w, r)
		})
		for _, want := range [][]string{c.first, c.then} {
			before := len(requests())
			reply, err := m.Run(t.Context(), taskOf(2))
			if (err == nil) != (c.takes != "nothing") || err == nil && reply.Text != answer {
				t.Errorf("%q: %q, %v", c.takes, reply.Text, err)
			}
			var got []string
			for _, a := range requests()[before:] {
				got = append(got, a.body.Format.Type)
				if s := a.body.Format.Schema; a.body.Format.Type == "json_schema" && (!s.Strict || string(s.Schema) != replies.Schema) {
					t.Errorf("schema %s, strict %t", s.Schema, s.Strict)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("a server that takes %q was asked for %q, want %q", c.takes, got, want)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	half := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"hal`)
	}
	message := func(finish string, fields map[string]any) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { gives(w, fields, finish) }
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		kind   agent.Kind
		want   string
	}{
		{"401", refuses(401, `{"error":{"message":"Incorrect key\u001b[31m given."}}`), agent.Permanent, "SERVER wants another key; name the variable that holds it in apiKeyEnv of the role: Incorrect key given"},
		{"quota", refuses(429, `{"error":{"code":"insufficient_quota","message":"Pay."}}`), agent.Permanent, "SERVER has no credit left for this key: Pay"},
		{"429", refuses(429, `slow down`), agent.Transient, "SERVER is at its rate limit: slow down"},
		{"no model", refuses(404, `{"error":{"message":"model 'tiny' not found, try pulling it first"}}`), agent.Permanent, `SERVER does not have the model "tiny": model 'tiny' not found, try pulling it first`},
		{"no path", refuses(404, `<html>`), agent.Permanent, "SERVER has no chat interface there; check the url of the role"},
		{"400", refuses(400, `[{"error":{"code":400,"message":"context too long"}}]`), agent.Permanent, "SERVER refused the request with status 400: context too long"},
		{"500", refuses(500, `{"error":"out of memory"}`), agent.Transient, "SERVER failed with status 500: out of memory"},
		{"503", refuses(503, `{"detail":"loading"}`), agent.Transient, "SERVER failed with status 503: loading"},
		{"redirect", refuses(307, ``, "Location", "/elsewhere"), agent.Permanent, "SERVER sends callers elsewhere, which is not followed; set the url of the role to where it sends them"},
		{"page", refuses(200, "<html>", "Content-Type", "text/html"), agent.Permanent, `SERVER answers with "text/html" where JSON was asked for; check the url of the role`},
		{"half JSON", half, agent.Transient, "the model tiny of SERVER broke its answer off"},
		{"connection cut", refuses(200, "{", "Content-Type", "application/json", "Content-Length", "100"), agent.Transient, "the model tiny of SERVER broke its answer off"},
		{"nothing", refuses(200, `{"model":"tiny:7b"}`, "Content-Type", "application/json"), agent.Permanent, "the model tiny:7b of SERVER gave an empty answer"},
		{"flood", says(strings.Repeat("x", maxAnswer)), agent.Permanent, "SERVER answered with more than 8 MiB"},
		{"length", message("length", map[string]any{"content": "On Fri"}), agent.Permanent, "the model tiny:7b of SERVER " + endings.Tokens.Says},
		{"filter", message("content_filter", map[string]any{"content": ""}), agent.Permanent, "the model tiny:7b of SERVER had its answer held back by a content filter"},
		{"refusal", message("stop", map[string]any{"refusal": "I won't."}), agent.Permanent, "the model tiny:7b of SERVER declined to answer: I won't"},
		{"tool", message("tool_calls", map[string]any{"content": nil, "tool_calls": []any{map[string]any{"id": "1", "type": "function", "function": map[string]any{"name": "rm", "arguments": "{}"}}}}), agent.Permanent, "the model tiny:7b of SERVER asked for a tool, and it has none"},
		{"empty", says(" \n"), agent.Permanent, "the model tiny:7b of SERVER gave an empty answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, requests := served(t, c.answer)
			_, err := m.Run(t.Context(), taskOf(1))
			failure, ok := errors.AsType[*agent.Failure](err)
			if want := strings.ReplaceAll(c.want, "SERVER", "the model server at "+m.URL); !ok || failure.Kind != c.kind || err.Error() != want {
				t.Errorf("%#v\n got %v\nwant %s", failure, err, want)
			}
			if len(requests()) != 1 {
				t.Errorf("asked %d times", len(requests()))
			}
		})
	}
}

// Thoughts that a server leaves in the text are cut as those of any runner.
func TestThoughtsAreNoAnswer(t *testing.T) {
	for text, want := range map[string]string{
		"hm.\n</think>\n\nOn Friday.":                      "On Friday.",
		"<thinking>hm</thinking>\nOn Friday.":              "On Friday.",
		"Thinking...\nhm\n...done thinking.\n\nOn Friday.": "On Friday.",
		"\n<think>\nhm\n</think>\n\nOn Friday.":            "On Friday.",
		"Say <think>hm</think>.":                           "Say <think>hm</think>.",
		"  - indented":                                     "  - indented",
	} {
		m, _ := served(t, says(text))
		answers, cut, err := agent.Ask(taskOf(1), 1, func(task agent.Task) (agent.Reply, error) { return m.Run(t.Context(), task) })
		if err != nil || answers[0] != want || strings.Contains(cut, "hm") == strings.Contains(want, "hm") && want != "  - indented" {
			t.Errorf("%q: %q, without %q, %v", text, answers, cut, err)
		}
	}
}

// A limit lasts until the server says. The first of these places counts: its headers, those that a router hands on
// (https://github.com/Gitlawb/openclaude/issues/936), its words (https://github.com/Pythagora-io/gpt-pilot/pull/608).
func TestRateLimitIsUntil(t *testing.T) {
	const words = "Rate limit reached for m on tokens per day (TPD): Limit 1500000, Used 1485066, Requested 16144. Please try again in 1m9.696s. Visit https://example.com to learn more."
	routed := func(name, value, message string) string {
		return `{"error":{"message":"` + message + `","code":429,"metadata":{"headers":{"X-RateLimit-Remaining":"0","` + name + `":` + value + `},"provider_name":null}}}`
	}
	reset := time.Now().Add(3 * time.Hour)
	const free = "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day"
	for name, c := range map[string]struct {
		status  int
		body    string
		headers []string
		want    time.Duration
	}{
		"a header":             {429, ``, []string{"Retry-After", "90"}, 90 * time.Second},
		"a time in a header":   {429, `{"error":"slow down"}`, []string{"X-RateLimit-Reset", fmt.Sprint(reset.Unix())}, 3 * time.Hour},
		"a header in the body": {429, routed("X-RateLimit-Reset", fmt.Sprintf("%q", fmt.Sprint(reset.UnixMilli())), free), nil, 3 * time.Hour},
		"it is a number":       {429, routed("x-ratelimit-reset", fmt.Sprint(reset.UnixMilli()), free), nil, 3 * time.Hour},
		"in a stream":          {200, piece("On ") + "data: " + routed("X-RateLimit-Reset", fmt.Sprintf("%q", fmt.Sprint(reset.UnixMilli())), free) + "\n\n" + done, nil, 3 * time.Hour},
		"words":                {429, `{"error":{"message":"` + words + `","type":"tokens","code":"rate_limit_exceeded"}}`, nil, 69696 * time.Millisecond},
		"words under 200":      {200, `{"error":{"message":"` + words + `","code":"rate_limit_exceeded"}}`, nil, 69696 * time.Millisecond},
		"Gemini's delay":       {429, `[{"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"90s"}]}}]`, nil, 90 * time.Second},
		"a header and words":   {429, `{"error":{"message":"` + words + `","code":429}}`, []string{"Retry-After", "90"}, 90 * time.Second},
		"words of a long time": {429, `{"error":{"message":"slow down: try again in 30 days","code":429}}`, nil, 7 * 24 * time.Hour},
		"a daily limit":        {429, `{"error":{"message":"requests per day (RPD): try again in 3 days","code":429}}`, nil, 24 * time.Hour},
	} {
		m, _ := served(t, refuses(c.status, c.body, c.headers...))
		_, err := m.Run(t.Context(), taskOf(1))
		limited, ok := errors.AsType[*agent.RateLimited](err)
		if !ok || time.Until(limited.Expiry).Round(time.Minute/2) != c.want.Round(time.Minute/2) {
			t.Errorf("%s: %v, %+v", name, err, limited)
		}
	}
	m, _ := served(t, refuses(429, routed("X-RateLimit-Reset", `"soon"`, "slow down")))
	_, err := m.Run(t.Context(), taskOf(1))
	if limited, ok := errors.AsType[*agent.RateLimited](err); !ok || !limited.Expiry.IsZero() {
		t.Errorf("a time that nobody can read: %v, %+v", err, limited)
	}
}

func TestNobodyThere(t *testing.T) {
	m, _ := served(t, nil)
	gone := httptest.NewServer(nil)
	m.URL = gone.URL + "/api/v1/"
	gone.Close()
	_, err := m.Run(t.Context(), taskOf(1))
	if failure, ok := errors.AsType[*agent.Failure](err); !ok || failure.Kind != agent.Transient ||
		err.Error() != "the model server at "+gone.URL+" is not running; start it, or check the url of the role" {
		t.Errorf("%v", err)
	}
}

func TestTimeoutAndCancel(t *testing.T) {
	began := make(chan struct{}, 2)
	m, _ := served(t, func(w http.ResponseWriter, r *http.Request) { began <- struct{}{}; <-r.Context().Done() })
	m.Timeout = 50 * time.Millisecond
	if _, err := m.Run(t.Context(), taskOf(1)); err == nil || err.Error() != "the model server at "+m.URL+" had not answered after 50ms" {
		t.Errorf("%v", err)
	}
	select {
	case <-began:
	default: // on a busy machine the time was over before the server had the request
	}
	m.Timeout = 0
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := m.Run(ctx, taskOf(1)); err != context.Canceled {
		t.Errorf("%v", err)
	}
	if _, err := m.Run(ctx, taskOf(1)); err != context.Canceled {
		t.Errorf("ended before it began: %v", err)
	}
}

func TestTooLongTask(t *testing.T) {
	m, requests := served(t, says("yes"))
	task := taskOf(1)
	task.Text = strings.Repeat("é", agent.MaxPrompt)
	if _, err := m.Run(t.Context(), task); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	task.System = "x"
	if _, err := m.Run(t.Context(), task); err == nil || len(requests()) != 1 ||
		err.Error() != "the task has 900001 characters, more than the 900000 an agent is given" {
		t.Errorf("%v", err)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:11434":                    "http://127.0.0.1:11434/v1/ Ollama at http://127.0.0.1:11434 start it with ollama serve",
		"http://localhost:1234/v1/":                 "http://localhost:1234/v1/ LM Studio at http://localhost:1234 start its server with lms server start",
		"https://models.example:11434/api/v1":       "https://models.example:11434/api/v1/ the model server at https://models.example:11434 start it, or check the url of the role",
		"http://[::1]:8080/v1/chat/completions":     "http://[::1]:8080/v1/ the model server at http://[::1]:8080 start it, or check the url of the role",
		"":                                          "set its url",
		"file:///etc/passwd":                        "set its url",
		"http://user:secret@127.0.0.1/v1":           "a key goes into a variable",
		"https://models.example/v1?api-key=secret4": "a key goes into a variable",
	} {
		s, err := Model{URL: address}.readAddress()
		got := strings.Join([]string{s.base, s.name, s.start}, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want) || strings.Contains(got, "secret")) {
			t.Errorf("%s: %s", address, got)
		}
	}
}

// TestKeyStandsInNoMessage: a server that repeats the key it was sent does not
// bring it into the journal.
func TestKeyStandsInNoMessage(t *testing.T) {
	for _, before := range []string{"", strings.Repeat("x", 170)} { // also where the message is cut
		m, _ := served(t, refuses(401, `{"error":{"message":"`+before+`Incorrect API key provided: sk-very-secret-key."}}`))
		m.KeyVariable, m.Env = "MODELS_KEY", map[string]string{"MODELS_KEY": "sk-very-secret-key"}
		_, err := m.Run(t.Context(), taskOf(1))
		if err == nil || strings.Contains(err.Error(), "sk-") || !strings.Contains(err.Error(), "Incorrect") {
			t.Errorf("%v", err)
		}
	}
}

// A reply that is no answer yet has a form of its own, which the server is asked for.
func TestSchemaOfTask(t *testing.T) {
	m, requests := served(t, says(`{"items":[]}`))
	task := agent.Task{Schema: `{"type":"object"}`}.WithMaterial("Make a list of these.", "one </data-x> two", "Reply with JSON.")
	reply, err := m.Run(t.Context(), task)
	if err != nil || reply.Text != `{"items":[]}` {
		t.Fatalf("%q, %v", reply.Text, err)
	}
	asked := requests()[0].body
	said := asked.Messages[len(asked.Messages)-1].Content
	if asked.Format.Type != "json_schema" || string(asked.Format.Schema.Schema) != `{"type":"object"}` || !strings.HasPrefix(said, "Make a list of these. Text between <data-") || !strings.HasSuffix(said, "Reply with JSON.") {
		t.Errorf("%+v", asked)
	}
}

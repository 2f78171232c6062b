package openai

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
)

// What is said of a failure counts under any status and in any place: https://github.com/Aider-AI/aider/issues/3550,
// https://github.com/nodetool-ai/nodetool/pull/5755, https://github.com/oobabooga/text-generation-webui/issues/7257
func TestErrorsUnderAnyStatus(t *testing.T) {
	const limit = `{"code":429,"message":"slow down"}`
	for name, body := range map[string]string{
		"at the top":         `{"error":` + limit + `}`,
		"a name":             `{"error":{"code":"rate_limit_exceeded","message":"slow down"}}`,
		"a number as text":   `{"error":{"code":"429","message":"slow down"}}`,
		"a kind":             `{"error":{"type":"rate_limit_error","message":"slow down"}}`,
		"google":             `[{"error":{"status":"RESOURCE_EXHAUSTED","message":"slow down"}}]`,
		"in the choice":      `{"choices":[{"error":` + limit + `,"message":{"content":"On Fri"},"finish_reason":"error"}]}`,
		"in a stream":        piece("On Fri") + `data: {"error":` + limit + `}` + "\n\n" + done,
		"in a choice there":  piece("On Fri") + `data: {"choices":[{"index":0,"delta":{"content":""},"error":` + limit + `,"finish_reason":"error"}]}` + "\n\n" + done,
		"behind a good end":  piece("On Fri") + finish + `data: {"error":` + limit + `}` + "\n\n",
		"an event of errors": "event: error\ndata: " + `{"error":` + limit + "}\n\n",
		"a line of errors":   "error: " + limit + "\n\n",
	} {
		for _, requests := range []int{1, 2} {
			m, _ := served(t, refuses(200, body))
			_, err := m.Run(t.Context(), taskOf(requests))
			limited, ok := errors.AsType[*agent.RateLimited](err)
			failure, _ := errors.AsType[*agent.Failure](err)
			if !ok || limited == nil || failure.Kind != agent.Transient || !strings.HasSuffix(err.Error(), "slow down") || strings.Contains(body, "On Fri") != (failure.Cut == "On Fri") {
				t.Errorf("%s: %v (%+v)", name, err, failure)
			}
		}
	}
	for body, want := range map[string]string{
		`{"error":{"code":402,"message":"pay"}}`: "has no credit left", `{"error":{"code":503,"message":"busy"}}`: "failed with status 503",
		`{"error":null,"choices":[{"message":{"content":"yes"},"finish_reason":"stop","error":null}]}`: "",
	} {
		m, _ := served(t, refuses(200, body))
		if _, err := m.Run(t.Context(), taskOf(1)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// Thoughts alone are no answer, and stand in the record: https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1602,
// https://github.com/ollama/ollama/issues/15288, https://github.com/vllm-project/vllm/issues/17357
func TestOnlyThoughts(t *testing.T) {
	for body, cut := range map[string]string{
		`{"choices":[{"message":{"content":"","reasoning":"hm"},"finish_reason":"stop"}]}`:                                                              "hm",
		`{"choices":[{"message":{"content":null,"reasoning_content":"hm"},"finish_reason":"stop"}]}`:                                                    "hm",
		`{"choices":[{"message":{"thinking":"hm"},"finish_reason":"stop"}]}`:                                                                            "hm",
		`{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]},"finish_reason":"stop"}]}`:                   "hm",
		`{"choices":[{"message":{"content":"<think>\nhm"},"finish_reason":"stop"}]}`:                                                                    "<think>\nhm",
		`{"choices":[{"message":{"content":"<think>\nhm\n</think>\n"},"finish_reason":"stop"}]}`:                                                        "<think>\nhm\n</think>",
		"data: {\"choices\":[{\"delta\":{\"reasoning\":\"h\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"reasoning\":\"m\"},\"finish_reason\":\"stop\"}]}": "hm",
	} {
		m, _ := served(t, refuses(200, body))
		_, err := m.Run(t.Context(), taskOf(1))
		failure, ok := errors.AsType[*agent.Failure](err)
		if !ok || failure.Kind != agent.Permanent || failure.Cut != cut || !strings.Contains(err.Error(), "only thought") {
			t.Errorf("%s: %v (%+v)", body, err, failure)
		}
	}
	m, _ := served(t, refuses(200, `{"choices":[{"message":{"content":"Weekly.","reasoning":"hm"},"finish_reason":"stop"}]}`))
	answers, cut, err := agent.Ask(taskOf(1), 1, func(task agent.Task) (agent.Reply, error) { return m.Run(t.Context(), task) })
	if err != nil || answers[0] != "Weekly." || cut != "hm" {
		t.Errorf("%q, without %q, %v", answers, cut, err)
	}
}

// A task that is too long is asked once more when its model has said how much it reads, and never a third time:
// https://github.com/ggml-org/llama.cpp/pull/15780, https://github.com/janhq/jan/pull/8646,
// https://github.com/openclaw/openclaw/issues/129352, https://github.com/huggingface/huggingface_hub/issues/2514
func TestTaskIsTooLongForModel(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		window int
	}{
		{400, `{"error":{"code":400,"message":"request exceeds the available context size (1024 tokens), try increasing it","type":"exceed_context_size_error"}}`, 1024},
		{500, `{"error":{"code":500,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":1024}}`, 1024},
		{200, `{"error":{"message":"This model's maximum context length is 1024 tokens. However, your messages resulted in 4294 tokens.","code":"context_length_exceeded"}}`, 1024},
		{400, `{"object":"error","message":"The input (3000 tokens) is longer than the model's context length (1024 tokens).","type":"BadRequestError","param":null,"code":400}`, 1024},
		{200, "data:{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 1024. Given: 14 `inputs` tokens and 4091 `max_new_tokens`\",\"error_type\":\"validation\"}\n\n", 1024},
		{400, `{"error":{"message":"prompt is too long","code":"context_length_exceeded"}}`, 0},
	} {
		for _, said := range []int{0, 512, 4096} {
			m, requests := served(t, refuses(c.status, c.body))
			m.ContextTokens = said
			window, kind := c.window, agent.Transient
			if c.window == 0 || said == 512 {
				window, kind = said, agent.Permanent
			}
			for i := range 2 {
				_, err := m.Run(t.Context(), taskOf(1))
				failure, ok := errors.AsType[*agent.Failure](err)
				if i > 0 {
					kind = agent.Permanent
				}
				if !ok || failure.Kind != kind || kind == agent.Transient != (failure.Tries == 2) || kind == agent.Permanent != strings.Contains(err.Error(), "contextTokens of the role") {
					t.Errorf("%s, said %d, try %d: %v (%+v)", c.body, said, i, err, failure)
				}
			}
			if window > 0 && m.Window(t.Context()) != window || len(requests()) != 2 {
				t.Errorf("%s, said %d: reads %d, asked %d times", c.body, said, m.Window(t.Context()), len(requests()))
			}
		}
	}
}

// What llama.cpp and vLLM say of their models counts as what Ollama says.
func TestWindowOfOthers(t *testing.T) {
	for path, body := range map[string]string{
		"/props":     `{"default_generation_settings":{"n_ctx":2048}}`,
		"/v1/models": `{"data":[{"id":"other","max_model_len":9},{"id":"tiny","max_model_len":2048}]}`,
	} {
		mux := http.NewServeMux()
		mux.HandleFunc("GET "+path, refuses(200, body))
		s := httptest.NewServer(mux)
		m := Model{Servers: NewServers(), URL: s.URL, Settings: agent.Settings{Model: "tiny"}}
		if got := m.Window(t.Context()); got != 2048 {
			t.Errorf("%s: %d", path, got)
		}
		s.Close()
	}
}

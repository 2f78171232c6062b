package openai

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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

// What else public reports saw of servers: what comes of it, and after how many requests. Those that are asked again are asked by the
// dispatcher, here at most three times.
func TestReports(t *testing.T) {
	const apart = "\n\n"
	cut := `{"error":{"type":"invalid_request_error","code":"request_timeout","param":null,"message":"stream disconnected before completion"}}`
	hour := func(in time.Duration) string {
		return time.Now().Add(in).In(time.FixedZone("", 8*60*60)).Format(time.DateTime)
	}
	for _, c := range []struct {
		report   string
		status   int
		body     string
		want     string // the answer, or a piece of the sentence
		requests int
	}{
		{"dirge-code/dirge#818", 429, `{"error":{"code":"1308","message":"已达到 5 小时的使用上限。您的限额将在 ` + hour(3*time.Hour) + ` 重置。"}}`, "is at its limit until", 1},
		{"raycast/extensions#31107", 429, `{"object":"error","message":"Rate limit exceeded","type":"rate_limited","param":null,"code":"1300","raw_status_code":429}`, "is at its rate limit: Rate limit exceeded", 3},
		{"continuedev/continue#10920", 429, `{"error":{"message":"Rate limit reached on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s.","type":"tokens","code":"rate_limit_exceeded"}}`, "is at its limit until", 1},
		{"continuedev/continue#11444", 429, `{"error":"you (a) have reached your session usage limit, upgrade for higher limits: https://ollama.com/upgrade"}`, "is at its rate limit: you", 3},
		{"continuedev/continue#10962", 402, `{"error":{"message":"Prompt tokens limit exceeded: 69120 > 36608. To increase, visit https://openrouter.ai/settings/credits","code":402}}`, "has no credit left for this key: Prompt tokens", 1},
		{"axoviq-ai/synthadoc#215", 403, `{"error":{"message":"The free quota has been exhausted.","type":"AllocationQuota.FreeTierOnly","code":"AllocationQuota.FreeTierOnly"}}`, "refused the request with status 403: The free quota", 1},
		{"sgl-project/sglang#35736", 200, `{"choices":[{"message":{"content":"<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"Bash\">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>"},"finish_reason":"stop"}]}`, "wrote the call of a tool in place of an answer", 1},
		{"sgl-project/sglang#35736, streamed", 200, piece("I look. <｜DSML｜tool_c") + piece("alls>\n</｜DSML｜tool_calls>") + finish + done, "wrote the call of a tool in place of an answer", 1},
		{"odysseus-dev/odysseus#2225", 200, piece("<|channel>thought\nhm<channel|>On Friday.") + finish + done, "On Friday.", 1},
		{"vllm-project/vllm#49955", 200, piece("On Friday.<tu") + piece("rn|>") + finish + done, "On Friday.", 1},
		{"lmstudio-ai/lmstudio-bug-tracker#2339", 200, finish + `data: {"choices":[],"usage":{"prompt_tokens":36000,"completion_tokens":0}}` + apart + done, "gave an empty answer", 1},
		{"microsoft/autogen#6465", 200, piece("On Friday.") + `data: {"choices":[{"index":0,"finish_reason":null,"content_filter_results":{}}],"usage":null}` + apart + finish + done, "On Friday.", 1},
		{"BerriAI/litellm#41777", 400, cut, "failed with status 400: stream disconnected", 3},
		{"BerriAI/litellm#41777, in the stream", 200, piece("On Fri") + "data: " + cut + apart + done, "stream disconnected", 2},
		{"anomalyco/opencode#43379", 200, piece("On Fri") + `data: {"choices":[]}` + apart + `data: {"choices":[],"cost":"0"}` + apart, "broke its answer off", 2},
		{"continuedev/continue#10373", 429, `{"code":"Some resource has been exhausted","error":"Your team has either used all available credits or reached its monthly spending limit."}`, "has no credit left for this key: Your team", 1},
		{"Wei-Shaw/sub2api#4069", 403, `{"code":"***","error":"You have run out of credits or need a Grok subscription."}`, "has no credit left for this key: You have", 1},
		{"tinyhumansai/openhuman#4181", 400, `{"error":{"message":"No models loaded. Please load a model in the developer page","type":"invalid_request_error","param":"model"}}`, "refused the request with status 400: No models loaded", 1},
		{"canonical/inference-snaps#234", 503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`, "failed with status 503: Loading model", 3},
		{"MoonshotAI/kimi-cli#2571", 429, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`, "failed with status 429: The engine", 3},
		{"huggingface/agents-course#386", 402, `{"error":"You have exceeded your monthly included credits for Inference Providers."}`, "has no credit left for this key: You have exceeded", 1},
		{"Mininglamp-OSS/octo-smart-summary#2", 200, `{"choices":[{"message":{"content":"","reasoning":"We need to"},"finish_reason":"length"}]}`, "came to its limit of tokens", 1},
		{"CommandCodeAI/command-code#785", 500, `{"success":false,"error":{"code":"INTERNAL_SERVER_ERROR","status":500,"message":"An unexpected error occurred."}}`, "failed with status 500: An unexpected", 3},
		{"use-agent-os/agent-os#2214", 200, piece("On Fri") + `data: {"error":{"code":"server_error","message":"Provider disconnected unexpectedly"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}` + apart, "Provider disconnected", 2},
		{"diegosouzapw/OmniRoute#8210", 200, `data: {"choices":[],"error":{"code":502,"message":"Worker local total request limit reached (33/32)"}}` + apart + done, "failed with status 502: Worker local", 3},
		{"continuedev/continue#11719", 500, `{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on ` + time.Now().UTC().AddDate(0, 0, 3).Format(time.DateOnly) + ` at 00:00 UTC."}}`, "is at its limit until", 1},
		{"BerriAI/litellm#36729", 429, `{"error":{"message":"Budget has been exceeded! Current cost: 10.51, Max budget: 10.00","type":"budget_exceeded","code":"429"}}`, "has no credit left for this key: Budget", 1},
		{"BerriAI/litellm#14144, a deployment", 429, `{"error":{"message":"No deployments available - crossed budget: Exceeded budget for deployment model_name: xxx, model_id: xxx: 0.36300000000000004 >= 1d","type":"None","param":"None","code":"429"}}`, "has no credit left for this key: No deployments", 1},
		{"BerriAI/litellm#14144", 400, `{"error":{"message":"litellm.BadRequestError: OpenAIException - Budget has been exceeded! Current cost: 14.02, Max budget: 10. Received Model Group=m","type":null,"param":null,"code":"400"}}`, "has no credit left for this key: litellm", 1},
		{"elizaOS/eliza#19260", 200, "\ufeff" + piece("On ") + piece("Friday.") + finish + done, "On Friday.", 1},
		{"envoyproxy/ai-gateway#2463", 200, strings.NewReplacer("data: ", "data:", "\n", "\r\n").Replace(piece("On ") + piece("Friday.") + finish + done), "On Friday.", 1},
		{"alex-wolf-ps/dbchatprov2#2", 429, `{"error":{"code":"429","message":"Requests have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 86400 seconds."}}`, "is at its limit until", 1},
		{"nminaya/grammar-nazi-bot#958", 429, `{"message":"Requests per minute limit exceeded - too many requests sent.","type":"too_many_requests_error","param":"quota","code":"request_quota_exceeded"}`, "is at its rate limit: Requests per minute", 3},
		{"sugarforever/chat-ollama#695", 200, `{"choices":[{"index":0,"message":{"content":""},"finish_reason":"content_filter"}]}`, "held back by a content filter", 1},
		{"ikawrakow/ik_llama.cpp#2051", 200, piece("On Fri") + `data: {"error":{"code":500,"message":"context shift is disabled","type":"server_error"}}` + apart, "context shift is disabled", 2},
		{"ggml-org/llama.cpp#12137", 200, piece("On") + `data: {"choices":[{"finish_reason":"length","index":0,"delta":{}}]}` + apart + done, "came to its limit of tokens", 1},
		{"ollama/ollama#4357", 200, `data: {"choices":[{"index":0,"delta":{"content":"On Friday."},"finish_reason":""}]}` + apart + finish + done, "On Friday.", 1},
		{"truefoundry/models#826", 404, `{"error":{"message":"openrouter error: No endpoints available matching your guardrail restrictions and data policy. Configure: https://openrouter.ai/settings/privacy","type":"APIError"}}`, `does not have the model "tiny": openrouter error: No endpoints`, 1},
		{"vyancharuk/nodejs-api-boilerplate#16", 404, `{"error":{"message":"No endpoints found for nousresearch/hermes-3-llama-3.1-405b:free.","code":404}}`, `does not have the model "tiny": No endpoints`, 1},
		{"BerriAI/litellm#16272", 200, `data: {"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}` + apart + `data: {"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"On "}]}}]}` + apart + piece("Friday.") + finish + done, "On Friday.", 1},
		{"ollama/ollama#3694", 524, "<!DOCTYPE html>\n<html><head><title>524: A timeout occurred</title></head></html>", "failed with status 524", 3},
		{"continuedev/continue#12795", 500, `{"error":{"message":"model requires more system memory (7.5 GiB) than is available (5.2 GiB)","type":"api_error"}}`, "refused the request with status 500: model requires more", 1},
		{"ollama/ollama#14795", 400, `{"error":"registry.ollama.ai/library/Qwen3.5:0.8b does not support tools"}`, "refused the request with status 400: registry.ollama.ai", 1},
		{"netease-youdao/QAnything#555", 404, `{"error":{"message":"model \"ollama\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, `does not have the model "tiny": model "ollama" not found`, 1},
		{"pollinations/pollinations#6260", 429, `{"success":false,"error":{"message":"azure-openai error: The system is currently experiencing high demand. Please retry after 20 seconds.","code":"RATE_LIMITED"},"status":429}`, "is at its limit until", 1},
		{"Wei-Shaw/sub2api#890", 403, `{"code":"INSUFFICIENT_BALANCE","message":"Insufficient account balance"}`, "has no credit left for this key: Insufficient", 1},
		{"modelscope/modelscope#1691", 429, `{"error":{"http_code":"429","message":"insufficient balance (1008)","type":"insufficient_balance_error"}}`, "has no credit left for this key: insufficient", 1},
		{"microsoft/semantic-kernel#10337", 401, `{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}`, "wants another key;", 1},
		{"vllm-project/vllm#45736", 200, `{"choices":[{"message":{"content":null,"reasoning":null,"tool_calls":[]},"finish_reason":"stop"}]}`, "gave an empty answer", 1},
		{"tonyd2wild/DeepSeek-v4-Flash-Vision-Exp-DSpark-1M-NVFP4-KV-2x-DGX-Spark#6", 200, `{"choices":[{"message":{"content":"","reasoning_content":"<STORE_AND_RETURN> 570 </STORE_AND_RETURN>"},"finish_reason":"stop"}]}`, "only thought", 1},
		{"groq/groq-typescript#103", 400, `{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<tool-use>{}</tool-use>"}}`, "refused the request with status 400: Failed to call", 1},
		{"BerriAI/litellm#33404", 200, `data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}` + apart + finish + done, "gave an empty answer", 1},
		{"Lapis0x0/obsidian-yolo#321", 403, "", "refused the request with status 403", 1},
		{"infiniflow/ragflow#1048", 403, `{"error":{"message":"Your account is not active, current state: suspended","type":"exceeded_current_quota_error"}}`, "has no credit left for this key: Your account", 1},
		{"popjane/free_chatgpt_api#78", 403, `{"error":{"message":"user quota is not enough (request id: 2025)","type":"v_api_error","param":"","code":"insufficient_user_quota"}}`, "has no credit left for this key: user quota", 1},
		{"GordeyZuev/LEAP#6", 429, `{"error":"Too Many Requests","message":"You have exceeded your usage limits."}`, "is at its rate limit: Too Many Requests: You have exceeded your usage limits", 3},
		{"huggingface/tau#442", 200, "event: error\ndata: " + `{"type":"error","error":{"type":"service_unavailable_error","code":"server_is_overloaded","message":"Our servers are currently overloaded."}}` + apart, "Our servers are currently overloaded", 3},
		{"ollama/ollama#8258", 200, piece("Hello! How") + `data: {"error":{"message":"an error was encountered while running the model: unexpected EOF","type":"api_error"}}` + apart, "an error was encountered while running the model", 2},
		{"Cerebras/cerebras-cloud-sdk-python#10", 200, piece("Let me think.\n") + piece("</think>") + piece("\n\nOn Friday.") + finish + done, "On Friday.", 1},
		{"raullenchai/Rapid-MLX#575", 200, `{"choices":[{"message":{"content":"Okay, the user wants","reasoning_content":""},"finish_reason":"length"}]}`, "came to its limit of tokens", 1},
		{"anomalyco/opencode#24462", 429, `{"error":{"message":"Error from provider: Provider returned error","code":429,"metadata":{"raw":"{\"error\":{\"message\":\"Your account is suspended due to insufficient balance\",\"type\":\"exceeded_current_quota_error\"}}"}}}`, "has no credit left for this key: Error from provider: Provider returned error: Your account is suspended", 1},
		{"router-for-me/CLIProxyAPI#3115", 429, `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_at":1777599629,"resets_in_seconds":444287}}`, "is at its limit until", 1},
		// https://github.com/adrianlyjak/obsidian-aloud-tts/pull/114, and other forms of what is no answer at HTTP 200
		{"base_resp", 200, `{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, "has no credit left for this key: insufficient balance", 1},
		{"msg", 200, `{"code":500,"msg":"the model is away"}`, "the model is away", 3},
		{"errors", 200, `{"success":false,"errors":[{"code":3030,"message":"the model is away"}]}`, "the model is away", 3},
		{"OleksandrChekhovskyi/hax#15", 200, piece("It is ") + `data: {"choices":[{"delta":{"content":""},"finish_reason":"stop","native_finish_reason":"network_error"}]}` + apart + done, "network_error", 2},
		{"Aculeasis/openrouter-proxy#1", 429, `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"gemini is temporarily rate-limited upstream. Please retry shortly"}}}`, "is at its rate limit: Provider returned error: gemini is temporarily", 3},
		{"E-xyza/codicil#4", 201, `{"choices":[{"message":{"content":"On Friday."},"finish_reason":"stop"}]}`, "On Friday.", 1},
		{"mudler/LocalAI#340", 200, "event: data" + apart + piece("On ") + "event: data" + apart + piece("Friday.") + "event: data" + apart + `data: {"model":"tiny","choices":[{"finish_reason":"stop"}]}` + apart, "On Friday.", 1},
		{"BoltAI/BoltAI#141", 200, strings.ReplaceAll(piece("On ")+piece("Friday.")+finish+done, apart, "\n"), "On Friday.", 1},
		{"NousResearch/hermes-agent#18302", 429, `{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}`, "has no credit left for this key: 余额不足", 1},
		{"NousResearch/hermes-agent#7475", 400, `{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}`, `does not have the model "tiny": 模型不存在`, 1},
		{"docker/model-runner#479", 500, "unable to load runner: error waiting for runner to be ready: llama.cpp terminated unexpectedly\n", "failed with status 500: unable to load runner", 3},
		{"cloudflare/cloudflare-docs#15116", 500, `{"result":null,"success":false,"errors":[{"code":7009,"message":"Upstream service unavailable"}],"messages":[]}`, "failed with status 500: Upstream service unavailable", 3},
		{"acon96/home-llm#308", 200, `data: {"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift"}}` + apart + done, "set contextTokens of the role", 1},
		{"MoonshotAI/Kimi-K2#5", 403, `{"error":{"message":"Your account xx is not active, organization <xx> exceeded current quota","type":"exceeded_current_quota_error"}}`, "has no credit left for this key: Your account", 1},
		{"continuedev/continue#12670", 403, `{"code":"The caller does not have permission","error":"Your newly created team doesn't have any credits or licenses yet. You can purchase those on https://console.x.ai/team/1."}`, "refused the request with status 403: Your newly created team", 1},
		{"deeterbleater/deertick#13", 400, `{"error":{"message":"Model meta/meta-llama-3-8b-instruct is not available","code":400},"user_id":"user_2"}`, "refused the request with status 400: Model meta", 1},
		{"NousResearch/hermes-agent#65631", 200, `data: {"id":null,"choices":null,"error_type":"BadRequestError","error_message":"This model's maximum context length is 163840 tokens. However, you requested 65536 output tokens."}` + apart, "set contextTokens of the role", 2},
		{"NousResearch/hermes-agent#65631, in the stream", 200, piece("On Fri") + `data: {"choices":null,"error_type":"BadRequestError","error_message":"the model is away"}` + apart, "the model is away", 2},
		{"MoonlightByte/NeverEndingQuest#179", 500, `{"error":{"code":500,"message":"\n------------\nWhile executing CallExpression at line 79, column 24 in source:\n...\nError: Jinja Exception: No user query found in messages.","type":"server_error"}}`, "refused the request with status 500: ------------", 1},
		{"zed-industries/zed#45379", 200, "event: error\ndata: " + `{"error":{"message":"Error rendering prompt with jinja template: \"Unknown test: sequence\"."}}` + apart, "refused the request: Error rendering prompt", 1},
		{"MCPJam/inspector#1287", 403, `{"error":{"message":"Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys","code":403}}`, "has no credit left for this key: Key limit", 1},
		{"continuedev/continue#11404", 401, `{"error":"unauthorized"}`, "wants another key;", 1},
		{"an error line as the answer", 200, `{"choices":[{"message":{"content":"Error: Request failed with status code 429"},"finish_reason":"stop"}]}`, "is at its rate limit: Error: Request failed", 3},
		{"cut off, then ended well", 200, piece("On") + `data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + apart + finish + done, "came to its limit of tokens", 1},
	} {
		m, requests := served(t, refuses(c.status, c.body))
		for {
			answers, _, err := agent.Ask(taskOf(1), 1, func(task agent.Task) (agent.Reply, error) { return m.Run(t.Context(), task) })
			failure, failed := errors.AsType[*agent.Failure](err)
			limited, _ := errors.AsType[*agent.RateLimited](err)
			if failed && failure.Kind == agent.Transient && len(requests()) < min(3, cmp.Or(failure.Tries, 3)) && (limited == nil || limited.Expiry.IsZero()) {
				continue
			}
			if failed && !strings.Contains(err.Error(), c.want) || !failed && (err != nil || answers[0] != c.want) || len(requests()) != c.requests {
				t.Errorf("%s: %q, %v after %d requests; want %s after %d", c.report, answers, err, len(requests()), c.want, c.requests)
			}
			break
		}
	}
}

// A server that fails at the form of a reply is asked in another: https://github.com/ggml-org/llama.cpp/issues/23463
func TestFormFails(t *testing.T) {
	m, requests := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(formKey{}) == "json_schema" {
			w.WriteHeader(500)
			_, _ = io.WriteString(w, `{"error":{"message":"[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}]","type":"internal_server_error","code":null}}`)
			return
		}
		_, _ = io.WriteString(w, piece(`{"responses":[{"request":1,"answer":"Java"},{"request":2,"answer":"Go"}]}`)+finish+done)
	})
	answers, _, err := agent.Ask(taskOf(2), 2, func(task agent.Task) (agent.Reply, error) { return m.Run(t.Context(), task) })
	if err != nil || strings.Join(answers, ",") != "Java,Go" || len(requests()) != 2 {
		t.Errorf("%q, %v, %d requests", answers, err, len(requests()))
	}
}

// A group's answer in a fence, with a sentence behind it, is read where the server does not hold the model to the form
// (https://github.com/ROCm/FastFlowLM/issues/554).
func TestFencedGroup(t *testing.T) {
	m, requests := served(t, refuses(200, piece("```json\n{\"responses\": [\n {\"request\": 1, \"answer\": \"Java\"},\n {\"request\": 2, \"answer\": \"Go\"}\n]}\n```\nThis JSON object contains a list of answers.")+finish+done))
	answers, _, err := agent.Ask(taskOf(2), 2, func(task agent.Task) (agent.Reply, error) { return m.Run(t.Context(), task) })
	if err != nil || strings.Join(answers, ",") != "Java,Go" || len(requests()) != 1 {
		t.Errorf("%q, %v, %d requests", answers, err, len(requests()))
	}
}

// Ends that say nothing, errors in odd places, and thoughts alone.
func TestOddEnds(t *testing.T) {
	thought := "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"Hm, the\"},\"finish_reason\":null}]}\n\n"
	for report, c := range map[string]struct{ body, answer, want string }{
		"vllm-project/vllm#40986":         {done, "", "gave an empty answer"},
		"apache/rocketmq-dashboard#2178":  {"data: {\"error\":{\"message\":\"quota exceeded\"}}\n\n" + done, "", "rate limit: quota exceeded"},
		"NousResearch/hermes-agent#68451": {"data: {\"error_type\":\"context_length_exceeded\",\"error_message\":\"This model's maximum context length is 163840 tokens.\"}\n\n" + done, "", "reads 163840 tokens at once"},
		"tetsuo-ai/agenc-core#2492":       {thought + "upstream error: read ECONNRESET\n", "", "broke its answer off"},
		"Augustas11/macprovider#186":      {piece("On Fri") + "data: {\"error\":{\"message\":\"Upstream stream failed\",\"type\":\"server_error\",\"code\":\"stream_truncated\"}}\n\n" + done, "", "failed: Upstream stream failed"},
		"BerriAI/litellm#36768":           {finish + done, "", "gave an empty answer"},
		"BerriAI/litellm#24004":           {piece("On Fri") + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", "", "failed: Overloaded"},
		"pig-mesh/deepseek4j#96":          {piece("On Friday.") + finish, "On Friday.", ""},
		"openai/openai-node#1292":         {piece("On Friday.") + done, "On Friday.", ""},
		"SubtitleEdit/subtitleedit#15010": {thought + finish + done, "", "only thought"},
	} {
		m, _ := served(t, refuses(200, c.body))
		reply, err := m.Run(t.Context(), taskOf(1))
		if reply.Text != c.answer || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v", report, reply.Text, err)
		}
	}
}

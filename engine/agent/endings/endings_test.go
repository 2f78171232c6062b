package endings

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

// A word that nobody knows is a reply that was broken off, and the case of one that is known counts for nothing.
func TestFind(t *testing.T) {
	table := Table{"stop": Good, "max_tokens": Tokens}
	for word, want := range map[string]Meaning{"stop": Whole, "STOP": Whole, " Stop\n": Whole, "MAX_TOKENS": Limited, "": BrokenOff, "null": BrokenOff, "stopped": BrokenOff} {
		if got := table.Find(word).Meaning; got != want {
			t.Errorf("%q means %d, want %d", word, got, want)
		}
	}
	random := rand.New(rand.NewPCG(testseed.Take(t), 1))
	for range 200 {
		if word := fmt.Sprintf("end-%x", random.Uint64()); table.Find(word) != (End{}) {
			t.Errorf("%q is known", word)
		}
	}
}

// What servers say, with the reports that it is taken from.
func TestKinds(t *testing.T) {
	for i, c := range []struct {
		refusal Refusal
		kind    Kind
		window  int
	}{
		{Refusal{Status: 429, Words: "slow down"}, Busy, 0},
		{Refusal{Status: 429, Names: []string{"insufficient_quota"}, Words: "You exceeded your current quota"}, NoCredit, 0},
		{Refusal{Status: 402, Words: "pay"}, NoCredit, 0},
		{Refusal{Status: 400, Names: []string{"invalid_request_error"}, Words: "Your credit balance is too low to access the Anthropic API."}, NoCredit, 0},
		{Refusal{Status: 401}, LoggedOut, 0},
		{Refusal{Words: "Invalid API key"}, LoggedOut, 0},
		{Refusal{Words: "API Error: Rate limit reached"}, Busy, 0},
		{Refusal{Status: 403, Words: "rate limit of the log-in page"}, Wrong, 0},
		{Refusal{Status: 404, Words: "model 'x' not found"}, NoModel, 0},
		{Refusal{Status: 404, Words: "page"}, NoPlace, 0},
		{Refusal{Status: 408}, Failing, 0},
		{Refusal{Status: 529, Names: []string{"overloaded_error"}}, Failing, 0},
		{Refusal{Status: 418}, Wrong, 0},
		{Refusal{Words: "out of luck"}, Unknown, 0},
		// https://github.com/ggml-org/llama.cpp/pull/15780
		{Refusal{Status: 500, Names: []string{"exceed_context_size_error"}, Words: "the request exceeds the available context size. try increasing the context size or enable context shift", Window: 256}, TooLong, 256},
		// https://github.com/ggml-org/llama.cpp/issues/19774
		{Refusal{Status: 400, Words: "request (1407 tokens) exceeds the available context size (1024 tokens), try increasing it"}, TooLong, 1024},
		// https://github.com/chathub-dev/chathub/issues/126
		{Refusal{Status: 400, Words: "This model's maximum context length is 4097 tokens. However, your messages resulted in 4294 tokens. Please reduce the length of the messages."}, TooLong, 4097},
		// https://github.com/continuedev/continue/issues/6080
		{Refusal{Status: 400, Words: "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again"}, TooLong, 200000},
		{Refusal{Status: 400, Words: "prompt is too long: 208310 tokens > 200000 maximum"}, TooLong, 200000},
		{Refusal{Status: 400, Words: "Prompt contains 39957 tokens and 0 draft tokens, too large for model with 32768 maximum context length"}, TooLong, 32768},
		{Refusal{Status: 400, Words: "The input token count (1068394) exceeds the maximum number of tokens allowed (1048576)."}, TooLong, 1048576},
		{Refusal{Words: "the model is loaded with context length of only 4096 tokens, which is not enough"}, TooLong, 4096},
		// https://github.com/openclaw/openclaw/issues/129352
		{Refusal{Status: 400, Names: []string{"BadRequestError"}, Words: "The input (3000 tokens) is longer than the model's context length (2048 tokens)."}, TooLong, 2048},
		{Refusal{Status: 400, Words: "Requested token count exceeds the model's maximum context length of 2048 tokens. You requested a total of 3500 tokens"}, TooLong, 2048},
		// https://github.com/huggingface/huggingface_hub/issues/2514
		{Refusal{Words: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 14 `inputs` tokens and 4091 `max_new_tokens`"}, TooLong, 4096},
		{Refusal{Status: 422, Words: "Input validation error: `inputs` must have less than 1000 tokens. Given: 1026"}, TooLong, 1000},
		{Refusal{Status: 422, Words: "Input validation error: `max_new_tokens` must be <= 4096. Given: 5000"}, Wrong, 0},
		{Refusal{Status: 413}, TooLong, 0},
		// https://ai.google.dev/gemini-api/docs/troubleshooting
		{Refusal{Status: 400, Names: []string{"INVALID_ARGUMENT"}, Words: "API key not valid. Please pass a valid API key."}, LoggedOut, 0},
		// https://github.com/ggml-org/llama.cpp/issues/19774, https://github.com/anomalyco/opencode/issues/2259,
		// https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1024, https://www.alibabacloud.com/help/en/model-studio/error-code
		{Refusal{Status: 500, Names: []string{"server_error"}, Words: "Context size has been exceeded."}, TooLong, 0},
		{Refusal{Status: 500, Names: []string{"server_error"}, Words: "The server had an error."}, Failing, 0},
		{Refusal{Names: []string{"server_error"}, Words: "The server had an error."}, Failing, 0},
		{Refusal{Status: 400, Words: "This model's maximum prompt length is 131072 but the request contains 136973 tokens."}, TooLong, 131072},
		{Refusal{Status: 400, Words: "prompt token count of 93854 exceeds the limit of 90000"}, TooLong, 90000},
		{Refusal{Status: 400, Words: "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)"}, TooLong, 262144},
		{Refusal{Status: 400, Words: "model max length exceeded, max length:8192"}, TooLong, 8192},
		{Refusal{Status: 400, Words: "length of prompt_tokens (68957) must be less than max_seq_len (65536)."}, TooLong, 65536},
		{Refusal{Status: 500, Words: "The decoder prompt (length 66501) is longer than the maximum model length of 32768. Make sure that it is no smaller."}, TooLong, 32768},
		{Refusal{Status: 400, Words: "Cannot truncate prompt with n_keep (4270) >= n_ctx (4096)"}, TooLong, 4096},
		{Refusal{Status: 400, Words: "invalid params, context window exceeds limit (2013)"}, TooLong, 0},
		{Refusal{Words: "token limit"}, TooLong, 0},
		{Refusal{Status: 400, Words: "The total length of all messages is too long."}, TooLong, 0},
		{Refusal{Status: 400, Words: "too many tokens: total number of tokens (prompt and prediction) cannot exceed 4081 - received 6354."}, TooLong, 4081},
		{Refusal{Status: 400, Words: "Please reduce the length of the messages or completion. Current length is 69553 while limit is 65536"}, TooLong, 65536},
		{Refusal{Status: 400, Words: "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens."}, TooLong, 272000},
		{Refusal{Status: 503, Words: "ResourceExhausted: Worker local total request limit reached (33/32)"}, Busy, 0},
		{Refusal{Status: 403, Words: "Authorization failed"}, LoggedOut, 0},
		{Refusal{Status: 400, Words: "API key expired. Please renew the API key."}, LoggedOut, 0},
		{Refusal{Status: 400, Words: "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096)."}, TooLong, 4096},
		{Refusal{Words: "Reached context length of 4096 tokens with model x, but this model does not support context overflow."}, TooLong, 4096},
		{Refusal{Status: 400, Words: "Range of input length should be [1, 6000]"}, TooLong, 6000},
		// https://github.com/BerriAI/litellm/issues/41777, https://github.com/BerriAI/litellm/issues/36729
		{Refusal{Status: 400, Names: []string{"request_timeout", "invalid_request_error"}, Words: "stream disconnected before completion"}, Failing, 0},
		{Refusal{Status: 429, Names: []string{"budget_exceeded", "429"}, Words: "Budget has been exceeded! Current cost: 10.51, Max budget: 10.00"}, NoCredit, 0},
		// https://github.com/continuedev/continue/issues/10373, https://github.com/Wei-Shaw/sub2api/issues/4069
		{Refusal{Status: 429, Words: "Your team has either used all available credits or reached its monthly spending limit."}, NoCredit, 0},
		{Refusal{Status: 403, Words: "You have run out of credits or need a Grok subscription."}, NoCredit, 0},
		{Refusal{Program: "codex", Words: "You've hit your usage limit. Visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again at 4:01 PM."}, Busy, 0},
		// https://github.com/continuedev/continue/issues/11719
		{Refusal{Status: 400, Words: "You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC."}, Busy, 0},
		// https://github.com/popjane/free_chatgpt_api/issues/78, https://github.com/getpaseo/paseo/issues/653
		{Refusal{Status: 403, Names: []string{"insufficient_user_quota", "v_api_error"}, Words: "user quota is not enough"}, NoCredit, 0},
		{Refusal{Program: "opencode", Words: "Model not found: cust-openai/gpt-5.5."}, NoModel, 0},
		// https://github.com/netease-youdao/QAnything/issues/555, https://github.com/vyancharuk/nodejs-api-boilerplate/issues/16, https://github.com/truefoundry/models/pull/826
		{Refusal{Status: 404, Names: []string{"api_error"}, Words: "model \"ollama\" not found, try pulling it first"}, NoModel, 0},
		{Refusal{Status: 500, Names: []string{"api_error"}, Words: "Internal server error"}, Failing, 0},
		{Refusal{Status: 404, Words: "No endpoints found for nousresearch/hermes-3-llama-3.1-405b:free."}, NoModel, 0},
		{Refusal{Status: 404, Words: "No endpoints available matching your guardrail restrictions and data policy."}, NoModel, 0},
		// https://github.com/chatboxai/chatbox/issues/646, https://github.com/RightNow-AI/openfang/issues/60
		{Refusal{Status: 404, Names: []string{"DeploymentNotFound"}, Words: "The API deployment for this resource does not exist."}, NoModel, 0},
		{Refusal{Status: 400, Names: []string{"model_decommissioned", "invalid_request_error"}, Words: "The model `x` has been decommissioned and is no longer supported."}, NoModel, 0},
		// https://github.com/autohandai/code-cli/issues/317, https://github.com/eslint/tsc-meetings/pull/593
		{Refusal{Status: 429, Names: []string{"rate_limit_exceeded", "tokens"}, Words: "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 30601."}, TooLong, 30000},
		{Refusal{Status: 413, Names: []string{"tokens_limit_reached"}, Words: "Request body too large for gpt-4o model. Max size: 8000 tokens."}, TooLong, 8000},
		{Refusal{Words: "API Error: Claude's response exceeded the 32000 output token maximum."}, Wordy, 0},
		// https://github.com/earendil-works/pi/issues/9089, https://github.com/github/copilot-cli/issues/4269
		{Refusal{Words: "OpenAI API error (401): no"}, LoggedOut, 0},
		{Refusal{Words: "Execution failed: CAPIError: 400 invalid message content type"}, Wrong, 0},
		// https://github.com/vm0-ai/vm0/issues/16056, https://github.com/anomalyco/opencode/issues/50743, https://github.com/openai/codex/issues/41672,
		// https://github.com/continuedev/continue/issues/11579
		{Refusal{Status: 502, Words: `{"error": "TOKEN_REFRESH_FAILED", "message": "Access token expired and refresh failed for: codex-oauth-token."}`}, LoggedOut, 0},
		{Refusal{Status: 429, Words: "Your project has reached its configured enforced spend limit"}, NoCredit, 0},
		{Refusal{Words: "This content was flagged for possible cybersecurity risk. If this seems wrong, try rephrasing your request."}, Wrong, 0},
		{Refusal{Status: 400, Words: "ExceededBudget: User=486535c5 over budget. Spend=10.63354472, Budget=10.0"}, NoCredit, 0},
		{Refusal{Words: "come later", Expiry: time.Now()}, Busy, 0},
		{Refusal{Status: 400, Names: []string{"context_length_exceeded"}, Words: "too long"}, TooLong, 0},
	} {
		if kind, window := c.refusal.Kind(), c.refusal.ReadWindow(); kind != c.kind || window != c.window {
			t.Errorf("%d: %+v is of kind %d with %d tokens, want %d with %d", i, c.refusal, kind, window, c.kind, c.window)
		}
	}
}

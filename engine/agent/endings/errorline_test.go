package endings

import "testing"

// What agents and their libraries print that have no row, and what they have beside their row. Those of the first list have a shape.
func TestErrorLines(t *testing.T) {
	for i, lines := range [][]struct {
		line string
		kind Kind
	}{{
		// https://github.com/kunchenguid/gnhf/pull/159, https://github.com/anthropics/claude-code/issues/4093, https://github.com/openai/codex/issues/18686
		{"API Error (claude-opus-4-8): 400 The provided model identifier is invalid.", NoModel},
		{"Error: Error during compaction: Error: API Error: 400 {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"messages.2: no\"}}", Wrong},
		{"Error running remote compact task: unexpected status 403 Forbidden: Unknown error, url:\nhttps://chatgpt.com/backend-api/codex/responses/compact, cf-ray: 9ef4e6b21dfa247e-EWR", Wrong},
		// https://github.com/paperclipai/paperclip/issues/2234, https://github.com/copilot-coding-agent/user-feedback/issues/13, https://github.com/MoonshotAI/kimi-cli/issues/1599
		{"Cloud Code Assist API error (429): {\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"You have exhausted your capacity on this model.\"\n  }\n}", Busy},
		{"CAPIError: 429 rate limit exceeded", Busy},
		{"LLM provider error: Error code: 429 - {'error': {'message': 'Your account request reached organization max RPM: 20, please try a\ngain after 1 seconds', 'type': 'rate_limit_reached_error'}}", Busy},
		// https://github.com/ollama/ollama/issues/12799, https://github.com/di-sukharev/opencommit/issues/7, https://github.com/evalstate/fast-agent/issues/621
		{"Error: 500 Internal Server Error: unmarshal: invalid character 'I' looking for beginning of value", Failing},
		{"✖ Error: Request failed with status code 429", Busy},
		{"Error details: deepseek request failed for model 'deepseek-chat' (code: invalid_request_error) (status=400): Error code: 400 - {'error': {'message': \"This model's maximum context length is 131072 tokens.\", 'type': 'invalid_request_error', 'param': None}}", TooLong},
		// https://github.com/autohandai/code-cli/issues/78, https://github.com/cogine-ai/cliq-agent/issues/13
		{"llama.cpp API error: 400 Bad Request", Wrong},
		{"[model error] fetch failed\nfetch failed", Unreachable},
		{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Failing},
		{`{"error":{"message":"No auth credentials found","code":401}}`, LoggedOut},
		{"401 Unauthorized: {\"error\":\"no\"}", LoggedOut},
		{`Error: {"is_error":true,"terminal_reason":"api_error","subtype":"success","api_error_status":429,"result":"You've hit your session limit · resets 8:30am (America/Los_Angeles)","type":"result"}`, Busy}, // https://github.com/openclaw/openclaw/issues/125285
		// https://github.com/genspark-ai/genoffice/issues/331, https://github.com/slkiser/opencode-quota/issues/247, https://github.com/letta-ai/letta-code/pull/1040
		{"HTTP 400: {\"type\":\"error\",\"error\":{\"type\":\"MissingSessionID\",\"message\":\"Request is missing x-opencode-session\"}}", Wrong},
		{"OpenCode Go: OpenCode Go API error 403: {\"type\":\"error\",\"error\":{\"type\":\"EntitlementError\",\"message\":\"OpenCode Go subscription required.\"}}", Wrong},
		{"402 {\"error\":\"Rate limited\",\"reasons\":[\"premium-usage-exceeded\",\"not-enough-credits\"]}", NoCredit},
		// https://github.com/justlovemaki/AIClient2API/pull/239, https://github.com/continuedev/continue/issues/11193
		{"[17:03:33] [ERROR] [Kiro] API call failed (Status: 402, Code: ERR_BAD_REQUEST): Request failed with status code 402", NoCredit},
		{`{"message":"Incorrect API key provided: $OPENAI_***_KEY.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}`, LoggedOut},
		// https://github.com/slopus/happy/issues/465, https://github.com/just-every/code/issues/42, https://github.com/raycast/extensions/issues/31107
		{"Using Claude Code from native installer\nYou've hit your limit · resets 1pm (Europe/Lisbon)", Unknown},
		{"✖ stream error: stream disconnected before completion: You exceeded your current quota, please check your plan and billing details.   \n   https://platform.openai.com/docs/guides/error-codes/api-errors.; retrying 1/5 in 210ms…", Busy},
		{"SDKError: API error occurred: Status 429\nBody: {\"object\":\"error\",\"message\":\"Rate limit exceeded\"}\n    at file:///ask.js:5:2425", Busy},
		// https://github.com/bklieger-groq/stockbot-on-groq/issues/46, https://github.com/vybestack/llxprt-code/issues/527, https://github.com/mf-yang/openclaw-cn/issues/451
		{"Error: Failed after 2 attempts. Last error: Rate limit reached for model `llama3` in organization `org_1` on : Limit 500000. Please try again in 1m47.5854s.", Busy},
		{"Error when talking to openai API Full report available at: /tmp/llxprt-client-error-Turn.json", Unknown},
		{"HTTP 500 api_error: unknown error, 520 (1000) (request_id: 05ef3a8ae33d)", Failing},
		// https://github.com/Alishahryar1/free-claude-code/issues/772, https://github.com/campfirein/byterover-cli/issues/43, https://github.com/workos/cli/issues/124
		{"Upstream provider OPENROUTER returned HTTP 402.\nCategory: api_error\nMapped message: Provider API request failed.\n\nUpstream error:\n{\"error\":{\"message\":\"Insufficient credits.\",\"code\":402}}\n\nRequest ID: req_58", NoCredit},
		{"ERROR: Error in OpenRouter API call (Attempt 1/3): 400 Provider\n returned error", Unknown},
		{"Claude Code returned an error result: Not logged in · Please run /login", LoggedOut},
		// https://github.com/aaif-goose/goose/issues/4612, https://github.com/openai/codex/issues/10617
		{"starting session | provider: databricks model: goose-gpt-5\n    logging to 20250910.jsonl\n\nGoose is running! Enter your instructions.\n\nSession ended with error: Request failed: Request failed with status: 400 Bad Request. Message: {\"error\":{\"type\":\"invalid_request_error\"}}", Wrong},
		{"Error: Token refresh failed: 401", LoggedOut},
	}, {
		// https://github.com/anomalyco/opencode/issues/49586, https://github.com/anomalyco/opencode/issues/44473, https://github.com/anomalyco/opencode/issues/34469
		{"Error from provider (Console): OpenCode's free tier can only be used from within OpenCode", Wrong},
		{"Provider finish_reason: network_error", Failing},
		// https://github.com/openclaw/openclaw/issues/43932, https://github.com/openclaw/openclaw/issues/22665, https://github.com/openclaw/openclaw/issues/112689
		{"⚠️ API rate limit reached. Please try again later.", Busy},
		{"LLM request rejected: You have reached your specified API usage limits. You will regain access on 2026-03-01 at 00:00 UTC.", Busy},
		{"⚠️ All models are temporarily rate-limited. Please try again in a few minutes.", Busy},
		// https://github.com/openclaw/openclaw/issues/54433, https://github.com/openai/codex/issues/44405
		{"You have hit your ChatGPT usage limit (go plan). Try again in ~4381 min.", Busy},
		{"Selected model is at capacity. Please try a different model.\nRetry in 5s", Unknown},
		{"Error: Unexpected error\n\nAn error occurred in Effect.tryPromise", Unknown},
		// https://github.com/shaftoe/pi-coding-agent-action/issues/166, https://github.com/github/copilot-cli/issues/3101
		{"Error: Provider finish_reason: model_context_window_exceeded", TooLong},
		{"✗  Failed to load models: access denied by Copilot policy. (Request ID: DD28:396A99)\n\n  Check your Copilot CLI policy setting. \n  └ Open in browser", Wrong},
		{"Error: socket hang up", Unknown},
		// https://github.com/anomalyco/opencode/issues/38195, https://github.com/anomalyco/opencode/issues/14252, https://github.com/anomalyco/opencode/issues/50352
		{"> build · glm-5.2\n\nError: Request blocked by upstream provider.", Unknown},
		{"Upstream error from Minimax: insufficient balance (1008)", NoCredit},
		{"AI.Error.Authentication: Error from provider (Console Go): Upstream request failed: [server_error] Upstream response was not valid JSON", Failing},
		// https://github.com/continuedev/continue/issues/9787, https://github.com/continuedev/continue/issues/11443, https://github.com/kirodotdev/Kiro/issues/8709
		{"401 Incorrect API key provided: 5hcxvSQt****cgb1. You can find your API key at https://platform.openai.com/account/api-keys.", LoggedOut},
		{"429 Your account org-1 <ak-2> is suspended due to insufficient balance, please recharge your account or check your plan and billing details", NoCredit},
		{"⚠️ Kiro rate limit reached:\n   Request quota exceeded. Please wait a moment and try again.", Busy},
		{"Not authenticated. Please run 'agent login'", LoggedOut},
		{"You have exceeded your premium request quota. Please upgrade to continue.", Unknown},
		{"Internal error: Rate limit exceeded. Please try again later.", Busy},
		// https://github.com/openclaw/openclaw/issues/69737, https://github.com/openclaw/openclaw/pull/88610, https://github.com/ranxianglei/billion-context-omp/issues/105
		{"An error occurred while processing your request. You can retry your request, or contact us through our help center.", Unknown},
		{"LLM request failed.", Unknown},
		{"✘ OpenAI completions stream closed before a finish_reason was received\n Dismissed when you send your next message.", Unknown},
		// https://github.com/microsoft/vscode/issues/302718, https://github.com/MoonshotAI/kimi-cli/issues/2456, https://github.com/atvirokodosprendimai/wgmesh/pull/29
		{"Sorry, you have been rate-limited. Please wait a moment before trying again. Learn More\n\nServer Error: Sorry, you've exceeded your rate limits. Error Code: rate_limited", Busy},
		{"LLM not set", LoggedOut},
		{"error: unexpected argument '--param' found\n  tip: a similar argument exists: '--params'", Unknown},
		{"Error: 请刷新页面以更新应用后重试。", Unknown}, // https://github.com/xiaoY233/Chat2API/issues/164
	}} {
		for _, c := range lines {
			if i == 0 && !IsComplaint(c.line) {
				t.Errorf("%q is no complaint", c.line)
			}
			if !MayComplain(c.line) {
				t.Errorf("%q is no program's", c.line)
			}
			if got := (Refusal{Program: AnyAgent, Words: c.line}).Kind(); got != c.kind {
				t.Errorf("%q is of kind %d, want %d", c.line, got, c.kind)
			}
			for _, answer := range []string{"It says: " + c.line, c.line + "\nThat means that you have to wait.", "`" + c.line + "`", "- " + c.line, "> " + c.line, "The log has this: " + c.line} {
				if IsComplaint(answer) {
					t.Errorf("the answer %q is taken for a complaint", answer)
				}
			}
		}
	}
}

package endings

import (
	_ "embed"
	"strings"
	"testing"
)

// What programs print in place of an answer, and what follows from it. The sources stand at the rows of the table.
func TestComplaints(t *testing.T) {
	for _, c := range []struct {
		program, line string
		kind          Kind
	}{
		{"claude", "API Error: Rate limit reached", Busy},
		{"claude", "API Error: Request rejected (429) · this may be a temporary capacity issue", Busy},
		{"claude", "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited", Busy},
		{"claude", "You've hit your limit · resets 1pm (Europe/Lisbon)", Busy},
		{"claude", "You've hit your session limit · resets 5:40pm (Europe/Berlin)\n/login to switch to an API usage-billed account.", Busy},
		{"claude", "Claude AI usage limit reached|1763730000", Busy},
		{"claude", "5-hour limit reached ∙ resets 3pm", Busy},
		{"claude", "Credit balance is too low", NoCredit},
		{"claude", "Credit balance too low · Add funds: https://platform.claude.com/settings/billing", NoCredit},
		{"claude", "You've hit your monthly spend limit. See Usage in Settings", NoCredit},
		{"claude", "Invalid API key · Please run /login", LoggedOut},
		{"claude", "Invalid API key · Fix external API key", LoggedOut},
		{"claude", "Not logged in · Please run /login", LoggedOut},
		{"claude", "Failed to authenticate. API Error: 401 Invalid authentication credentials", LoggedOut},
		{"claude", "Your ANTHROPIC_API_KEY belongs to a disabled organization · Update or unset the environment variable", Wrong},
		{"claude", "API Error: Unable to connect to API (ECONNREFUSED)", Unreachable},
		{"claude", "API Error: Connection error.", Unreachable},
		{"claude", "Prompt is too long", TooLong},
		{"claude", "Execution error", Unknown},
		{"claude", "You've run out of usage credits", NoCredit},
		// https://github.com/anthropics/claude-code/issues/10333
		{"claude", "Opus weekly limit reached ∙ resets Oct 31, 9am", Busy},
		{"claude", "Limit reached · resets 3am (UTC)", Busy},
		{"claude", "There's an issue with the selected model (foo). It may not exist or you may not have access to it.", NoModel},
		{"claude", "Unable to connect to Anthropic services (ERR_BAD_REQUEST)", Unreachable},
		{"claude", "[Request interrupted by user]", Unknown},
		{"claude", "No response requested.", Unknown},
		{"claude", "Error: Input must be provided either through stdin or as a prompt argument when using --print", Unknown},
		{"claude", "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy (https://www.anthropic.com/legal/aup).", Wrong},
		{"codex", "stream error: unexpected status 401 Unauthorized; retrying 1/5 in 200ms", LoggedOut},
		{"codex", "ERROR: stream disconnected before completion", Failing},
		{"opencode", "Error: Model not found: foo/bar.", NoModel},
		{"codex", "ERROR: You've hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours.", Busy},
		{"codex", "ERROR: Quota exceeded. Check your plan and billing details.", NoCredit},
		{"copilot", "✗ 402 You have no quota (Request ID: 1489:3EEC85)", NoCredit},
		{"copilot", "✘ Execution failed: 402 You have no quota", NoCredit},
		{"copilot", "Sorry, you've hit a rate limit that restricts the number of Copilot model requests. Please try again in 2 hours. \n(Request ID: AF08:1CC094)", Busy},
		{"copilot", "✗ Sorry, you've hit a rate limit that restricts the number of Copilot model requests.", Busy},
		{"gemini", "[API Error: [{\n  \"error\": {\n    \"code\": 429,\n    \"status\": \"RESOURCE_EXHAUSTED\"\n  }\n}\n]\n]", Busy},
		{"gemini", "✕ [API Error: [{\n    \"error\": {\n      \"code\": 429,\n      \"message\": \"Resource exhausted.\"\n    }\n  }\n  ]]\n  Possible quota limitations in place. Switching to the gemini-2.5-flash model for\n  the rest of this session.", Busy},
		{"copilot", "402 {\"error\":{\"message\":\"You have no quota\",\"code\":\"quota_exceeded\"}}\n(Request ID: F499:17ECFD)", NoCredit},
		{"copilot", "× Model call failed: {\"message\":\"The requested model is not supported.\",\"code\"\n   :\"model_not_supported\",\"param\":\"model\"}", NoModel},
		{"copilot", "✗ Model \"claude-sonnet-4.5\" is not available. It may be disabled by your organization's policy.", NoModel},
		{"copilot", "✗ You've hit your rate limit. Please wait for your limit to reset in 3 hours 49 minutes or switch to auto model to continue.", Busy},
		{"qwen", "✕ [API Error: 429 status code (no body)]\n  Possible quota limitations in place. Switching to the gemini-2.5-flash model for the rest of this session.", Busy},
		{"claude", "API Error: 401 \n    {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"OAuth\n     token has expired.\"}}", LoggedOut},
		{"claude", "API Error: 529 {\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded.\nhttps://docs.claude.com/en/api/errors\"}}", Failing},
		{"claude", "API Error (520 <!DOCTYPE html>\n<head>\n\n<title>api.anthropic.com | 520: Web server is returning an unknown error</title>\n</head>\n</html>)", Failing},
		{"aider", "Retrying in 32.0 seconds...\n\nlitellm.RateLimitError: litellm.RateLimitError: VertexAIException - b'{\n  \"error\": {\n    \"code\": 429\n  }\n}'", Busy},
		{"aider", "litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided: sk-1.", LoggedOut},
		{"cursor", "Error: You've hit your usage limit\n  Get Cursor Pro for more Agent usage, unlimited Tab, and more.\n  spendLimitHit: false", Busy},
		{"kiro", "⚠️  WARNING: Failed to retrieve MCP settings; MCP functionality disabled\n25lAuthentication failed. Your API key may be invalid or expired. Check your KIRO_API_KEY value.\n25h", LoggedOut},
		{"gemini", "[API Error: You have exhausted your daily quota on this model.]", Busy},
		{"gemini", "✕ [API Error: exception TypeError: fetch failed sending request]", Unreachable},
		{"opencode", "Error: Unable to connect. Is the computer able to access the url?", Unreachable},
		{"pi", "Error: Codex error: {\"type\":\"error\",\"error\":{\"type\":\"usage_limit_reached\"}}", Busy},
		{"pi", "No API key found for anthropic. Use /login", LoggedOut},
		{"qwen", "[API Error: Connection error. (cause: fetch failed)]", Unreachable},
		{"claude", "Your account does not have access to Claude Code. Please run /login.", LoggedOut},
		{"claude", "Your account does not have access to Claude. Please login again or contact your administrator.", LoggedOut},
		{"claude", "There's an issue with the selected model (claude-sonnet-4-6).\nIt may not exist or you may not have access to it.\nRun /model to pick a different model.", NoModel},
		{"claude", "Claude Max usage limit reached. Your limit will reset at 12am.", Busy},
		{"claude", "Error during compaction: Conversation too long", TooLong},
		{"claude", "OAuth token does not meet scope requirement user:profile", LoggedOut},
		{"codex", "■ You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/codex/settings/usage to purchase more credits\nor try again at 6:44 PM.", Busy},
		{"codex", "■ Error running remote compact task: You've hit your usage limit. Upgrade to Pro\n(https://chatgpt.com/explore/pro), visit https://chatgpt.com/codex/settings/usage to purchase more credits\nor try again at 2:53 AM.", Busy},
		{"copilot", "✗ Error: No supported model available", NoModel},
		{"copilot", "Authentication failed with provider at http://127.0.0.1:11434/v1 (HTTP 403).\nCheck your COPILOT_PROVIDER_API_KEY or COPILOT_PROVIDER_BEARER_TOKEN.", LoggedOut},
		{"copilot", "✗ Sorry, you've hit a rate limit that restricts the number of Copilot model requests. Please review our Terms of \n  Service (https://docs.github.com/).\n\n● Continuing autonomously (1 premium request)\n\n✗ Sorry, you've hit a rate limit that restricts the number of Copilot model requests.", Busy},
		{"gemini", "Error authenticating: IneligibleTierError: This client is no longer supported for\nGemini Code Assist for individuals. To continue using Gemini, please migrate to the\nAntigravity suite of products: https://antigravity.google\n  ineligibleTiers: [ { tierId: 'free-tier' } ]", Wrong},
		{"opencode", "Error: {\n  \"name\": \"UnknownError\",\n  \"data\": {}\n}", Unknown},
		{"opencode", "Error: OpenAI API error (429): {\"code\":\"rate_limit_exceeded\",\"message\":\"Upstream \n request failed: Rate limit exceeded.\"}", Busy},
		{"opencode", "Error: Please reduce the length of the messages or completion. Current length is 69553 while limit is 65536", TooLong},
		{"pi", "Codex error event: Your input exceeds the context window of this model.\nPlease adjust your input and try again. (code=context_length_exceeded)", TooLong},
		{"aider", "Aider v0.71.1\nModel: deepseek/deepseek-chat with diff edit format\nAdded a.ts to the chat.\nRestored previous conversation history.\n\nlitellm.BadRequestError: ContextWindowExceededError: {'error': {'message': \"This model's maximum context length is 65536 tokens.\"}}", TooLong},
		{"aider", "Aider v0.86.0\nModel: deepseek/deepseek-chat with diff edit format\nRepo-map: disabled\n\nEmpty response received from LLM. Check your provider account?\nTokens: 2.3k sent, 0 received.", Unknown},
		{"aider", "Aider v0.75.1\nGit repo: .git with 1,489 files\n\n\nTokens: 5.1k sent, 0 received. Cost: $0.0014 message, $0.0044 session.", Unknown},
		// https://github.com/github/copilot-cli/issues/1612
		{"copilot", "● Response was interrupted due to a server error. Retrying...\n\n✗ Execution failed: Error: Failed to get response from the AI model; retried 5 times (total retry wait time:\n  5.96 seconds) Last error: Unknown error", Unknown},
		{"cursor", "⚠ Workspace Trust Required\n  Cursor Agent can execute code and access files in this directory.\n    • Pass --trust", Wrong},
		{"cursor", "Error: You've hit your usage limit\nGet Cursor Pro for more Agent usage.\nfallbackModel:\nspendLimitHit: false\nspendLimits: [50,100,200]", Busy},
		{"kiro", "The request was throttled by the service\n(request_id: 75c1c430)", Busy},
		{"kiro", "You've reached your monthly usage limit. Please return next month to continue building. (Request ID: d4c274b2)", Busy},
		{"kiro", "Too many requests, please wait before trying again.", Busy},
		{"q", "Amazon Q is having trouble responding right now: \n   0: unhandled error (ThrottlingException)\n   1: service error\n   2: Error { code: \"ThrottlingException\", message: \"Maximum com.amazon.aws.codewhisperer.streaming.GenerateAssistantResponse reached for this month.\" }\n\nLocation:\n   crates/chat-cli/src/cli/chat/mod.rs:1003\n\nBacktrace omitted. Run with RUST_BACKTRACE=1 environment variable to display it.\nRun with RUST_BACKTRACE=full to include source snippets.", Busy},
		{"q", "WARNING: Retry #2, retrying within 10.0s..\nAmazon Q is having trouble responding right now:\n   0: dispatch failure (io error): an i/o error occurred: error sending request for url (https://q.us-east-1.amazonaws.com/)\n\nLocation:\n   crates/chat-cli/src/cli/chat/mod.rs:1146", Unreachable},
		{"kiro", "Kiro is having trouble responding right now: \n   0: unhandled error (AccessDeniedException)", Unknown},
		{"cursor", "Error: T: [resource_exhausted] Error", Busy},
		{"cursor", "Error: T: Connection stalled", Failing},
		{"kiro", "The monthly usage limit has been reached (request_id: 0e06d8cd)", Busy},
		{"gemini", "[API Error: [{\n\"error\": {\n\"code\": 429,\n\"message\": \"Resource exhausted.\"\n}\n}\n]]\nPossible quota limitations in place or slow response times detected. Switching to the gemini-2.5-flash model for \nthe rest of this session.", Busy},
		{"claude", "Error: {\"data\":{\"type\":\"unlock_full_access_notice\"},\"error_type\":\"grace_daily_limit_reached\"}", Busy},
		{"codex", "⚠ Falling back from WebSockets to HTTPS transport. stream disconnected before\n  completion: tls handshake eof\n\n■ stream disconnected before completion: error sending request for url\n(https://chatgpt.com/backend-api/codex/responses)", Unreachable},
		{"qwen", "✕ [API Error: 401 invalid access token or token expired] (Press Ctrl+Y to retry)", LoggedOut},
		{"aider", "░litellm.BadRequestError: DeepseekException - {\"error\":{\"message\":\"Insufficient Balance\"}}", NoCredit},
		{"claude", "⎿ API Error: Claude's response exceeded the 32000 output token maximum. \n    To configure this behavior, set the CLAUDE_CODE_MAX_OUTPUT_TOKENS \n    environment variable.", Wordy},
	} {
		if !MayComplain("\n " + c.line + "\n") {
			t.Errorf("%s: %q is an answer", c.program, c.line)
		}
		if got := (Refusal{Program: c.program, Words: c.line}).Kind(); got != c.kind {
			t.Errorf("%s: %q is of kind %d, want %d", c.program, c.line, got, c.kind)
		}
		for _, answer := range []string{"It says: " + c.line, c.line + "\nThat means that you have to wait.", "`" + c.line + "`", "- " + c.line} {
			if IsComplaint(answer) {
				t.Errorf("%s: the answer %q is taken for a complaint", c.program, answer)
			}
		}
		if hasShape := strings.ContainsAny(c.line, "{<[") || StatusIn(c.line) > 0 || strings.Contains(c.line, "Error: AuthenticationError") || strings.Contains(c.line, "unexpected status") ||
			strings.Contains(c.line, "limit · resets ") || strings.Contains(c.line, "stream disconnected before"); !hasShape && IsComplaint(c.line) {
			t.Errorf("%q of a program that is not known", c.line)
		}
	}
	for _, answer := range append([]string{"", "An API Error comes from the server.", "The credit balance is too low.", "You've hit the nail on the head.", "Error: disk full is what the log says.",
		"You've reached your savings goal in March: 5,200 EUR.", "You've hit your target weight on 3 May.", "Speed limit reached: 120 km/h.", "API Error handling is best done in one place.",
		"ERROR: is the level of such lines.", "✗ Backups are not tested.", "× 3 apples"}, strings.Split(strings.TrimSpace(everyday), "\n")...) {
		if IsComplaint(answer) {
			t.Errorf("%q is taken for a complaint", answer)
		}
	}
	for _, answer := range []string{"API Error (see below:\nIt is how claude begins.", "API Error: {}\n- one\n- two", "API Error: {\n\"a\": 1}\nis how it looks"} {
		if IsComplaint(answer) {
			t.Errorf("%q is taken for a complaint", answer)
		}
	}
	// What breaks off ends with an error line: https://github.com/anthropics/claude-code/issues/80825, https://github.com/cursor/cursor/issues/3703
	for _, before := range []string{"I look for it.", strings.Repeat("I look for it. ", 200)} {
		for _, last := range []string{"Error: Request failed with status code 502", "API Error: 529 {\"type\":\"error\"}"} {
			if !MayComplain(before + "\n\n" + last) {
				t.Errorf("%q is whole", last)
			}
		}
	}
	if MayComplain(strings.Repeat("The log of the error is long. ", 200)) {
		t.Error("a long answer is a program's")
	}
	if IsComplaint("API Error: " + strings.Repeat("x", longestLine)) {
		t.Error("a long text is a complaint")
	}
}

// everyday answers come near to what programs print in place of one.
//
//go:embed testdata/everyday.txt
var everyday string

// goose ends its complaints with one sentence, whatever comes before it.
func TestGoose(t *testing.T) {
	if !MayComplain("I look for it.\n\nNetwork error: Stream decode error: error decoding response body\n\nPlease resend your message to try again.") {
		t.Error("what newer ones end with is an answer")
	}
	const last = "\n\nPlease retry if you think this is a transient or recoverable error."
	for line, want := range map[string]Kind{
		"Ran into this error: Request failed: Bad request (400): Error from provider (Console Go):\nRequest is missing x-opencode-session." + last: Unknown,
		"Ran into this error: Authentication error: 401" + last:                               LoggedOut,
		"Let me look.\nRan into this error: Request failed: rate limit exceeded (429)" + last: Busy,
	} {
		if got := (Refusal{Program: "goose", Words: line}).Kind(); !MayComplain(line) || got != want {
			t.Errorf("%q: a complaint: %t, of kind %d", line, MayComplain(line), got)
		}
		if answer := "It says:\n\n> " + line + "\n\nSo you can ask again."; IsComplaint(answer) {
			t.Errorf("the answer %q is taken for a complaint", answer)
		}
	}
}

func TestHermes(t *testing.T) {
	for line, want := range map[string]Kind{
		`HTTP 400: {"code":100001,"msg":"provider api key not configured"}`:                                        LoggedOut,
		"API call failed after 3 retries: [400]: max_tokens (98304) exceeds model's maximum output tokens (65536)": Unknown,
		"⚠️ Codex response remained incomplete after 3 continuation attempts":                                      Unknown,
		"API call failed after 3 retries: HTTP 500: Request failed: glm-5.1 model request failed":                  Failing,
	} {
		if got := (Refusal{Program: "hermes", Words: line}).Kind(); !MayComplain(line) || got != want {
			t.Errorf("%q: a complaint: %t, of kind %d", line, MayComplain(line), got)
		}
		for _, answer := range []string{"It says:\n\n> " + line + "\n\nSet the key.", "HTTP 400: the request was bad."} {
			if IsComplaint(answer) {
				t.Errorf("the answer %q is taken for a complaint", answer)
			}
		}
	}
}

func TestProgramOf(t *testing.T) {
	for path, want := range map[string]string{"claude": "claude", "/usr/local/bin/claude": "claude", `C:\Users\a\npm\claude.cmd`: "claude", "Codex.EXE": "codex",
		"claude-agent-acp": "claude", "claude-code-acp": "claude", "codex-acp": "codex", "kiro-cli": "kiro", "/usr/bin/q": "q", "cursor-agent": "cursor", "my-agent": "", "claudette": "", "": "", "node": "",
		"@google/gemini-cli@latest": "gemini", "kimi": AnyAgent} {
		if got := ProgramOf(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
	for command, want := range map[string]string{"npx -y @zed-industries/codex-acp@0.9": "codex", "claude -p gemini": "claude", "my-agent --with claude": "", "/usr/bin/env X=1 qwen": "qwen"} {
		if got := ProgramIn(strings.Fields(command)); got != want {
			t.Errorf("%s is %q, want %q", command, got, want)
		}
	}
}

// What programs say that do not reach their servers, each without a network: claude 2.1.330, codex 0.169, copilot 1.0.102, gemini
// 0.61, opencode 1.18, pi 0.87, qwen 0.24.
func TestUnreachable(t *testing.T) {
	for line, program := range map[string]string{
		"API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)":                                                  "claude",
		"Reconnecting... waiting for network (Connection failed: error sending request)":                                                         "codex",
		"Reconnecting... 2/5 (stream disconnected before completion: failed to lookup address information: Name does not resolve)":               "codex",
		"2026-11-28T10:36:50.064931Z ERROR codex_api::endpoint::responses_websocket: failed to connect to Responses WebSocket stage=Unknown":     "codex",
		"Failed native model HTTP request: client error (Connect): tcp connect error: Connection refused (os error 111) [ECONNREFUSED]":          "copilot",
		"  Failed to fetch PAT user login: network fetch failed: request failed: error sending request for url (https://api.github.com/copilot)": "copilot",
		"Attempt 1 failed. Retrying with backoff... Error: exception TypeError: fetch failed sending request":                                    "gemini",
		"AI_APICallError: Cannot connect to API: Unable to connect. Is the computer able to access the url?":                                     "opencode",
		"AI_APICallError: Cannot connect to API: Was there a typo in the url or port?":                                                           "opencode",
		"Connection error.": "pi",
		"[API Error: Connection error. (cause: fetch failed)]": "qwen",
		"getaddrinfo EAI_AGAIN api.example.com":                "",
		"dial tcp: lookup api.example.com: no such host":       "",
		"connect: network is unreachable":                      "",
		"curl: (6) Could not resolve host: api.example.com":    "",
	} {
		if got := (Refusal{Program: program, Words: line}).Kind(); got != Unreachable {
			t.Errorf("%s: %q is of kind %d", program, line, got)
		}
	}
	if got := (Refusal{Status: 502, Words: "connection refused"}).Kind(); got != Failing {
		t.Errorf("a server that was reached: %d", got)
	}
}

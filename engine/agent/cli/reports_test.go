package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
)

// TestReports plays what public reports saw of programs that failed.
func TestReports(t *testing.T) {
	t.Parallel()
	claudeSays := func(text string) string {
		return fmt.Sprintf(`{"type":"result","subtype":"success","is_error":true,"result":%q,"session_id":"s"}`, text)
	}
	claudeMakes := func(kind, event string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"id":"m","model":"<synthetic>","content":[{"type":"text","text":"Odd words"}]},"error":%q,"is_api_error_message":true}`, kind) + "\n" + event + "\n" +
			`{"type":"result","subtype":"success","is_error":false,"result":"Odd words","stop_reason":"stop_sequence","terminal_reason":"completed"}`
	}
	codexSays := func(text string) string {
		return fmt.Sprintf("{\"type\":\"error\",\"message\":%q}\n{\"type\":\"turn.failed\",\"error\":{\"message\":%[1]q}}", text)
	}
	piSays := func(text string) string {
		return fmt.Sprintf(`{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":%q}}`, text)
	}
	const perDay = "[API Error: [{\n    \"error\": {\n      \"code\": 429,\n      \"message\": \"Quota exceeded for limit 'Gemini 2.5 Pro Requests per day per user per tier'.\",\n      \"status\": \"RESOURCE_EXHAUSTED\"\n    }\n  }\n]\n]"
	const unused = "Cloud Code Private API has not been used in project 271520206934 before or it is disabled. Enable it by visiting https://console.developers.google.com/."
	const trace = "\n    at Gaxios._request (/usr/lib/node_modules/gaxios/build/src/gaxios.js:142:23)\n    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)"
	for _, c := range []struct {
		report, name   string
		status         int
		stdout, stderr string
		kind           agent.Kind
		sentence       string
	}{
		// claude names the kind of what it says by itself, and when a limit ends (2.1.330): its words may be any.
		{"made by claude", "claude", 0, claudeMakes("authentication_failed", ""), "", agent.Permanent, "claude is not logged in; run claude and log in: Odd words"},
		{"a limit", "claude", 1, claudeMakes("rate_limit", fmt.Sprintf(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour"}}`, time.Now().Add(2*time.Hour).Unix())), "", agent.Transient, "claude is at its limit until "},
		// What claude says without a result: https://github.com/monarch-initiative/dismech/issues/10735
		{"monarch-initiative/dismech#10735, a line", "claude", 1, `{"type":"system","subtype":"init"}` + "\nYou've hit your limit · resets 8:50pm (Europe/Lisbon)\n", "", agent.Transient, "claude is at its limit until "},
		{"monarch-initiative/dismech#10735, an event", "claude", 1, strings.Join(strings.SplitAfter(claudeMakes("rate_limit", ""), "\n")[:1], ""), "", agent.Transient, "claude is at its rate limit: Odd words"},
		{"github/copilot-cli#1181", "copilot", 0, "", "", agent.Transient, "copilot printed nothing; see in a terminal whether it answers there, and run copilot login if not"},
		{"no name", "claude", 0, claudeMakes("unknown", ""), "", agent.Transient, "claude reports a failure: Odd words"},
		{"earendil-works/pi#9089", "pi", 0, piSays(`OpenAI API error (401): {"message":"Incorrect API key provided: sk-abc***.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}`), "",
			agent.Permanent, "pi is not logged in; run pi and log in with /login: OpenAI API error (401): Incorrect API key provided"},
		{"luxus/pi-xai#10", "pi", 0, piSays(`OpenAI API error (403): 403 "You have run out of credits or need a Grok subscription."`), "", agent.Permanent, "pi says that there is no credit left: "},
		{"TiaraBasori/OpenCode2API#5", "pi", 0, piSays(`401: {"message":"Insufficient balance. Manage your billing here: https://opencode.ai/w","type":"CreditsError","param":"","code":null}`), "",
			agent.Permanent, "pi says that there is no credit left: 401: Insufficient balance"},
		{"xintaofei/codeg#152", "claude", 1, claudeSays("API Error: Claude's response exceeded the 32000 output token maximum. To configure this behavior, set ..."), "", agent.Permanent, "claude " + endings.Tokens.Says},
		{"MiniMax-AI/MiniMax-M2#62", "claude", 1, claudeSays(`API Error: 500 {"type":"error","error":{"type":"api_error","message":"insufficient balance (1008)"}}`), "", agent.Permanent, "claude says that there is no credit left: "},
		{"google-gemini/gemini-cli#20183", "gemini", 52, "", "Please set an Auth method in your settings.json or specify one of the following environment variables", agent.Permanent, "gemini is not logged in; run gemini and log in: Please set"},
		{"google-gemini/gemini-cli#24290", "gemini", 0, `{"session_id":"s","response":"","stats":{}}`, "", agent.Permanent, "gemini gave an empty answer"},
		{"google-gemini/gemini-cli#10925", "gemini", 1, "", perDay, agent.Transient, `gemini is at its rate limit: [API Error: [{ "error": { "code": 429, "message": "Quota exceeded for limit 'Gemini 2.5 Pro Requests per day`},
		{"openai/codex#47180", "codex", 1, codexSays("Selected model is at capacity. Please try a different model."), "", agent.Transient, "codex reports a failure: Selected model is at capacity"},
		{"openai/codex#37652", "codex", 1, codexSays("stream disconnected before completion: An error occurred while processing your request."), "", agent.Transient, "codex failed: stream disconnected"},
		{"openai/codex#6028", "codex", 1, codexSays("Failed to refresh token: 401 Unauthorized: Your refresh token has already been used. Please try signing in again."), "", agent.Permanent, "codex is not logged in; run codex login: Failed to refresh"},
		{"QwenLM/qwen-code#3858", "qwen", 1, "", "[API Error: 401 invalid access token or token expired]", agent.Permanent, "qwen is not logged in; run qwen and log in: [API Error: 401"},
		{"QwenLM/qwen-code#2905", "qwen", 1, "", "[API Error: 400 <400> InternalError.Algo.DataInspectionFailed: Input text data may contain inappropriate content.]", agent.Permanent, "qwen refused the request: [API Error: 400"},
		{"github/copilot-cli#4269", "copilot", 1, "", "Execution failed: CAPIError: 400 invalid message content type: <nil>", agent.Permanent, "copilot refused the request: Execution failed: CAPIError: 400"},
		{"anthropics/claude-code#39745", "claude", 1, claudeSays("API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded.\nhttps://docs.claude.com/en/api/errors\"}}"), "", agent.Transient, "claude failed with status 529: API Error: 529"},
		{"anthropics/claude-code#3197", "claude", 1, claudeSays("API Error (520 <!DOCTYPE html>\n<head>\n<title>520</title>\n</head>\n</html>)"), "", agent.Transient, "claude failed with status 520: API Error (520"},
		{"openai/codex#17642", "codex", 1, codexSays(`{"type":"error","status":400,"error":{"type":"invalid_request_error","message":"The 'gpt-5.3-codex' model is not supported when using Codex with a ChatGPT account."}}`), "",
			agent.Permanent, "codex was refused by its server (HTTP 400): The 'gpt-5.3-codex' model is not supported"},
		{"fastclaw-ai/weclaw#2", "codex", 1, "", "Not inside a trusted directory and --skip-git-repo-check was not specified.", agent.Transient, "codex ended with status 1: Not inside"},
		{"google-gemini/gemini-cli#14811", "gemini", 1, "", "✕ [API Error: [{\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"Resource exhausted.\"\n  }\n}\n]]\n  Possible quota limitations in place. Switching to the gemini-2.5-flash model for\n  the rest of this session.",
			agent.Transient, `gemini is at its rate limit: ✕ [API Error: [{ "error": { "code": 429, "message": "Resource exhausted."`},
		{"github/copilot-cli#3431", "copilot", 1, "", "402 {\"error\":{\"message\":\"You have no quota\",\"code\":\"quota_exceeded\"}}\n(Request ID: F499:17ECFD)", agent.Permanent, "copilot says that there is no credit left: 402"},
		{"github/copilot-cli#418", "copilot", 1, "", "× Model call failed: {\"message\":\"The requested model is not supported.\",\"code\"\n   :\"model_not_supported\"}", agent.Permanent, "copilot does not have the model that was asked for: × Model call failed"},
		{"openai/codex#36823", "codex", 1, codexSays("exceeded retry limit, last status: 429 Too Many Requests, request id: 9c84"), "", agent.Transient, "codex is at its rate limit: exceeded retry limit"},
		{"anomalyco/opencode#47162", "opencode", 1, `{"type":"error","error":{"name":"UnknownError","data":{"message":"Unexpected server error. Check server logs for details."}}}`, "", agent.Transient, "opencode reports a failure: Unexpected server error"},
		{"getpaseo/paseo#653", "opencode", 1, `{"type":"error","error":{"name":"UnknownError","data":{"message":"Model not found: cust-openai/gpt-5.5."}}}`, "", agent.Permanent, "opencode does not have the model that was asked for: Model not found"},
		{"anomalyco/opencode#50062, no step after the error", "opencode", 1, `{"type":"error","error":{"type":"provider.transport","message":"ECONNRESET: The socket connection was closed unexpectedly"}}`, "",
			agent.Transient, "opencode reports a failure: ECONNRESET"},
		{"QwenLM/qwen-code#8920", "qwen", 0, `{"type":"result","subtype":"success","is_error":false,"result":"[API Error: 401 status code (no body)]","usage":{"input_tokens":0,"output_tokens":0}}`, "",
			agent.Permanent, "qwen is not logged in; run qwen and log in: [API Error: 401"},
		{"fujitatomoya/rcl_logging_syslog#132", "gemini", 1, "", "Tools changed, updating Gemini context...\nError when talking to Gemini API Full report available at: /tmp/report.json\n" + `{"session_id":"s","error":{"type":"Error","message":"[object Object]","code":1}}`,
			agent.Transient, "gemini reports a failure: Error when talking to Gemini API Full report available at: /tmp/report.json"},
		{"pwrdrvr/PwrAgent#633", "codex", 1, codexSays("{\n  \"error\": {\n    \"message\": \"The model 'gpt-image-2' does not exist.\",\n    \"type\": \"image_generation_user_error\"\n  }\n}"), "",
			agent.Permanent, "codex does not have the model that was asked for: The model 'gpt-image-2' does not exist"},
		{"google-github-actions/run-gemini-cli#497", "gemini", 1, "", "GaxiosError: " + unused + trace + " {\n  config: {\n    method: 'POST',\n  },\n  error: undefined,\n  status: 403,\n  code: 403\n}\nYOLO mode is enabled.\nAn unexpected critical error occurred:Error: " + unused + trace,
			agent.Permanent, "gemini refused the request: GaxiosError: " + unused[:60]},
		{"google-github-actions/run-gemini-cli#258", "gemini", 1, "", "An unexpected critical error occurred:\nError: " + unused + trace, agent.Transient, "gemini ended with status 1: Error: " + unused[:60]},
		{"QwenLM/qwen-code#11217", "qwen", 0, `{"type":"result","subtype":"success","is_error":false,"result":"[API Error: messages: text content blocks must be non-empty]","usage":{"input_tokens":0,"output_tokens":0}}`, "",
			agent.Transient, "qwen reports a failure: [API Error: messages"},
		{"github/copilot-cli#680", "copilot", 1, "", "Model call failed: {\"message\":\"no endpoints available for this model under your\n   current plan and policies\",\"code\":\"no_available_model_endpoints\"} (Request ID:\n   7CE9:1D9E2F)",
			agent.Permanent, "copilot does not have the model that was asked for: Model call failed"},
		{"anomalyco/opencode#27559", "opencode", 0, "", "NotFoundError: NotFoundError\n data: {\n  message: \"Session not found: ses_doesnotexist\",\n},\n\n      at <anonymous> (/$bunfs/root/chunk-1q2thjd0.js:684:105806)",
			agent.Permanent, `opencode refused the request: message: "Session not found: ses_doesnotexist"`},
		{"monad-developers/ultrafuzz#972", "codex", 0, `{"type":"item.completed","item":{"type":"agent_message","text":"I will read the notes first."}}` + "\n" + `{"type":"item.completed","item":{"type":"command_execution","command":"cat a.md","status":"completed"}}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":900,"output_tokens":120}}`, "",
			agent.Permanent, "codex gave an empty answer"},
		{"ex-machina-co/opencode-anthropic-auth#162", "opencode", 1, `{"type":"error","error":{"name":"UnknownError","data":{"message":"Token refresh failed: 400 — {\"error\": \"invalid_grant\"}"}}}`, "", agent.Permanent, "opencode is not logged in; "},
		{"starhunt/star-cliproxy#2", "gemini", 55, "", "Gemini CLI is not running in a trusted directory.\nUse --skip-trust or GEMINI_CLI_TRUST_WORKSPACE=true\n", agent.Permanent, "gemini refused the request: Gemini CLI is not running in a trusted directory"},
		{"the same, and nothing beside it", "gemini", 1, "", `{"error":{"type":"Error","message":"[object Object]","code":1}}`, agent.Transient, "gemini reports a failure: it failed"},
	} {
		r, _ := play(t, c.name, made(t, c.status, c.stdout, c.stderr), agent.Settings{})
		reply, err := r.Run(t.Context(), taskOf(t, 1))
		failure, ok := errors.AsType[*agent.Failure](err)
		if !ok || failure.Kind != c.kind || !strings.HasPrefix(err.Error(), c.sentence) {
			t.Errorf("%s: %q, %v, want %s", c.report, reply.Text, err, c.sentence)
		}
	}
}

// TestRecovered: what opencode says after an error that it got over by itself is the answer, although it exits with status 1. A step
// that does not end well is none, and nothing that comes before the error.
func TestRecovered(t *testing.T) {
	const step = `{"type":"step_start","part":{"type":"step-start"}}` + "\n"
	text := func(text string) string {
		return fmt.Sprintf(`{"type":"text","part":{"type":"text","text":%q}}`+"\n", text)
	}
	end := func(reason string) string {
		return fmt.Sprintf(`{"type":"step_finish","part":{"type":"step-finish","reason":%q}}`+"\n", reason)
	}
	const failed = `{"type":"error","error":{"type":"provider.transport","message":"ECONNRESET"}}` + "\n"
	for out, want := range map[string]string{
		step + failed + step + text("On Friday.") + end("stop"):                                  "On Friday.",
		step + text("On Thu") + failed + step + failed + step + text("On Friday.") + end("stop"): "On Friday.",
		step + failed + step + text("On Fri"):                                                    "",
		step + failed + step + text("On Fri") + end("length"):                                    "",
		step + failed + step + text("I look.") + end("tool-calls"):                               "",
		step + text("On Friday.") + end("stop") + failed:                                         "",
		step + failed + text("On Friday.") + end("stop"):                                         "",
	} {
		r, _ := play(t, "opencode", made(t, 1, out, ""), agent.Settings{})
		reply, err := r.Run(t.Context(), taskOf(t, 1))
		if reply.Text != want || (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), "ECONNRESET") {
			t.Errorf("%s: %q, %v, want %q", out, reply.Text, err, want)
		}
	}
}

// TestLostEnd: opencode may exit before it has printed the end of its last step. A sealed text is whole all the same:
// https://github.com/anomalyco/opencode/issues/26855
func TestLostEnd(t *testing.T) {
	p := opencode
	p.seal = "ABCDEFGH"
	for text, want := range map[string]string{"BEGINABCDEFGH\\n`6 * 7 = 42`\\nENDABCDEFGH": "`6 * 7 = 42`", "BEGINABCDEFGH\\n`6 * 7": ""} {
		for _, end := range []string{"", `{"type":"step_finish","part":{"type":"step-finish","reason":"stop"}}`} {
			out := `{"type":"step_start","part":{"type":"step-start"}}` + "\n" + `{"type":"text","part":{"type":"text","text":"` + text + "\"}}\n" + end
			reply, err := p.judge(agent.Ended{Output: []byte(out)}, time.Now())
			if want != "" && (err != nil || reply.Text != want) || want == "" && (err == nil) != (end != "") {
				t.Errorf("%s%s: %q, %v", text, end, reply.Text, err)
			}
		}
	}
	p.read = func([]byte) outcome { return outcome{text: "a\nENDABCDEFGH"} }
	if reply, err := p.judge(agent.Ended{Status: 1}, time.Now()); err == nil {
		t.Errorf("with status 1: %q", reply.Text)
	}
}

// TestLastMessage: claude 2.1.83 left the text out of its result, and had said it whole: https://github.com/anthropics/claude-code/issues/39044
func TestLastMessage(t *testing.T) {
	message := func(id, text, more string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"content":[{"type":"text","text":%q}]}%s}`+"\n", id, text, more)
	}
	result := func(subtype, end string) string {
		return fmt.Sprintf(`{"type":"result","subtype":%q,"is_error":false,"result":"","stop_reason":%q,"usage":{"output_tokens":13}}`+"\n", subtype, end)
	}
	good := result("success", "end_turn")
	for out, want := range map[string]string{
		message("1", "\n\nOn Friday.", "") + good:                                                                                                                      "On Friday.",
		message("1", "I look.", "") + message("2", "On ", "") + message("2", "Friday.", "") + good:                                                                     "On Friday.",
		message("1", "On Friday.", "") + message("2", "A report.", `,"parent_tool_use_id":"t"`) + good:                                                                 "On Friday.",
		message("1", "I look.", "") + `{"type":"assistant","message":{"id":"2","content":[{"type":"thinking","thinking":"hm"}]}}` + "\n" + good:                        "",
		message("1", "I look.", "") + `{"type":"assistant","message":{"id":"1","content":[{"type":"tool_use","name":"Read"}]}}` + "\n" + result("success", "tool_use"): "",
		`{"type":"assistant","message":"On Friday."}` + "\n" + good:                                                                                                    "",
		message("1", "On Fri", "") + result("success", "max_tokens"):                                                                                                   "",
		message("1", "On Fri", "") + result("error_max_turns", ""):                                                                                                     "",
		message("1", "On Fri", ""): "",
		message("1", "API Error: Rate limit reached", "") + `{"type":"result","subtype":"success","is_error":true,"result":"API Error: Rate limit reached"}`: "",
	} {
		r, _ := play(t, "claude", made(t, 0, out, ""), agent.Settings{})
		if reply, err := r.Run(t.Context(), taskOf(t, 1)); strings.TrimSpace(reply.Text) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v, want %q", out, reply.Text, err, want)
		}
	}
}

// TestQuotedComplaint: an answer that a model has written may be what a program prints in place of one.
func TestQuotedComplaint(t *testing.T) {
	const line = "[API Error: 401 status code (no body)]"
	r, _ := play(t, "qwen", made(t, 0, fmt.Sprintf(`{"type":"result","subtype":"success","is_error":false,"result":%q,"usage":{"input_tokens":9,"output_tokens":12}}`, line), ""), agent.Settings{})
	if reply, err := r.Run(t.Context(), taskOf(t, 1)); err != nil || reply.Text != line {
		t.Errorf("%q, %v", reply.Text, err)
	}
}

// TestLimitsOfReports reads when limits end that programs word in their own ways.
func TestLimitsOfReports(t *testing.T) {
	const copilot = "Sorry, you've hit a rate limit that restricts the number of Copilot model requests you can make within a specific time period. Please try again in 2 hours.\n(Request ID: AF08:1CC094)"
	tomorrow := time.Now().AddDate(0, 0, 1)
	for _, c := range []struct {
		name, stdout, stderr string
		atLeast              time.Duration
	}{
		// https://github.com/github/copilot-cli/issues/2336
		{"copilot", fmt.Sprintf(`{"type":"session.error","data":{"errorType":"rate_limit","message":%q}}`, copilot), "", 119 * time.Minute},
		{"copilot", "", copilot, 119 * time.Minute},
		// https://github.com/anthropics/claude-code/issues/51981
		{"claude", fmt.Sprintf(`{"type":"result","is_error":true,"result":%q}`, "You've hit your limit · resets "+tomorrow.Format("Jan 2")+" at 4pm (America/Recife)"), "", time.Second},
	} {
		r, _ := play(t, c.name, made(t, 1, c.stdout, c.stderr), agent.Settings{})
		_, err := r.Run(t.Context(), taskOf(t, 1))
		limit, ok := errors.AsType[*agent.RateLimited](err)
		if !ok || time.Until(limit.Expiry) < c.atLeast || limit.Expiry.After(tomorrow.AddDate(0, 0, 1)) {
			t.Errorf("%s%s: %v", c.stdout, c.stderr, err)
		}
	}
}

package agent

import (
	"strings"
	"testing"
)

// What commands print in public reports, with status 0, is not written. None of it has a row.
func TestReportsOfCommands(t *testing.T) {
	for report, c := range map[string]struct{ program, text string }{
		"anthropics/claude-code#85040":        {"claude", "I don't see a request in your message, just system context. What would you like help with?"},
		"cline/cline#12394":                   {"cline", `Error: {"code":"insufficient_credits","current_balance":-0.14,"message":"Not enough credits available"}`},
		"aaif-goose/goose#1359":               {"goose", "  2025-02-23T20:44:03.662300Z ERROR goose::agents::truncate: Error: Request failed: Request failed with status: 400 Bad Request. Message: * GenerateContentRequest.contents[23].parts: contents.parts must not be empty.\n\n    at crates/goose/src/agents/truncate.rs:279\n\nRan into this error: Request failed: Request failed with status: 400 Bad Request. Message: * GenerateContentRequest.contents[23].parts: contents.parts must not be empty.\n.\n\nPlease retry if you think this is a transient or recoverable error."},
		"aaif-goose/goose#10353":              {"goose", ""},
		"MoonshotAI/kimi-cli#900":             {"kimi", "hello\nTurnBegin(user_input='hello')\nStepBegin(n=1)\nTextPart(type='text', text='Hi!')\nStatusUpdate(context_usage=0.02, token_usage=TokenUsage(input_other=2302, output=43))\nTurnEnd()"},
		"mistralai/mistral-vibe#264":          {"vibe", "Error: API error from mistral (model: mistral-vibe-cli-latest): Ratelimit exceeded. Please wait a moment before trying again."},
		"mistralai/mistral-vibe#740":          {"vibe", "Rate limit exceeded for mistral (model: mistral-vibe-cli-latest)"},
		"mistralai/mistral-vibe#235":          {"vibe", "Error: API error from mistral (model: mistral-vibe-cli-latest): LLM backend error [mistral]\n  status: N/A\n  reason: ReadError('')\n  provider_message: Network error\n  body_excerpt: \n"},
		"mistralai/mistral-vibe#398":          {"vibe", "Error: API error from mistral (model: mistral-vibe-cli-latest): LLM backend error [mistral]\n  status: 400 Bad Request\n  reason: Bad Request\n  provider_message: N/A\n"},
		"Gitlawb/openclaude#1359":             {"openclaude", ` API Error: 400 {"error":{"message":"Param Incorrect","type":"upstream_error","code":"400"}}`},
		"QwenLM/qwen-code#401":                {"qwen", "✕ [API Error: Streaming setup timeout after 6s. Try reducing\ninput length or increasing timeout in config.\n\nStreaming setup timeout troubleshooting:\n\nReduce input length or complexity\nConsider using non-streaming mode for very long inputs]"},
		"QwenLM/qwen-code#2756":               {"qwen", "[API Error: Streaming request timeout after 46s. Try reducing input length or increasing timeout in config.\n\n    Streaming timeout troubleshooting:\n    - Reduce input length or complexity]"},
		"github/copilot-cli#3544":             {"copilot", "⚡ Aegis extension loaded (with dashboard)\n\nChanges    +0 -0\nRequests   1 Premium (10s)\nTokens     ↑ 29.9k (11.0k cached) • ↓ 5"},
		"gemini-cli-extensions/security#20":   {"gemini", "Error executing tool write_file: Tool \"write_file\" not found in registry. Tools must use the exact names that are registered."},
		"ollama/ollama#4794":                  {"ollama", "Error: llama runner process has terminated: exit status 0xc000001d"},
		"anthropics/anthropic-sdk-python#688": {"my-agent", "anthropic.APIStatusError: {'type': 'error', 'error': {'details': None, 'type': 'overloaded_error', 'message': 'Overloaded'}}"},
		"cline/cline#2165":                    {"cline", "Connection error."},
		"BerriAI/litellm#6532":                {"aider", "litellm.InternalServerError: AnthropicException - Overloaded. Handle with `litellm.InternalServerError`."},
		"anthropics/claude-code#4208":         {"claude", `Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}` + "\n    at S4.generate (file:///home/a/cli.js:1296:6428)"},
		"geerlingguy/ai-benchmarks#16":        {"ollama", "Error: model requires more system memory (14.2 GiB) than is available (13.7 GiB)"},
		"heyhuynhgiabuu/proxypal#95":          {"amp", `{"error":{"code":"not-found","message":"Credit information not found for this request ID"},"level":"warn","message":"Failed to fetch credits","pid":12425}`},
		"0xHoneyJar/loa#966":                  {"cursor-agent", `{"level":"warn","msg":"still here"}`},
		"aidenybai/react-grab#39":             {"cursor-agent", "Error: cursor-agent exited with code 1"},
	} {
		command := fakeAgent(t, "args", c.text)
		command.Argv[0] = namedAgent(t, c.program)
		task := taskIn(t, "")
		if got, _, err := Ask(task, 1, func(task Task) (Reply, error) { return run(t, command, task) }); err == nil {
			t.Errorf("%s: %q is written", report, got)
		} else if strings.Contains(report, "12394") && !strings.Contains(err.Error(), "no credit left") {
			t.Errorf("%s: %v", report, err)
		}
	}
	// The answer stands between what a program prints beside it.
	for report, c := range map[string]struct{ program, text, want string }{
		"github/copilot-cli#3397": {"copilot", "⣾⣽⣻⢿● Display contents of /tmp/x (shell)\n  │ cat /tmp/x\n  └ 4 lines...\n\n(\nThe file contains three short lines.\n)\n", "The file contains three short lines."},
		"charmbracelet/mods#239":  {"mods", "\n  (\n  Hello!\n  )\n\nConversation was not saved because  --no-cache  or  NO_CACHE  is set.\n", "Hello!"},
	} {
		command := fakeAgent(t, "seals", c.text)
		command.Argv[0] = namedAgent(t, c.program)
		if reply, err := run(t, command, taskIn(t, "")); err != nil || strings.TrimSpace(reply.Text) != c.want {
			t.Errorf("%s: %q, %v", report, reply.Text, err)
		}
	}
}

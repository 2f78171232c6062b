package endings

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/lazyregexp"
)

// Refusal is what an agent, or the server behind it, says instead of an answer.
type Refusal struct {
	Program string    // whose words they are, as [ProgramOf] has it; "" = a server's alone
	Status  int       // of HTTP, or like one; 0 = none was named
	Names   []string  // of the error, such as its code and its type
	Words   string    // as they came
	Expiry  time.Time // when to come back; zero = not said
	Window  int       // how many tokens the model reads at once; 0 = not said
}

// Kind is what follows from a refusal.
type Kind int

const (
	Unknown     Kind = iota // nothing is known but the words
	Busy                    // asked too much: come back later
	NoCredit                // a person has to pay
	LoggedOut               // a person has to log in
	NoModel                 // there is no model of this name
	NoPlace                 // there is nothing at this address
	TooLong                 // the model does not read that much at once
	Wordy                   // the model does not write that much at once
	Failing                 // the server has a failure that may pass
	Unreachable             // the agent does not reach its server
	Wrong                   // the same request is refused again
)

// names of errors, in lower case.
var names = map[string]Kind{
	// https://platform.openai.com/docs/guides/error-codes
	"insufficient_quota": NoCredit, "billing_hard_limit_reached": NoCredit, "billing_not_active": NoCredit,
	"rate_limit_exceeded": Busy, "invalid_api_key": LoggedOut, "model_not_found": NoModel, "context_length_exceeded": TooLong, "server_error": Failing,
	// https://docs.anthropic.com/en/api/errors, without api_error: Ollama names every failure so (https://github.com/netease-youdao/QAnything/issues/555)
	"authentication_error": LoggedOut, "billing_error": NoCredit, "rate_limit_error": Busy, "request_too_large": TooLong,
	"timeout_error": Failing, "overloaded_error": Failing,
	// https://cloud.google.com/apis/design/errors#handling_errors
	"resource_exhausted": Busy, "unauthenticated": LoggedOut, "unavailable": Failing, "internal": Failing, "deadline_exceeded": Failing,
	// https://github.com/ggml-org/llama.cpp/pull/15780
	"exceed_context_size_error": TooLong,
	// https://github.com/BerriAI/litellm/issues/41777, https://github.com/BerriAI/litellm/issues/36729, https://github.com/eslint/tsc-meetings/pull/593
	"request_timeout": Failing, "budget_exceeded": NoCredit, "tokens_limit_reached": TooLong,
	// https://github.com/chatboxai/chatbox/issues/646, https://github.com/RightNow-AI/openfang/issues/60
	"deploymentnotfound": NoModel, "model_decommissioned": NoModel,
	// One API: https://github.com/popjane/free_chatgpt_api/issues/78
	"insufficient_user_quota": NoCredit, "insufficient_credits": NoCredit, // the last of cline: https://github.com/cline/cline/pull/12394
	// https://platform.moonshot.ai/docs/api/chat#error-description
	"exceeded_current_quota_error": NoCredit, "rate_limit_reached_error": Busy, "engine_overloaded_error": Failing,
	// https://github.com/router-for-me/CLIProxyAPI/issues/3115, https://github.com/openclaw/openclaw/issues/129352, https://github.com/earendil-works/pi/issues/2313
	"usage_limit_reached": Busy, "rate_limited": Busy, "model_context_window_exceeded": TooLong, "network_error": Failing,
	// Of claude's own messages: https://code.claude.com/docs/en/agent-sdk/typescript
	"authentication_failed": LoggedOut, "oauth_org_not_allowed": Wrong, "account_on_hold": Wrong, "verification_required": Wrong, "rate_limit": Busy,
	"overloaded": Failing, "max_output_tokens": Wordy, "cloud_credential_error": LoggedOut,
}

// nameInWords is what may be one of the names in words.
var nameInWords = lazily(`\b[a-z]+(?:_[a-z]+)+\b`)

// kindOfName returns the kind of the names that stand in words, where no server has told them apart; Failing says least.
func kindOfName(words string) Kind {
	kind := Unknown
	for _, name := range nameInWords().FindAllString(words, -1) {
		if named := names[name]; named != Unknown && (kind == Unknown || kind == Failing) {
			kind = named
		}
	}
	return kind
}

var lazily = lazyregexp.New

// said is a kind of refusal that is known by its words, under any status or only where none is named.
type said struct {
	kind      Kind
	universal bool
	words     func() *regexp.Regexp
}

var words = []said{
	// OpenAI and vLLM: "maximum context length is N tokens"; llama.cpp: "exceeds the available context size"; LM Studio: "context length of
	// only N tokens" (https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/237); Anthropic: "prompt is too long" and "exceed context
	// limit" (https://github.com/continuedev/continue/issues/6080); Gemini: "exceeds the maximum number of tokens allowed"; SGLang: "longer than
	// the model's context length" (https://github.com/openclaw/openclaw/issues/129352); TGI: "must be <= N"
	// (https://github.com/huggingface/huggingface_hub/issues/2514), which it also says of the answer alone, and "must have less than N tokens". LM Studio
	// once more: https://github.com/anomalyco/opencode/issues/2259, https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1024; DashScope:
	// "Range of input length should be [1, N]" (https://www.alibabacloud.com/help/en/model-studio/error-code). xAI: "maximum prompt length is N"
	// (https://github.com/cline/cline/issues/3120); Copilot: "prompt token count of M exceeds the limit of N" (https://github.com/jjleng/copilot-more/issues/35);
	// Kimi: "exceeded model token limit: N", "model max length exceeded" (https://github.com/MoonshotAI/kimi-cli/issues/2011,
	// https://github.com/MoonshotAI/MoonshotAI-Cookbook/issues/18); SiliconFlow: "must be less than max_seq_len (N)" (https://github.com/chatboxai/chatbox/issues/2060);
	// vLLM once more: "maximum model length of N" (https://github.com/EvolvingLMMs-Lab/lmms-eval/issues/711); LM Studio: "n_keep (M) >= n_ctx (N)"
	// (https://github.com/continuedev/continue/issues/11279); MiniMax: "context window exceeds limit", "token limit" (https://github.com/MiniMax-AI/MiniMax-M2/issues/119,
	// https://github.com/MiniMax-AI/MiniMax-01/issues/15); Perplexity: "length of all messages is too long" (https://github.com/BerriAI/litellm/issues/21647); Cohere: "number of
	// tokens (prompt and prediction) cannot exceed N" (https://github.com/cohere-ai/sandbox-topically/issues/4); Cerebras: "reduce the length of the messages"
	// (https://github.com/anomalyco/opencode/issues/1551); Azure: "exceed the configured limit of N tokens" (https://github.com/BerriAI/litellm/issues/15968).
	{TooLong, true, lazily(`(?i)\b(maximum|max) context length\b|\bcontext (length|size|window|limit)[^.\n]{0,40}\b(exceeded|overflow)|\b(exceeds?|longer than)\b[^.\n]{0,40}\b(context (length|size|window|limit)|maximum number of (input )?tokens)|\bcontext length of only \d|\b(prompt|input) is too long\b|\bgreater than the context length\b|\breached context length of \d|\brange of input length should be\b|\btokens \+ .max_new_tokens. must be <= \d|\binputs. must have less than \d+ tokens` +
		`|\bmaximum (?:prompt length is|model length of) \d|\bprompt token count of \d+ exceeds\b|\bmodel (?:token limit: \d|max length exceeded)|\bless than max_seq_len\b|\bn_keep \(\d+\) >= n_ctx\b|\bcontext window exceeds limit\b|^token limit$` +
		`|\blength of all messages is too long\b|\btokens \(prompt and prediction\) cannot exceed\b|\breduce the length of the messages\b|\bexceed the configured limit of \d+ tokens\b`)},
	// https://github.com/xintaofei/codeg/issues/152
	{Wordy, true, lazily(`(?i)\bexceeded the \d+ output token maximum\b`)},
	// https://docs.anthropic.com/en/api/errors, https://api-docs.deepseek.com/quick_start/error_codes, https://openrouter.ai/docs/api-reference/errors;
	// xAI: https://github.com/continuedev/continue/issues/10373, https://github.com/Wei-Shaw/sub2api/issues/4069; Gemini: https://github.com/anomalyco/opencode/issues/50743
	{NoCredit, true, lazily(`(?i)\bcredit balance is too low\b|\binsufficient (account )?(balance|credits?|funds|quota)\b|\brequires more credits\b|\b(used all available|run out of|monthly included) credits\b|\breached (?:its|your) (?:[\w-]+ ){0,4}spend(?:ing)? limit\b`)},
	// LiteLLM, with status 429 and 400, without a name: https://github.com/BerriAI/litellm/issues/14144, https://github.com/continuedev/continue/issues/11579
	{NoCredit, true, lazily(`(?i)\bbudget has been exceeded\b|\bexceeded ?budget(?: for\b|: )`)},
	// Zhipu, with status 429 and 400: https://github.com/NousResearch/hermes-agent/issues/18302, https://github.com/nexu-io/nexu/issues/855
	{NoCredit, true, lazily(`(?:余额|额度)不足|请充值|欠费`)},
	{NoModel, true, lazily(`模型不存在`)},
	// OpenAI and vLLM, also without the name of the error: https://github.com/pwrdrvr/PwrAgent/pull/633
	{NoModel, true, lazily(`(?i)\bmodel\b.{0,80}\bdoes not exist\b`)},
	// OpenRouter: https://github.com/vyancharuk/nodejs-api-boilerplate/issues/16, https://github.com/truefoundry/models/pull/826
	{NoModel, true, lazily(`(?i)\bno endpoints (found|available)\b`)},
	// NVIDIA, with status 403: https://github.com/dmMaze/BallonsTranslator/issues/1233; Gemini, with status 400: https://ai.google.dev/gemini-api/docs/troubleshooting, https://github.com/continuedev/continue/issues/9655
	{LoggedOut, true, lazily(`(?i)\bapi key (?:is )?(?:not valid|expired)\b|^authorization failed$`)},
	// https://github.com/openai/codex/issues/10617, with status 502: https://github.com/vm0-ai/vm0/issues/16056
	{LoggedOut, true, lazily(`(?i)\btoken[ _]refresh[ _]failed\b`)},
	// https://github.com/continuedev/continue/issues/11719
	{Busy, true, lazily(`(?i)\breached your (specified )?API usage limits?\b`)},
	{Busy, true, lazily(`\bResourceExhausted: `)}, // NVIDIA: https://github.com/QuantumNous/new-api/issues/6619
	// A model's template refuses the messages, with status 500 and 400: https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2012,
	// https://github.com/MoonlightByte/NeverEndingQuest/issues/179
	{Wrong, true, lazily(`(?i)\bjinja (?:exception|template)\b`)},
	// Ollama, with status 500: https://github.com/continuedev/continue/issues/9160
	{Wrong, true, lazily(`(?i)\bmodel requires more system memory\b`)},
	// OpenAI, without status, also as a failure of its server: https://github.com/openai/codex/issues/41672, https://github.com/BerriAI/litellm/pull/40243
	{Wrong, true, lazily(`(?i)\bflagged for possible (?:\w+ )?risk\b`)},
	// OpenRouter, with status 403: https://github.com/MCPJam/inspector/issues/1287
	{NoCredit, true, lazily(`(?i)\bkey limit exceeded\b`)},
	{NoCredit, false, lazily(`(?i)\bout of (?:\w+ )?credits\b|\bno (?:more )?credits (?:left|remaining|available)\b|\bcredits? (?:are |have been |has been |is )?(?:exhausted|depleted|used up)\b|\b(?:exhausted|depleted|used up) (?:all )?(?:of )?(?:your |the )?(?:\w+ )?credits\b|\bpayment required\b|\bspend(?:ing)? (?:limit|cap) (?:reached|exceeded)\b`)},
	{Busy, false, lazily(`(?i)\brate[_ -]?limit|\btoo many requests\b|\busage limit\b|\bquota (?:has been |was )?(?:exceeded|exhausted|reached)\b|\bexceeded (?:your|the) (?:current )?quota\b|\bresource has been exhausted\b`)},
	{LoggedOut, false, lazily(`(?i)\bnot (?:logged|signed) in\b|\bLLM not set\b|\b(?:not authenticated|unauthenticated)\b|\bplease (?:log|sign) ?in (?:again|first|to (?:your|continue|use))\b|\b(?:access|refresh|auth|oauth|session) ?token\b[^.\n]{0,30}\b(?:expired|invalid|invalidated|revoked)\b|\binvalid (?:access token|credentials|token)\b|\b(?:api[_ -]?key|credentials) (?:is |are |was |were )?(?:missing|required|not (?:found|set|configured|provided))\b|\bno (?:api key|credentials) (?:found|configured|set|provided)\b|\b(?:missing|expired) api key\b|\bunauthorized\b|\bAuth(?:entication)?Error\b|\binvalid[_ ](x-)?api[_ -]key\b|\bauthentication[_ ]error\b|\bincorrect api key\b`)},
	// The words of Node, Go, Rust, Bun and the system for an unreachable server:
	// https://nodejs.org/api/errors.html#common-system-errors, https://github.com/openai/codex/issues/13811,
	// https://github.com/google-gemini/gemini-cli/issues/1549, https://github.com/anomalyco/opencode/issues/5945
	{Unreachable, false, lazily(`(?i)\bE(?:NOTFOUND|CONNREFUSED|AI_AGAIN|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN)\b|\bgetaddrinfo\b|\bconnection ?refused\b|\bnetwork is (?:unreachable|down)\b|\bno route to host\b` +
		`|\bfetch failed\b|\bunable to connect\b|\btypo in the url or port\b|\bconnection error\b|\bfailed to lookup address\b|\b(?:temporary failure in )?name resolution\b|\bcould not resolve host\b|\bno such host\b|\bFailedToOpenSocket\b|\berror sending request\b`)},
	{NoModel, false, lazily(`(?i)\bmodel\b.{0,80}\b(?:not found|identifier is invalid)\b|\b(?:unknown|invalid|unsupported) model\b|\bmodel not found\b`)},
	// https://github.com/github/copilot-cli/issues/3101, https://github.com/anomalyco/opencode/issues/49586, https://github.com/inmve/free-ai-coding/issues/50
	{Wrong, false, lazily(`(?i)\baccess denied\b|\bcan only be used (?:from|with|by|in)\b|\bhas been discontinued\b|\bis no longer (?:supported|available)\b`)},
	// https://github.com/huggingface/tau/issues/442, https://github.com/openai/codex/issues/8987
	{Failing, false, lazily(`(?i)\bservers? (?:is|are) (?:currently )?overloaded\b|\bstream disconnected before completion\b`)},
}

// tooLarge is said of a request that wants more tokens than there are by the minute. It is named as any limit of them is
// (https://github.com/autohandai/code-cli/issues/317), and no time helps.
var tooLarge = lazily(`(?i)\brequest too large for\b`)

// Kind judges the refusal. One that only says when to come back was asked too much.
func (r Refusal) Kind() Kind {
	if r.Window > 0 || tooLarge().MatchString(r.Words) {
		return TooLong
	}
	named := Unknown
	for _, name := range r.Names {
		if kind := names[strings.ToLower(name)]; kind == Failing {
			named = kind // it says least: llama.cpp names a full context so as well
		} else if kind != Unknown {
			return kind
		}
	}
	isUnpaid := cmp.Or(r.Status, StatusIn(r.Words)) == http.StatusPaymentRequired
	for _, s := range slices.Concat(programs[r.Program].words, words) {
		if (s.universal || r.Status == 0 && !isUnpaid) && s.words().MatchString(r.Words) {
			return s.kind
		}
	}
	if named = cmp.Or(named, kindOfName(r.Words)); named != Unknown {
		return named
	}
	kind := kindOfStatus(cmp.Or(r.Status, StatusIn(r.Words)), r.Words)
	if kind == Unknown && !r.Expiry.IsZero() {
		return Busy
	}
	return kind
}

// Learn takes what a program tells of its refusal beside the words: its name for the kind, and the second at which a limit ends.
// The words count first: they say more.
func (r *Refusal) Learn(name string, reset int64, now time.Time) {
	if kind := r.Kind(); name != "" && (kind == Unknown || kind == Wrong && r.Status == 0) {
		r.Names = append(r.Names, name)
	}
	if r.Expiry.IsZero() && reset > 0 {
		r.Expiry = ReadReset(r.Program, fmt.Sprintf("%s resets_at: %d", r.Words, reset), now)
	}
}

var statusInText = lazily(`(?i)(?:\b(?:status(?: code)?|http|error code|\w*error(?: \([a-z][^()\n]*\))?)[:= (]+|\brejected \(|["'](?:[a-z_]+_)?(?:code|status(?:_?code)?)["'] ?: ?["']?|^)(4\d\d|5\d\d)\b`)

// StatusIn returns the HTTP status in words, or 0 without one.
func StatusIn(words string) int {
	status := 0
	if m := statusInText().FindStringSubmatch(words); m != nil {
		status, _ = strconv.Atoi(m[1])
	}
	return status
}

func kindOfStatus(status int, words string) Kind {
	switch {
	case status == http.StatusUnauthorized:
		return LoggedOut
	case status == http.StatusPaymentRequired:
		return NoCredit
	case status == http.StatusTooManyRequests:
		return Busy
	case status == http.StatusRequestEntityTooLarge:
		return TooLong
	case status == http.StatusNotFound && strings.Contains(strings.ToLower(words), "model"):
		return NoModel
	case status == http.StatusNotFound:
		return NoPlace
	case status == http.StatusRequestTimeout, status >= 500:
		return Failing
	case status >= 400:
		return Wrong
	}
	return Unknown
}

// window finds the number of tokens in the words of a refusal.
var window = lazily(`(?i)(?:context (?:length|size|window)(?: is| of)?(?: only)?|maximum number of (?:input )?tokens allowed)[: ]*\(?(\d{3,9})\b|\d > (\d{3,9})\b|\b(\d{3,9}) maximum context length|\btokens > (\d{3,9}) maximum|\btokens \+ .max_new_tokens. must be <= (\d{3,9})\b|\bmust have less than (\d{3,9}) tokens|\bmax size: (\d{3,9}) tokens|\bn_ctx: (\d{3,9})\b|\binput length should be \[1, (\d{3,9})\]|\btoo large for\b[^\n]*\bLimit (\d{3,9}), Requested` +
	`|\bmaximum (?:prompt length is|model length of) (\d{3,9})\b|\bexceeds the limit of (\d{3,9})\b|\bmodel token limit: (\d{3,9})\b|\bmax length: ?(\d{3,9})\b|\bmax_seq_len \((\d{3,9})\)|>= n_ctx \((\d{3,9})\)` +
	`|\bcannot exceed (\d{3,9})\b|\bwhile limit is (\d{3,9})\b|\bconfigured limit of (\d{3,9})\b`)

// ReadWindow returns how many tokens the model reads at once by what is said; 0 = it is not said.
func (r Refusal) ReadWindow() int {
	if r.Window > 0 {
		return r.Window
	}
	for _, number := range window().FindStringSubmatch(r.Words) {
		if tokens, err := strconv.Atoi(number); err == nil {
			return tokens
		}
	}
	return 0
}

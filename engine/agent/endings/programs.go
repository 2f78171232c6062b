package endings

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// program is what is known of the words of an agent program: a row of [programs].
type program struct {
	// line is each line that the program prints in place of an answer and that is then all of its output. What the line means,
	// words and the words of all say. nil = none is known.
	line func() *regexp.Regexp

	words   []said   // its own, before those of all
	periods []period // of its limits, those that have a name first
}

// period is how long a limit lasts at most that names itself in these words.
type period struct {
	words  func() *regexp.Regexp // nil = any
	length time.Duration
}

const day = 24 * time.Hour

// Windows that several programs have.
var (
	session = period{lazily(`(?i)\bsession\b|\b5[- ]?h(?:our)?\b|\bfive[- _]hour|\b5 ?小时`), 5 * time.Hour}
	daily   = period{lazily(`(?i)\bdaily\b|\bper day\b|PerDay`), day}
	monthly = period{lazily(`(?i)\bmonthly\b|\bper month\b`), 31 * day} // https://github.com/anomalyco/opencode/issues/44099
	week    = period{nil, 7 * day}
	month   = period{nil, 31 * day}
)

// Server is the row of [programs] of all servers: no program has this name.
const Server = "/"

// programs are the agent programs by their names.
var programs = map[string]program{
	// Tokens and requests are counted by the minute and the day: https://platform.openai.com/docs/guides/rate-limits; subscriptions by
	// sessions of five hours: https://github.com/dirge-code/dirge/issues/818, https://github.com/continuedev/continue/issues/11444
	Server: {periods: []period{session, daily, monthly, week}},
	// The lines: https://code.claude.com/docs/en/errors, https://github.com/anthropics/claude-code/issues/79500,
	// https://github.com/anthropics/claude-code/issues/2087, https://github.com/anthropics/claude-code/issues/5666,
	// https://github.com/anthropics/claude-code/issues/6102, https://github.com/anthropics/claude-code/issues/45886,
	// https://github.com/anthropics/claude-code/issues/1450, https://github.com/anthropics/claude-code/issues/74225, https://github.com/anthropics/claude-code/issues/52569; claude 2.1.330 itself takes each text that begins with "API Error"
	// for an error. The windows, 18,000 s and 604,800 s, are those that 2.1.330 knows; a model of its own has the week's.
	"claude": {
		line: lazily(`(?i)^(?:API Error(?::| ?\().*|Credit balance (?:is )?too low(?: [·∙].*|\.)?|Claude (?:AI |Pro |Max )?usage limit reached(?:\|\d+|\. Your limit will reset .*)?` +
			`|You've (?:hit|reached) your (?:(?:session|5-hour|weekly|usage|monthly|spend|opus|sonnet) ){0,2}limit(?: [·∙].*|\. See .*)?|(?:(?:session|5-hour|weekly|usage|opus|sonnet) ){0,2}limit reached [·∙|].*` +
			`|You're out of (?:extra usage|usage credits)(?: [·∙].*|\.)?|Unable to connect to (?:Anthropic services(?: \(.*)?|API: .*)|Request too large \(max .*|Error during compaction: .*|\S+ is temporarily unavailable, so auto mode .*` +
			`|There's an issue with the selected model \(.*|\[Request interrupted by user[^\]]*\]|No response requested\.|Error: Input must be provided either through stdin.*|Error: \{.*"error_type":.*\}` +
			`|(?:Not logged in|Invalid API key|Invalid auth token|Login expired|Authentication required|Authentication error|Anthropic profile login expired) ?·.*|OAuth token (?:(?:revoked|has expired)(?: ?[.·].*)?|does not meet scope requirement .*)` +
			`|Please run /login ·.*|Failed to authenticate(?:[.:] .*)?|Your ANTHROPIC_API_KEY belongs to .*|(?:This|Your) organization has (?:been disabled|disabled Claude).*|Your account does not have access to Claude.*` +
			`|Prompt is too long(?: ·.*)?|Execution error|Error: Reached max turns.*|Request timed out(?: ·.*|\.)?|Server is temporarily limiting requests(?: [(·].*)?)$`),
		words: []said{
			{NoCredit, true, lazily(`(?i)credit balance (?:is )?too low|monthly spend limit|spend limit reached|out of (?:extra usage|usage credits)`)},
			{Busy, false, lazily(`(?i)\b(?:hit|reached) your [a-z0-9 -]*limit|limit[ _]reached\b|limiting requests`)},
			{NoModel, true, lazily(`(?i)issue with the selected model`)},
			{Wrong, true, lazily(`(?i)appears to violate our usage policy`)},
			{TooLong, false, lazily(`(?i)^(?:request too large|error during compaction)`)},
			{Failing, false, lazily(`(?i)is temporarily unavailable`)},
			{LoggedOut, false, lazily(`(?i)not logged in|/login\b|login again|scope requirement|invalid (?:api key|auth token)|log ?in expired|authentication required|failed to authenticate|oauth (?:token|session)[^.]*(?:expired|revoked|invalid)`)},
			{Wrong, false, lazily(`(?i)belongs to a disabled organization|organization has (?:been )?disabled`)},
		},
		periods: []period{session, monthly, week},
	},
	// https://github.com/openai/codex/issues/8987, https://github.com/openai/codex/issues/18801; the periods: https://github.com/openai/codex/issues/2669
	"codex": {
		line: lazily(`^(?:■ |(?:\[[^\]\n]+\] )?ERROR: |stream error: )?(?:You've hit your usage limit(?: for \S+)?(?:\..*)?|Quota exceeded\. Check your plan.*|stream disconnected before completion.*|unexpected status \d{3} .*|exceeded retry limit.*|Error running remote compact task: .*)$`),
		words: []said{
			{NoCredit, true, lazily(`(?i)quota exceeded\. check your plan|out of credits`)},
			{Busy, false, lazily(`(?i)usage limit`)},
			{LoggedOut, false, lazily(`(?i)codex login|not logged in|missing bearer|access token could not be refreshed|sign in again|missing environment variable`)},
			{Unreachable, false, lazily(`(?i)failed to connect to Responses WebSocket|waiting for network|error sending request`)},
		},
		periods: []period{session, monthly, week},
	},
	// https://github.com/github/copilot-cli/issues/730, https://github.com/github/copilot-cli/issues/2063; requests are counted by the
	// month: https://docs.github.com/en/copilot/concepts/billing/copilot-requests
	"copilot": {
		// https://github.com/github/copilot-cli/issues/2336, https://github.com/github/copilot-cli/issues/3431, https://github.com/github/copilot-cli/issues/418,
		// https://github.com/github/copilot-cli/issues/190, https://github.com/ollama/ollama/issues/15707
		line: lazily(`(?i)^(?:[✘✗×] )?(?:\d{3} (?:You have no quota|\{).*|Quota exceeded\..*|Error: No (?:authentication information|supported model available|model available).*|Execution failed: (?:Error: |\d{3} |Failed to get response ).*` +
			`|Model call failed: .*|Model "[^"]+" is not available.*|Authentication failed with provider at .*|Sorry, you've (?:hit|exceeded) (?:a|your) (?:[a-z-]+ ){0,3}limits?\b.*|You've hit your rate limit\..*)$`),
		words: []said{
			{NoCredit, true, lazily(`(?i)you have no quota|quota[_ ]exceeded`)},
			{NoModel, true, lazily(`(?i)\bno (?:supported )?model available\b|\bmodels?\b.{0,80}\bis not (?:available|supported)\b`)},
			{Busy, false, lazily(`(?i)quota|premium requests?|limit exceeded|\b(?:hit|exceeded) (?:a|your)\b.{0,40}\blimits?\b`)},
			// Behind each it names the variables for a token, also where it only did not reach the server that knows it.
			{LoggedOut, false, lazily(`(?i)no authentication information|copilot login|authentication (?:failed|token found but could not be validated)`)},
		},
		periods: []period{daily, month},
	},
	// https://github.com/google-gemini/gemini-cli/issues/15576, https://github.com/google-gemini/gemini-cli/issues/10925, https://github.com/google-gemini/gemini-cli/issues/21923,
	// https://github.com/google-gemini/gemini-cli/issues/20425; requests are
	// counted by the minute and the day: https://geminicli.com/docs/resources/quota-and-pricing
	"gemini": {
		line: lazily(`(?i)^(?:✕ )?\[API Error: .*\](?: \(Press .*\))?$|^(?:Error when talking to Gemini API|Please set an Auth method|Invalid auth method|Error authenticating: IneligibleTierError: ).*$|^(?s:Error authenticating: IneligibleTierError: .*\])$`),
		words: []said{
			{Wrong, false, lazily(`IneligibleTierError|not running in a trusted directory`)}, // https://github.com/starhunt/star-cliproxy/issues/2
			{Busy, false, lazily(`(?i)quota|resource[_ ]exhausted|exhausted your capacity`)},
			{LoggedOut, false, lazily(`(?i)auth(?:entication)? method|GEMINI_API_KEY|api key not valid|please (?:log|sign) in|authentication (?:failed|required)`)},
		},
		periods: []period{{nil, day}},
	},
	// https://github.com/anomalyco/opencode/issues/5945, https://github.com/getpaseo/paseo/issues/653, https://github.com/anomalyco/opencode/issues/33766,
	// https://github.com/anomalyco/opencode/issues/47747; it asks any provider
	"opencode": {
		line: lazily(`(?i)^Error: (?:Unable to connect\.|(?:Incorrect|Invalid) API key|Unauthorized(?:[.:]|$)|Model not found: |AI_APICallError|Provider\w*Error|\w+ API error \(\d{3}\)|Please reduce the length of the messages|(?:[\w']+ ){0,4}(?:(?:rate|usage) limit|quota) (?:has been )?(?:reached|exceeded)|\{).*$`),
		words: []said{
			{NoModel, true, lazily(`(?i)\bmodel not found\b`)},
			{Wrong, true, lazily(`(?i)\bsession not found\b`)}, // https://github.com/anomalyco/opencode/issues/27559
			{Busy, false, lazily(`(?i)usage limit|quota`)},
			{LoggedOut, false, lazily(`(?i)ProviderAuthError|api key is missing|opencode auth login|unauthorized`)},
		},
		periods: []period{session, daily, monthly, week},
	},
	// https://github.com/earendil-works/pi/issues/4172, https://github.com/Yeachan-Heo/gajae-code/issues/1669; it asks any provider
	"pi": {
		line: lazily(`(?i)^(?:Error: )?(?:No API key found for \S+\.|Codex error(?: event)?: |\w+ API error \(\d{3}\): |\d{3}[: ]+\{).*$`),
		words: []said{
			{Busy, false, lazily(`(?i)usage[_ ]limit|quota|overloaded`)},
			{LoggedOut, false, lazily(`(?i)no api key|no models available|/login\b|authentication_error|invalid api key`)},
		},
		periods: []period{session, daily, monthly, week},
	},
	// It prints the error as its library words it, over one line or as the JSON of the server, and its own advice behind it
	// (https://github.com/Aider-AI/aider/issues/3918, https://github.com/Aider-AI/aider/issues/3550, https://github.com/Aider-AI/aider/issues/2913); it asks any provider.
	"aider": {
		line: lazily(`(?s)^(?:(?:Aider v|(?:Main |Weak |Editor )?[Mm]odel: |Git repo: |Repo-map: |Added |Restored previous |Retrying in )[^\n]*\n+)*litellm\.\w+: (?:[^\n]*|.*[}'"])(?:\n+(?:The API provider |Check your |Retrying in )[^\n]*)*$`),
		words: []said{
			{Busy, false, lazily(`(?i)RateLimitError`)},
			{LoggedOut, false, lazily(`(?i)AuthenticationError`)},
			{Failing, false, lazily(`(?i)(?:InternalServer|ServiceUnavailable|APIConnection|Timeout)(?:Error)?\b`)},
		},
		periods: []period{session, daily, monthly, week},
	},
	// https://github.com/cursor/cursor/issues/3703, https://github.com/saaranshM/unsnooze/issues/19, https://github.com/escoffier-labs/brigade/issues/205,
	// https://github.com/tiann/hapi/issues/878
	"cursor": {
		line: lazily(`(?i)^(?:Error: (?:You've hit your (?:usage|free requests) limit.*|Authentication required.*)|⚠ Workspace Trust Required)(?:\n(?:Get Cursor |fallbackModel:|spendLimit\w*:|chatMessage:|reset when your ).*)*$|^(?:(?s:.*)\n)?Error: T: (?:\[[a-z_]+\] |Connection stalled).*$`),
		words: []said{
			{Wrong, false, lazily(`(?i)workspace trust required`)},
			{Busy, false, lazily(`\[resource_exhausted\]`)},
			{Failing, false, lazily(`\[(?:canceled|unavailable|internal|aborted)\]|Connection stalled`)},
			{LoggedOut, false, lazily(`(?i)authentication required`)},
		},
		periods: []period{month},
	},
	// It ends every failure with the same sentence and status 0, as text and over the Agent Client Protocol
	// (https://github.com/aaif-goose/goose/issues/11900, https://github.com/dcellison/kai/issues/629,
	// https://github.com/aaif-goose/goose/issues/10897); it asks any provider.
	"goose": {
		line: lazily(`(?is)^.*\b(?:Please retry if you think this is a transient or recoverable error|Please resend your message to try again|The conversation is too long for the model's context window)\.$`),
		words: []said{
			{TooLong, true, lazily(`(?i)conversation is too long for the model`)},
			{LoggedOut, false, lazily(`(?i)authentication (?:error|failed)|no api key|goose configure`)},
			{Busy, false, lazily(`(?i)quota`)},
		},
		periods: []period{session, daily, monthly, week},
	},
	"hermes": hermes,
	"kiro":   kiro, "q": kiro, // it is Amazon Q's new name
	// https://github.com/QwenLM/qwen-code/issues/1742; it asks any provider
	"qwen": {
		line: lazily(`(?i)^(?:✕ )?\[API Error: .*\](?: \(Press .*\))?$|^No auth type is selected\..*$`),
		words: []said{
			{Busy, false, lazily(`(?i)quota|resource[_ ]exhausted`)},
			{LoggedOut, false, lazily(`(?i)no auth type|auth(?:entication)? (?:type|method)|api key (?:is )?(?:missing|not found|required)`)},
		},
		periods: []period{session, daily, monthly, week},
	},
}

// kiro prints a report of several lines where its server refuses (https://github.com/aws/amazon-q-developer-cli/issues/1946,
// https://github.com/kirodotdev/Kiro/issues/3812). The lines: https://github.com/kirodotdev/Kiro/issues/7929, https://github.com/kirodotdev/Kiro/issues/10184,
// https://github.com/kirodotdev/Kiro/issues/9134, https://github.com/kirodotdev/Kiro/issues/8638, https://github.com/kirodotdev/Kiro/issues/10553
var kiro = program{
	line: lazily(`^(?:⚠\S* +WARNING: .*\n+)*(?:25l)?Authentication failed\. Your API key may be .*(?:\s*25h)?$|^(?:The request was throttled by the service|Too many requests, please wait|You've reached your \w+ usage limit\. Please return|The \w+ usage limit has been reached).*$` +
		`|^(?:WARNING: Retry #.*\n+)*(?:Amazon Q|Kiro) is having trouble responding right now:.*(?:\n(?:[ \t]+.*|Location:|Backtrace omitted\..*|Run with RUST_BACKTRACE=.*)?)*$`),
	words: []said{
		{LoggedOut, false, lazily(`(?i)authentication failed`)},
		{Busy, false, lazily(`(?i)throttl(?:ed|ing)`)},
	},
	periods: []period{month},
}

// ProgramOf is the name under which a program is known that is started from path, which may be a bare name; "" = it is not known.
// Its adapter for the Agent Client Protocol, such as claude-agent-acp, has its words.
func ProgramOf(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1", "-acp", "-agent", "-code", "-cli"} {
		name = strings.TrimSuffix(name, ending)
	}
	if _, known := programs[name]; !known {
		return ""
	}
	return name
}

// longestLine is how long a line may be that a program prints in place of an answer, and longestComplaint how long all of it.
const longestLine, longestComplaint = 4 << 10, 64 << 10

// marks precede text in a terminal: https://github.com/fuergaosi233/claude-code-proxy/issues/36, https://github.com/Aider-AI/aider/issues/4851
const marks = "⎿░ \n"

// appendix is a line that may accompany such a line: it is indented, names a request, an address, a command or a
// variable, or gives advice.
var appendix = lazily(`(?i)^(?:\s.*|\(request[ _]id: .*|https?://\S+|/[a-z-]+ .*|\(https?://.*|or try again at .*|● Continuing autonomously .*|Check your [A-Z_]+ .*|It may not exist or you may not have access to it\.|Run /model .*|Please adjust your input and try again.*|⚠ Falling back from .*|Possible quota limitations in place .*|the rest of this session\.|)$`)

// IsComplaint reports whether text, the whole output of a program, consists of lines that the program prints in place
// of an answer. A line includes the lines below that close its JSON or brackets. It is false for an unknown program.
func IsComplaint(program, text string) bool {
	p := programs[program]
	text = strings.TrimLeft(strings.TrimSpace(text), marks)
	if p.line == nil || len(text) > longestComplaint {
		return false
	}
	for part := range strings.Lines(text) {
		if len(part) > longestLine {
			return false
		}
	}
	if p.line().MatchString(text) {
		return true
	}
	complains := false
	for line := ""; text != ""; {
		line, text = CutFirst(text)
		if isOne := p.line().MatchString(line); !isOne && !appendix().MatchString(line) {
			return false
		} else if isOne {
			complains = true
		}
	}
	return complains
}

// FindRefusal returns what of all that a program has said is known to be a refusal: the first line that it prints in place of an answer,
// or else the last one that says what went wrong, or else the first such line that says nothing of it. Behind a refusal some say where their report is
// (https://github.com/QwenLM/qwen-code/issues/1375). False = nothing is known of it.
func FindRefusal(program, said string) (Refusal, bool) {
	said = strings.TrimSpace(said)
	of := func(line string) Refusal { return Refusal{Program: program, Words: strings.TrimSpace(line)} }
	if IsComplaint(program, said) {
		if first, _ := CutFirst(said); of(first).Kind() != Unknown {
			said = first
		}
		return of(said), true
	}
	lines := slices.DeleteFunc(strings.Split(said, "\n"), func(line string) bool { return of(line).Kind() == Unknown })
	if len(lines) == 0 {
		for line := ""; said != ""; {
			if line, said = CutFirst(said); IsComplaint(program, line) {
				return of(line), true
			}
		}
		return Refusal{}, false
	}
	at := slices.IndexFunc(lines, func(line string) bool { return IsComplaint(program, line) })
	if at < 0 {
		at = len(lines) - 1
	}
	return nameError(program, said, lines[at]), true
}

// CutFirst returns the first line of a text, in one piece with the lines below it that close its brackets, and the rest.
func CutFirst(text string) (first, rest string) {
	depth := 0
	for at, r := range text {
		switch r {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case '\n':
			if depth <= 0 {
				return strings.ReplaceAll(text[:at], "\n", " "), text[at+1:]
			}
		}
	}
	if depth <= 0 {
		return strings.ReplaceAll(text, "\n", " "), ""
	}
	first, rest, _ = strings.Cut(text, "\n")
	return first, rest
}

// periodOf returns the longest time that a limit of a program with these words lasts.
func periodOf(program, text string) time.Duration {
	list := programs[program].periods
	if i := slices.IndexFunc(list, func(p period) bool { return p.words == nil || p.words().MatchString(text) }); i >= 0 {
		return list[i].length
	}
	return month.length // the longest known period
}

package endings

// Programs that ask the service of their maker.

// claude has these lines: https://code.claude.com/docs/en/errors, https://github.com/anthropics/claude-code/issues/79500,
// https://github.com/anthropics/claude-code/issues/2087, https://github.com/anthropics/claude-code/issues/5666,
// https://github.com/anthropics/claude-code/issues/6102, https://github.com/anthropics/claude-code/issues/45886,
// https://github.com/anthropics/claude-code/issues/1450, https://github.com/anthropics/claude-code/issues/74225, https://github.com/anthropics/claude-code/issues/52569,
// https://github.com/anthropics/claude-code/issues/67412; claude 2.1.330 itself takes each text that begins with "API Error"
// for an error. The windows, 18,000 s and 604,800 s, are those that 2.1.330 knows; a model of its own has the week's.
var claude = program{
	line: lazily(`(?i)^(?:API Error(?::| ?\().*|Credit balance (?:is )?too low(?: [·∙].*|\.)?|Claude (?:AI |Pro |Max )?usage limit reached(?:\|\d+|\. Your limit will reset .*)?` +
		`|You've (?:hit|reached) your (?:(?:session|5-hour|weekly|usage|monthly|spend|opus|sonnet) ){0,2}limit(?:\. See .*)?|(?:(?:session|5-hour|weekly|usage|opus|sonnet) ){0,2}limit reached [·∙|].*` +
		`|You(?:'re|'ve run) out of (?:extra usage|usage credits)(?: [·∙].*|\.)?|Unable to connect to (?:Anthropic services(?: \(.*)?|API: .*)|Request too large \(max .*|Error during compaction: .*|\S+ is temporarily unavailable, so auto mode .*` +
		`|There's an issue with the selected model \(.*|\[Request interrupted by user[^\]]*\]|No response requested\.|Error: Input must be provided either through stdin.*|Unknown (?:slash )?(?:command|skill): \S+` +
		`|(?:Not logged in|Invalid API key|Invalid auth token|Login expired|Authentication required|Authentication error|Anthropic profile login expired) ?·.*|OAuth token (?:(?:revoked|has expired)(?: ?[.·].*)?|does not meet scope requirement .*)` +
		`|Please run /login ·.*|Failed to authenticate(?:[.:] .*)?|Your ANTHROPIC_API_KEY belongs to .*|(?:This|Your) organization has (?:been disabled|disabled Claude).*|Your account does not have access to Claude.*` +
		`|Prompt is too long(?: ·.*)?|Execution error|Error: Reached max turns.*|Request timed out(?: ·.*|\.)?|Server is temporarily limiting requests(?: [(·].*)?)$` +
		`|^(?s:.*\n)[⏺⎿ ]*API Error: [^\n]*(?:closed mid-response|may be incomplete)[^\n]*$`), // it breaks off: https://github.com/anthropics/claude-code/issues/80825
	words: []said{
		{NoCredit, true, lazily(`(?i)credit balance (?:is )?too low|monthly spend limit|spend limit reached|out of (?:extra usage|usage credits)`)},
		{Busy, false, lazily(`(?i)\b(?:hit|reached) your [a-z0-9 -]*limit|limit[ _]reached\b`)},
		{NoModel, true, lazily(`(?i)issue with the selected model`)},
		{Wrong, false, lazily(`^Unknown `)}, // https://github.com/anthropics/claude-code/issues/88387
		{Wrong, true, lazily(`(?i)appears to violate our usage policy`)},
		{TooLong, false, lazily(`(?i)^(?:request too large|error during compaction)`)},
		{Failing, false, lazily(`(?i)is temporarily unavailable`)},
		{LoggedOut, false, lazily(`(?i)/login\b|login again|scope requirement|invalid auth token|log ?in expired|authentication required|failed to authenticate`)},
		{Wrong, false, lazily(`(?i)belongs to a disabled organization|organization has (?:been )?disabled`)},
	},
	periods: []period{session, monthly, week},
}

// codex: https://github.com/openai/codex/issues/8987, https://github.com/openai/codex/issues/18801; the periods: https://github.com/openai/codex/issues/2669
var codex = program{
	line: lazily(`^(?:ERROR: )?You've hit your usage limit(?: for \S+)?(?:\..*)?$`),
	words: []said{
		{NoCredit, true, lazily(`(?i)quota exceeded\. check your plan`)},
		{LoggedOut, false, lazily(`(?i)codex login|missing bearer|access token could not be refreshed|sign in again|missing environment variable`)},
		{Unreachable, false, lazily(`(?i)failed to connect to Responses WebSocket|waiting for network`)},
	},
	periods: []period{session, monthly, week},
}

// copilot: https://github.com/github/copilot-cli/issues/730, https://github.com/github/copilot-cli/issues/2063; requests are counted by the
// month: https://docs.github.com/en/copilot/concepts/billing/copilot-requests
var copilot = program{
	// https://github.com/github/copilot-cli/issues/2336, https://github.com/github/copilot-cli/issues/3431, https://github.com/github/copilot-cli/issues/418,
	// https://github.com/github/copilot-cli/issues/190, https://github.com/ollama/ollama/issues/15707
	line: lazily(`(?i)^(?:[✘✗×] )?(?:\d{3} You have no quota.*|Quota exceeded\..*|Error: No (?:authentication information|supported model available|model available).*|Execution failed: (?:Error: |\d{3} |Failed to get response ).*` +
		`|Model "[^"]+" is not available.*|Authentication failed with provider at .*|Sorry, you've (?:hit|exceeded) (?:a|your) (?:[a-z-]+ ){0,3}limits?\b.*)$`),
	words: []said{
		{NoCredit, true, lazily(`(?i)you have no quota|quota[_ ]exceeded`)},
		{NoModel, true, lazily(`(?i)\bno (?:supported )?model available\b|\bmodels?\b.{0,80}\bis not (?:available|supported)\b`)},
		{Busy, false, lazily(`(?i)quota|premium requests?`)},
		// Behind each it names the variables for a token, also where it only did not reach the server that knows it.
		{LoggedOut, false, lazily(`(?i)no authentication information|copilot login|authentication (?:failed|token found but could not be validated)`)},
	},
	periods: []period{daily, month},
}

// cursor: https://github.com/cursor/cursor/issues/3703, https://github.com/saaranshM/unsnooze/issues/19, https://github.com/escoffier-labs/brigade/issues/205,
// https://github.com/tiann/hapi/issues/878
var cursor = program{
	line: lazily(`(?i)^(?:Error: (?:You've hit your (?:usage|free requests) limit.*|Authentication required.*)|⚠ Workspace Trust Required)(?:\n(?:Get Cursor |fallbackModel:|spendLimit\w*:|chatMessage:|reset when your ).*)*$|^(?:(?s:.*)\n)?Error: T: (?:\[[a-z_]+\] |Connection stalled).*$`),
	words: []said{
		{Wrong, false, lazily(`(?i)workspace trust required`)},
		{Failing, false, lazily(`\[(?:canceled|unavailable|internal|aborted)\]|Connection stalled`)},
		{LoggedOut, false, lazily(`(?i)authentication required`)},
	},
	periods: []period{month},
}

// gemini: https://github.com/google-gemini/gemini-cli/issues/15576, https://github.com/google-gemini/gemini-cli/issues/10925, https://github.com/google-gemini/gemini-cli/issues/21923,
// https://github.com/google-gemini/gemini-cli/issues/20425; requests are
// counted by the minute and the day: https://geminicli.com/docs/resources/quota-and-pricing
var gemini = program{
	line: lazily(`(?i)^(?:Please set an Auth method|Invalid auth method).*$|^(?s:Error authenticating: IneligibleTierError: .*\])$`),
	words: []said{
		{Wrong, false, lazily(`IneligibleTierError|not running in a trusted directory`)}, // https://github.com/starhunt/star-cliproxy/issues/2
		{Busy, false, lazily(`(?i)quota|resource[_ ]exhausted`)},
		{LoggedOut, false, lazily(`(?i)auth(?:entication)? method|GEMINI_API_KEY|please (?:log|sign) in|authentication (?:failed|required)`)},
	},
	periods: []period{{nil, day}},
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

package endings

// Programs that ask the service of their maker.

// claude: https://code.claude.com/docs/en/errors. The windows, 18,000 s and 604,800 s, are those that 2.1.330 knows; a model of its own has
// the week's.
var claude = program{periods: []period{session, monthly, week}, words: []said{
	{NoCredit, true, lazily(`(?i)credit balance (?:is )?too low|monthly spend limit|spend limit reached|out of (?:extra usage|usage credits)`)},
	{Busy, false, lazily(`(?i)\b(?:hit|reached) your [a-z0-9 -]*limit|limit[ _]reached\b`)},
	{NoModel, true, lazily(`(?i)issue with the selected model`)},
	{Wrong, false, lazily(`^Unknown `)}, // https://github.com/anthropics/claude-code/issues/88387
	{Wrong, true, lazily(`(?i)appears to violate our usage policy`)},
	{TooLong, false, lazily(`(?i)^(?:request too large|error during compaction)`)},
	{Failing, false, lazily(`(?i)is temporarily unavailable`)},
	{LoggedOut, false, lazily(`(?i)/login\b|login again|scope requirement|invalid auth token|log ?in expired|authentication required|failed to authenticate`)},
	{Wrong, false, lazily(`(?i)belongs to a disabled organization|organization has (?:been )?disabled`)},
}}

// codex: https://github.com/openai/codex/issues/8987, https://github.com/openai/codex/issues/18801; the periods: https://github.com/openai/codex/issues/2669
var codex = program{periods: []period{session, monthly, week}, words: []said{
	{NoCredit, true, lazily(`(?i)quota exceeded\. check your plan`)},
	{LoggedOut, false, lazily(`(?i)codex login|missing bearer|access token could not be refreshed|sign in again|missing environment variable`)},
	{Unreachable, false, lazily(`(?i)failed to connect to Responses WebSocket|waiting for network`)},
}}

// copilot: https://github.com/github/copilot-cli/issues/730, https://github.com/github/copilot-cli/issues/2063; requests are counted by the
// month: https://docs.github.com/en/copilot/concepts/billing/copilot-requests
var copilot = program{periods: []period{daily, month}, words: []said{
	{NoCredit, true, lazily(`(?i)you have no quota|quota[_ ]exceeded`)},
	{NoModel, true, lazily(`(?i)\bno (?:supported )?model available\b|\bmodels?\b.{0,80}\bis not (?:available|supported)\b`)},
	{Busy, false, lazily(`(?i)quota|premium requests?`)},
	// Behind each it names the variables for a token, also where it only did not reach the server that knows it.
	{LoggedOut, false, lazily(`(?i)no authentication information|copilot login|authentication (?:failed|token found but could not be validated)`)},
}}

// cursor: https://github.com/cursor/cursor/issues/3703, https://github.com/saaranshM/unsnooze/issues/19
var cursor = program{periods: []period{month}, words: []said{
	{Wrong, false, lazily(`(?i)workspace trust required`)},
	{Failing, false, lazily(`\[(?:canceled|unavailable|internal|aborted)\]|Connection stalled`)},
	{LoggedOut, false, lazily(`(?i)authentication required`)},
}}

// gemini: https://github.com/google-gemini/gemini-cli/issues/15576, https://github.com/google-gemini/gemini-cli/issues/10925; the
// periods: https://geminicli.com/docs/resources/quota-and-pricing
var gemini = program{periods: []period{{nil, day}}, words: []said{
	{Wrong, false, lazily(`IneligibleTierError|not running in a trusted directory`)}, // https://github.com/starhunt/star-cliproxy/issues/2
	{Busy, false, lazily(`(?i)quota|resource[_ ]exhausted`)},
	{LoggedOut, false, lazily(`(?i)auth(?:entication)? method|GEMINI_API_KEY|please (?:log|sign) in|authentication (?:failed|required)`)},
}}

// kiro: https://github.com/aws/amazon-q-developer-cli/issues/1946, https://github.com/kirodotdev/Kiro/issues/7929
var kiro = program{periods: []period{month}, words: []said{
	{LoggedOut, false, lazily(`(?i)authentication failed`)},
	{Busy, false, lazily(`(?i)throttl(?:ed|ing)`)},
}}

package endings

// Programs that ask any provider.

// aider prints the error as its library words it, over one line or as the JSON of the server, and its own advice behind it
// (https://github.com/Aider-AI/aider/issues/3918, https://github.com/Aider-AI/aider/issues/3550, https://github.com/Aider-AI/aider/issues/2913); it asks any provider.
var aider = program{
	line: lazily(`(?s)^(?:(?:Aider v|(?:Main |Weak |Editor )?[Mm]odel: |Git repo: |Repo-map: |Added |Restored previous |Retrying in )[^\n]*\n+)*litellm\.\w+: (?:[^\n]*|.*[}'"])(?:\n+(?:The API provider |Check your |Retrying in )[^\n]*)*$`),
	words: []said{
		{Busy, false, lazily(`(?i)RateLimitError`)},
		{LoggedOut, false, lazily(`(?i)AuthenticationError`)},
		{Failing, false, lazily(`(?i)(?:InternalServer|ServiceUnavailable|APIConnection|Timeout)(?:Error)?\b`)},
	},
	periods: []period{session, daily, monthly, week},
}

// goose ends every failure with the same sentence and status 0, as text and over the Agent Client Protocol
// (https://github.com/aaif-goose/goose/issues/11900, https://github.com/dcellison/kai/issues/629,
// https://github.com/aaif-goose/goose/issues/10897); it asks any provider.
var goose = program{
	line: lazily(`(?is)^.*\b(?:Please retry if you think this is a transient or recoverable error|Please resend your message to try again|The conversation is too long for the model's context window)\.$`),
	words: []said{
		{TooLong, true, lazily(`(?i)conversation is too long for the model`)},
		{LoggedOut, false, lazily(`(?i)authentication (?:error|failed)|no api key|goose configure`)},
		{Busy, false, lazily(`(?i)quota`)},
	},
	periods: []period{session, daily, monthly, week},
}

// hermes says over the Agent Client Protocol what went wrong as its answer, and that its turn ended well
// (https://github.com/NousResearch/hermes-agent/issues/89948, https://github.com/NousResearch/hermes-agent/issues/72281). It asks any
// provider. Only a line with the JSON of a server is taken for an error of HTTP: a sentence may begin so too.
var hermes = program{
	line: lazily(`^(?:HTTP [45]\d\d: \{.*\}|API call failed after \d+ retries: .*)$`),
	words: []said{
		{LoggedOut, false, lazily(`(?i)api key (?:is )?not configured`)},
	},
	periods: []period{session, daily, monthly, week},
}

// opencode: https://github.com/anomalyco/opencode/issues/5945, https://github.com/getpaseo/paseo/issues/653, https://github.com/anomalyco/opencode/issues/33766,
// https://github.com/anomalyco/opencode/issues/47747; it asks any provider
var opencode = program{
	line: lazily(`(?i)^Error: (?:Unable to connect\.|(?:Incorrect|Invalid) API key|Unauthorized(?:[.:]|$)|Model not found: |AI_APICallError|Provider\w*Error|\w+ API error \(\d{3}\)|Please reduce the length of the messages|(?:[\w']+ ){0,4}(?:(?:rate|usage) limit|quota) (?:has been )?(?:reached|exceeded)|\{).*$`),
	words: []said{
		{NoModel, true, lazily(`(?i)\bmodel not found\b`)},
		{Wrong, true, lazily(`(?i)\bsession not found\b`)}, // https://github.com/anomalyco/opencode/issues/27559
		{Busy, false, lazily(`(?i)usage limit|quota`)},
		{LoggedOut, false, lazily(`(?i)ProviderAuthError|api key is missing|opencode auth login|unauthorized`)},
	},
	periods: []period{session, daily, monthly, week},
}

// pi: https://github.com/earendil-works/pi/issues/4172, https://github.com/Yeachan-Heo/gajae-code/issues/1669; it asks any provider
var pi = program{
	line: lazily(`(?i)^(?:Error: )?(?:No API key found for \S+\.|Codex error(?: event)?: |\w+ API error \(\d{3}\): |\d{3}[: ]+\{).*$`),
	words: []said{
		{Busy, false, lazily(`(?i)usage[_ ]limit|quota|overloaded`)},
		{LoggedOut, false, lazily(`(?i)no api key|no models available|/login\b|authentication_error|invalid api key`)},
	},
	periods: []period{session, daily, monthly, week},
}

// qwen: https://github.com/QwenLM/qwen-code/issues/1742; it asks any provider
var qwen = program{
	line: lazily(`(?i)^(?:✕ )?\[API Error: .*\](?: \(Press .*\))?$|^(?:No auth type is selected|Qwen OAuth free tier has been discontinued)\..*$`),
	words: []said{
		{Busy, false, lazily(`(?i)quota|resource[_ ]exhausted`)},
		{LoggedOut, false, lazily(`(?i)no auth type|auth(?:entication)? (?:type|method)|api key (?:is )?(?:missing|not found|required)`)},
	},
	periods: []period{session, daily, monthly, week},
}

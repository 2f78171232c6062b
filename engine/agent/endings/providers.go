package endings

// Programs that ask any provider.

// aider prints the error as its library words it, over one line or as the JSON of the server, and its own advice behind it
// (https://github.com/Aider-AI/aider/issues/3918, https://github.com/Aider-AI/aider/issues/3550, https://github.com/Aider-AI/aider/issues/2913), or what an empty answer has cost
// (https://github.com/Aider-AI/aider/issues/3385, https://github.com/Aider-AI/aider/pull/5176); it asks any provider.
var aider = program{
	line:    lazily(`(?s)^(?:(?:Aider v|(?:Main |Weak |Editor )?[Mm]odel: |Git repo: |Repo-map: |Added |Restored previous |Retrying in )[^\n]*\n+)*(?:litellm\.\w+: (?:[^\n]*|.*[}'"])|Tokens: \S+ sent, 0 received\b[^\n]*|Empty response received from LLM\.[^\n]*)(?:\n+(?:The API provider |Check your |Retrying in |Tokens: )[^\n]*)*$`),
	periods: []period{session, daily, monthly, week},
}

// goose ends every failure with the same sentence and status 0, as text and over the Agent Client Protocol
// (https://github.com/aaif-goose/goose/issues/11900, https://github.com/dcellison/kai/issues/629,
// https://github.com/aaif-goose/goose/issues/10897); it asks any provider.
var goose = program{
	line: lazily(`(?is)^.*\b(?:Please retry if you think this is a transient or recoverable error|Please resend your message to try again|The conversation is too long for the model's context window)\.$`),
	words: []said{
		{TooLong, true, lazily(`(?i)conversation is too long for the model`)},
		{LoggedOut, false, lazily(`(?i)authentication failed|no api key|goose configure`)},
	},
	periods: []period{session, daily, monthly, week},
}

// hermes says over the Agent Client Protocol what went wrong as its answer, and that its turn ended well
// (https://github.com/NousResearch/hermes-agent/issues/89948, https://github.com/NousResearch/hermes-agent/issues/72281,
// https://github.com/NousResearch/hermes-agent/issues/3956). It asks any provider.
var hermes = program{
	line: lazily(`^(?:(?:\w+ )?response remained incomplete after \d+ continuation attempts|(?s:.*)\n\nThis turn did not complete\. .*)$`),
	words: []said{
		{LoggedOut, true, lazily(`(?i)api key (?:is )?not configured|\brejected your api key\b`)}, // https://github.com/anomalyco/opencode/issues/40194
	},
	periods: []period{session, daily, monthly, week},
}

// opencode: https://github.com/anomalyco/opencode/issues/5945, https://github.com/getpaseo/paseo/issues/653, https://github.com/anomalyco/opencode/issues/33766,
// https://github.com/anomalyco/opencode/issues/47747; it asks any provider
var opencode = program{
	line: lazily(`(?i)^Error: (?:Unable to connect\.|(?:Incorrect|Invalid) API key|Unauthorized(?:[.:]|$)|AI_APICallError|Provider\w*Error|Please reduce the length of the messages).*$`),
	words: []said{
		{Wrong, true, lazily(`(?i)\bsession not found\b`)}, // https://github.com/anomalyco/opencode/issues/27559
		{LoggedOut, false, lazily(`(?i)ProviderAuthError|opencode auth login`)},
	},
	periods: []period{session, daily, monthly, week},
}

// pi: https://github.com/earendil-works/pi/issues/4172, https://github.com/Yeachan-Heo/gajae-code/issues/1669; it asks any provider
var pi = program{
	line: lazily(`(?i)^(?:Error: )?No API key found for \S+\..*$`),
	words: []said{
		{LoggedOut, false, lazily(`(?i)no api key|no models available|/login\b`)},
	},
	periods: []period{session, daily, monthly, week},
}

// qwen: https://github.com/QwenLM/qwen-code/issues/1742; it asks any provider
var qwen = program{
	line: lazily(`(?i)^(?:No auth type is selected|Qwen OAuth free tier has been discontinued)\..*$`),
	words: []said{
		{LoggedOut, false, lazily(`(?i)auth(?:entication)? (?:type|method)`)},
	},
	periods: []period{session, daily, monthly, week},
}

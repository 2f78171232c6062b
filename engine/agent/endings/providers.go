package endings

// Programs that ask any provider have the periods of all of them. goose and hermes say what went wrong as their answer, also over the Agent Client
// Protocol (https://github.com/aaif-goose/goose/issues/11900, https://github.com/NousResearch/hermes-agent/issues/89948).
var (
	goose = program{periods: ofProviders, words: []said{
		{TooLong, true, lazily(`(?i)conversation is too long for the model`)},
		{LoggedOut, false, lazily(`(?i)authentication failed|no api key|goose configure`)}, // https://github.com/dcellison/kai/issues/629
	}}
	hermes = program{periods: ofProviders, words: []said{
		{LoggedOut, true, lazily(`(?i)api key (?:is )?not configured|\brejected your api key\b`)}, // https://github.com/anomalyco/opencode/issues/40194
	}}
	opencode = program{periods: ofProviders, words: []said{
		{Wrong, true, lazily(`(?i)\bsession not found\b`)}, // https://github.com/anomalyco/opencode/issues/27559
		{LoggedOut, false, lazily(`(?i)ProviderAuthError|opencode auth login`)},
	}}
	pi = program{periods: ofProviders, words: []said{
		{LoggedOut, false, lazily(`(?i)no api key|no models available|/login\b`)}, // https://github.com/earendil-works/pi/issues/4172
	}}
	qwen = program{periods: ofProviders, words: []said{
		{LoggedOut, false, lazily(`(?i)auth(?:entication)? (?:type|method)`)}, // https://github.com/QwenLM/qwen-code/issues/1742
	}}
)

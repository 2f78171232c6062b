package endings

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

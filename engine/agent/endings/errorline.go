package endings

import (
	"encoding/json"
	"strings"
)

// An error line has a shape that its library gives it, whoever's program prints it: a name for an error and beside it a status, the
// JSON of a server, or a class. A sentence may begin so too, and has a verb next. Agents have more of them, which name no status: those
// need a word that no answer has at that place, such as the number of a request or a person's next step.

// head is one name for an error before what is said of it. Programs put several before each other.
var head = lazily(`^(?i:(?:[a-z](?:[^\n:{}"<\x60()]|\([^()\n]*\))*?)?(?:\b(?:error|errors|failed|failure|exception|rejected|aborted)|[a-z]error|[a-z]exception)\b(?:[^\n:{}"<\x60()]|\([^()\n]*\))*|(?:errors?|exception|fatal|(?:failed|unable|could not) [^\n:{}"\x60]+)):[ \t]+`)

// sentence is how a sentence begins that is no head.
var sentence = lazily(`(?i)^(?:the|in|on|at|your|my|our|that|this|it|there|last|first|one|its|his|her|their|what|which|no|two|three|a|an)\b`)

// mark is the begin of a line in a terminal, and the level of a log.
var mark = lazily(`^(?:[✘✗×✖❌✕⚠\x{fe0f}■●⏺⎿│\s]+|\[\d\d:\d\d[:.\d]*\]\s+|\[(?:[A-Z][\w-]*|error|fatal)\]\s+|\d{4}-\d\d-\d\d[T ]\S+\s+(?i:error|fatal)[\s:]+)*`)

// label is a name before an error, as that of a provider.
var label = lazily(`^[A-Z][\w.-]*(?: [A-Z][\w.-]*){0,3}: `)

const reasons = `(?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Request Timeout|Conflict|Payload Too Large|Unprocessable Entity|Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)`

// shapes are those that any program's error line has, behind its heads.
var shapes = lazily(`^(?i:(?-i:[A-Z][\w.]* ){0,4}\w* ?API ?error(?: occurred| \([a-z][^()\n]*\))?(?:: ?| \(|, )\(?(?:status(?: code)?:? )?[45]\d\d\b` +
	`|error code:? [45]\d\d(?: - [{\['"]| ?[({])|(?:[\w.]+ ){0,5}(?:failed|responded|rejected|answered|returned|error) with (?:an? )?(?:HTTP )?(?:status|error)(?: code)?:? \(?[45]\d\d\b|(?:unexpected|last|got|server returned) status(?: code)?:? [45]\d\d\b|(?:[\w.]+ ){0,4}(?:refresh|request|call|login|fetch) failed: [45]\d\d$` +
	`|HTTP(?:/[\d.]+)?(?: error)?(?: status)?:? [45]\d\d(?:(?: ` + reasons + `)?:? ?[{\[<]| [a-z]+_error: )|[45]\d\d status code \(no body\)|\[?[45]\d\d\]?(?: ` + reasons + `)?:? ?\{.*["'](?:error|message|type|detail|code)["']` +
	`|\[(?:API|LLM|model|provider) error(?:: .*\]|\] .*)|exceeded retry limit, last status: |stream disconnected before completion\b|failed after \d+ attempts\b.* last error: |error when talking to (?:\w+ )?API(?:$| full report available at: )|error in (?:\w+ ){0,2}API call(?: \([^()\n]*\))?: [45]\d\d\b|upstream provider \S+ returned HTTP [45]\d\d\b|claude code returned an error result: |you['’]ve (?:hit|reached) your (?:[\w-]+ ){0,3}limit [·∙] resets )`)

// statusLine is a status with its reason, behind a head.
var statusLine = lazily(`^(?i:[45]\d\d ` + reasons + `(?:$|[:,(]| ?\{|\.$)|\(?(?:HTTP|status|status code|code)[ =:]+[45]\d\d\)?(?::|$)|(?:AI_)?[A-Z]\w*Error: )`)

// narrates are verbs and words behind a status in a sentence.
var narrates = lazily(`(?i)\b[45]\d\d\)?(?: ` + reasons + `)? (?:means|is|was|were|says|said|stands|stood|comes|came|tells|from|at|on|in|for|and|or|since|because|when|if|that|which|errors?|responses?|appears|happens)\b`)

// isErrorLine reports whether a line has the shape of an error that any program prints.
func isErrorLine(line string) bool {
	isHeaded := false
	for range 6 {
		line = line[len(mark().FindString(line)):]
		if isErrorJSON(line, isHeaded) {
			return true
		}
		if shapes().MatchString(line) || isHeaded && statusLine().MatchString(line) {
			return !narrates().MatchString(line) && (!quotes().MatchString(line) || strings.Contains(line, "{"))
		}
		before := headOf(line)
		if isHeaded = isHeaded || before != ""; before == "" {
			before = label().FindString(line)
		}
		if before == "" {
			return false
		}
		line = line[len(before):]
	}
	return false
}

var occurred = lazily(`(?i)^an? (?:[a-z]+ )?error (?:has )?occurred`)

// headOf returns the head that a line begins with; "" = none. A sentence may begin with the word too.
func headOf(line string) string {
	before := head().FindString(line)
	if len(before) > longestHead || sentence().MatchString(before) && !occurred().MatchString(before) {
		return ""
	}
	return before
}

const longestHead = 160

// isErrorJSON reports whether a text is the JSON by which a server tells of an error, behind a head also as Python prints it.
func isErrorJSON(text string, isHeaded bool) bool {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[{") {
		return false
	}
	if isHeaded && errorFields().MatchString(text) {
		return true
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	var body struct {
		Type, Message string
		Code          any
		Error         json.RawMessage
	}
	if json.Unmarshal([]byte(text), &body) != nil {
		return false
	}
	var inner struct{ Message, Type, Code, Status any }
	return body.Type == "error" || strings.HasSuffix(body.Type, "_error") && body.Message != "" && body.Code != nil || json.Unmarshal(body.Error, &inner) == nil && inner.Message != nil && (inner.Type != nil || inner.Code != nil || inner.Status != nil)
}

var errorFields = lazily(`(?i)["'](?:error|error_type|error_message|errors)["'] ?: ?[{\["']|["']type["'] ?: ?["']error["']|["'](?:message|detail|msg)["'] ?: ?["']|["']is_error["'] ?: ?true\b`)

// evidence is what an agent says behind a head, and no answer.
var evidence = lazily(`(?i)\{.*["'](?:error|message|type|code|detail|name)["'] ?:|\b[a-z]+(?:_[a-z]+)*_(?:error|exceeded|exhausted|limited|denied|unavailable|overloaded)\b` +
	`|\bstatus(?: code)?[:= ]+\(?[45]\d\d\b|\(request id|\brequest[ _-]id: |\bE(?:CONN[A-Z]+|NOTFOUND|TIMEDOUT|AI_AGAIN|PIPE)\b.*(?:\d|$)|\bfetch failed\b|\bsocket hang up\b|\berror sending request\b|\bstream disconnected\b` +
	`|\bplease (?:try again|retry)(?:[.!]?$| later| in \d| after \d)|\bplease (?:wait (?:a moment|a few|a while|before|and)|check your (?:api|key|network|internet|plan|account|credentials|connection|billing)|(?:log|sign) ?in(?: again| first)?[.!]?$|re-?authenticate|set (?:the )?[A-Z_]{4,})|\b(?:try again|retry) (?:in|after|at) \d|\b(?:try again|retry) (?:later|shortly)\b|\b(?:rate|usage) limits? (?:has been |was )?(?:reached|exceeded|hit)\b|\bquota (?:has been |was )?(?:exceeded|exhausted|reached)\b|\b(?:invalid|incorrect|expired) (?:api key|access token|credentials)\b|\bmodel not found\b|\bby (?:the )?upstream\b|\b(?:unknown|unrecognized|unexpected) (?:option|argument|flag)\b|请[^。]{0,30}重试|\bcontext (?:length|window|limit)\b|\binsufficient (?:balance|credits?|quota)\b` +
	`|\brun ['"\x60/]\w+ (?:auth |login)|/login\b|\bHTTP [45]\d\d\b`)

// provider is a head that names what an agent asks: nothing else has it.
var provider = lazily(`(?i)^(?:error from (?:the )?(?:provider|upstream|server|api)\b|(?:LLM|provider|upstream|inference|agent client protocol)(?: \w+)? (?:error|failed|failure)\b|(?:model|api|provider|LLM) (?:call|request) (?:failed|rejected|aborted)\b)`)

// announces are whole lines by which agents announce that there is no answer.
var announces = lazily(`^(?i:(?:sorry, )?you(?:'ve|’ve| have) (?:hit|reached|exceeded|exhausted|used up|used all(?: of)?|run out of) [^.;:\n]{0,60}\b(?:rate|usage|session|requests?|tokens?|messages?|credits?|quota|api|model|premium|prompts?)\b[^.;:\n]{0,80}[.!·∙] ?.*\b(?:try again (?:in|at|after) ~?\d+|try again (?:later|shortly)|please (?:wait|try again|retry|upgrade)|upgrade (?:to|your)|retry (?:in|after)|resets? (?:in|at) \d+|purchase|switch to)\b.*` +
	`|(?:[\w-]+ ){0,4}(?:rate limit|usage limit|(?:request|free tier|token|daily|api) quota|request limit|token limit) (?:has been |was |is )?(?:reached|exceeded|hit|exhausted)\b.*\b(?:(?:try again|retry) (?:in|after|at) ~?\d+|(?:try again|retry) (?:later|shortly)|please (?:wait (?:a moment|a few|before|and)|try again|retry|upgrade)|resets? (?:in|at) \d+|upgrade (?:to|your))\b.*|(?:[\w-]+ ){0,3}(?:rate|usage) limit (?:reached|exceeded):|(?:the )?(?:all |selected |requested |current )?(?:models?|inference servers?|model servers?) (?:is|are) (?:currently |temporarily )?(?:at capacity|overloaded|unavailable|rate[- ]limited|busy|experiencing high demand)[.,;!] ?please (?:try (?:again|another|a different)|retry)\b.*|(?:api |model |request |token )?(?:rate|usage) limit (?:reached|exceeded)(?: for (?:model )?\S*\d\S*)?[.!]?` +
	`|(?:(?:you(?:'re| are) )?not (?:logged|signed) in|not authenticated|(?:authentication|log ?in|sign-?in) (?:is )?(?:required|expired|failed))[.,:;·—!-]+ ?(?:please )?(?:(?:run|use|type):? (?:['"\x60/]\S+|[\w-]+ (?:auth |login)).*|(?:log|sign) ?in(?: first| again)?[.!]?)|please (?:run|use) ['"\x60/][\w-]*(?: auth)? ?log-?in\b.*|LLM not set(?:\..*)?` +
	`|(?:an? )?(?:unexpected|unknown|internal|fatal|unhandled)(?: server| system)? error (?:has )?occurred[.!]?|(?:an )?error occurred while processing (?:your|the) request(?:\.|\. .*)?|(?:LLM|model|API|provider) (?:request|call) failed[.!]?|(?:sorry, )?you have been rate[- ]limited\. please\b.*|(?:\w+ ){0,3}stream (?:ended|closed|stopped) (?:before|without) (?:an? )?finish_reason\b.*|(?:sorry, )?(?:something went wrong|(?:the |your )?request failed|(?:an )?error occurred)[.,!:;]* please (?:try again|retry)(?: later)?[.!]?|(?:\w+ ){0,2}finish_reason: ?['"]?\w+['"]?)$`)

// bare is a status before the words of a server.
var bare = lazily(`^(?i:[45]\d\d (?:incorrect|invalid|insufficient|your|you have|you've|provider|rate limit|too many|quota|model|no|this|request|the|upstream|service|free) )`)

// unexplained is all of a line, behind a head, that says no more than that.
var unexplained = lazily(`^(?i:(?:an? )?(?:unexpected|unknown|internal|fatal|unhandled|undefined)(?: server| system)? error[.!]?|\[object Object\]|undefined|null)$`)

// quotes are words by which an answer tells of an error.
var quotes = lazily(`(?i)\b(?:is|was) (?:what|the)\b|\bsays?\b|\b(?:the|your) (?:logs?|notes?|vault|review|diary|minutes|report)\b`)

// isAgentError reports whether a line has the shape of an error that agents print.
func isAgentError(line string) bool {
	for range 6 {
		line = line[len(mark().FindString(line)):]
		if announces().MatchString(line) || bare().MatchString(line) && (Refusal{Words: line[len("400 "):]}).Kind() != Unknown {
			return !quotes().MatchString(line)
		}
		before := headOf(line)
		if before == "" {
			return false
		}
		line = line[len(before):]
		if provider().MatchString(before) || unexplained().MatchString(line) || evidence().MatchString(line) {
			return !quotes().MatchString(line)
		}
	}
	return false
}

package endings

import (
	"encoding/json"
	"strings"
)

// An error line has a shape that its library gives it, whoever's program prints it: a name for an error and beside it a status, the
// JSON of a server, or a class. A sentence may begin so too, and has a verb next.

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

// NamesError reports whether a text begins with a name for an error and a colon, or consists of error lines.
func NamesError(text string) bool {
	text = strings.TrimSpace(text)
	return headOf(text[len(mark().FindString(text)):]) != "" || IsComplaint(text)
}

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

// quotes are words by which an answer tells of an error.
var quotes = lazily(`(?i)\b(?:is|was) (?:what|the)\b|\bsays?\b|\b(?:the|your) (?:logs?|notes?|vault|review|diary|minutes|report)\b`)

// shortest is how long a text is at most of which any word may be a program's.
const shortest = 1200

// trouble is what programs speak of that have no answer, in any words: what went wrong, and the machinery between them and a model. A good
// answer may speak of it too.
var trouble = lazily(`(?i)err(?:or|s\b)|fail|exception|traceback|panic|fatal|denied|forbidden|unauthori|invalid|incorrect|unable|\bcan(?:not|[’']t| not)\b|\bnot (?:found|available|allowed|configured|set|exist|enabled|installed|trusted|permitted|respond)|n[’']t (?:have|see|exist|find|support)|expire|time[ds]?[ -]?out|refus|reject|abort|interrupt|disconnect|terminat|cancel|(?:clos|stopp)ed|` +
	`unavailable|overload|capacity|exhaust|exceed|limit|quota|credit|billing|balance|subscri|upgrade|log(?:ged)?[ -]?(?:in|out)\b|sign(?:ed)?[ -]?(?:in|out)\b|auth|retr(?:y|ies|ied)|try again|unexpected|unknown|unsupported|unrecogni|missing|empty|warning|deprecat|discontinu|block|suspend|banned|too (?:long|large|many|old|big)|usage|throttl|reset|please|went wrong` +
	`|api[ _-]?key|account|disabled|\b(?:request|respon|server|service|model|provider|upstream|gateway|network|connection|stream|session|prompt|context|token|command|config|api|llm|https?)|\b[45]\d\d\b|[{<]["a-z/!]|\?\W*(?:[yn]+/[yn]+\W*)?$|^\s*(?:[✘✗×✖❌✕⚠]|\[[a-z ]+\])` +
	`|错误|失败|异常|超时|无效|无法|不足|限|重试|登录|余额|额度|エラー|失敗|できません|오류|실패|ошиб|fehler|fehlgeschl|erreur|échec|errore|falló`)

// MayComplain reports whether a text that nothing shows to be a model's may be a program's: it is short and speaks of trouble, or it ends
// with an error line.
func MayComplain(text string) bool {
	if text = strings.TrimSpace(text); len(text) <= shortest {
		return trouble().MatchString(text)
	}
	return consistsOfErrors(text[strings.LastIndex(text, "\n\n")+1:]) || IsComplaint(text)
}

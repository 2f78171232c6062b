package replies

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// callMark opens a call of a tool that a model writes as text, because its server does not know how its calls look: those of Qwen, GLM,
// Granite and Claude, of DeepSeek (https://github.com/sgl-project/sglang/issues/35736, with other bars in
// https://github.com/lsdefine/GenericAgent/issues/804), MiniMax, Seed, LongCat, Gemma, Kimi (also
// https://github.com/can1357/oh-my-pi/issues/8495), Mistral, Llama, Cohere and InternLM
// (https://github.com/ggml-org/llama.cpp/blob/master/common/chat.cpp).
var callMark = lazily(`<(?:[|｜‖]{1,2}dsml[|｜‖]{1,2}|[|｜‖]|[a-z]{1,10}:|longcat_)?(?:(?:tool|function)[_▁]calls?(?:[_▁]section)?(?:[_▁]begin)?[|｜‖]?>|invoke name=["'][^"'\n]{1,80}["']|function=[a-z0-9_.:-]{1,64}>)` +
	`|\[tool_calls\]|<\|(?:python_tag|start_action|action_start)\|>|<\|open\|>(?:tools?|call)`)

// callEnd is how a call may end, also where its last mark was cut: by a tag, or by the bracket of its arguments.
var callEnd = lazily(`(?:</[^<>\n]{1,80}>|<[^<>\n]{0,16}(?:call|calls|section|action|\|sep\|)[^<>\n]{0,16}>|[}\]])$`)

// IsCall reports whether a reply is the call of a tool or ends in one: it has no answer yet. A call inside of code, and a sentence about the
// marks of a call, do not count.
func IsCall(text string) bool {
	text = strings.TrimSpace(CutEnd(text))
	return isBareCall(text) || findCall(text) >= 0 && callEnd().MatchString(lowerLetters(text))
}

// findCall returns where a call begins in a text, which may go on, or -1: at the beginning of a line or right behind a sentence.
func findCall(text string) int {
	if !strings.ContainsAny(text, "<[") {
		return -1
	}
	code, at := fences{}, 0
	for line := range strings.Lines(text) {
		lower := lowerLetters(line)
		if !code.take(line) && !strings.HasPrefix(line, "    ") {
			for _, mark := range callMark().FindAllStringIndex(lower, -1) {
				before := strings.TrimRight(line[:mark[0]], " \t")
				last, _ := utf8.DecodeLastRuneInString(before)
				if (before == "" || strings.ContainsRune(".!?:…。！？：", last)) && strings.Count(before, "`")%2 == 0 && !goesOn(line[mark[1]:]) {
					return at + mark[0]
				}
			}
		}
		at += len(line)
	}
	return -1
}

// isBareCall reports whether a text is a call as JSON, with nothing around it
// (https://github.com/Duelion/homebox-companion/issues/101, https://github.com/open-webui/open-webui/issues/16076).
func isBareCall(text string) bool {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return false
	}
	type call struct {
		Type, Name            string
		Parameters, Arguments json.RawMessage
		Function              json.RawMessage
	}
	var calls []call
	if json.Unmarshal([]byte(text), &calls) != nil {
		calls = make([]call, 1)
		if json.Unmarshal([]byte(text), &calls[0]) != nil {
			return false
		}
	}
	for _, c := range calls {
		if inner := (call{}); json.Unmarshal(c.Function, &inner) == nil {
			c = inner
		}
		if c.Name == "" || len(c.Parameters) == 0 && len(c.Arguments) == 0 {
			return false
		}
	}
	return len(calls) > 0
}

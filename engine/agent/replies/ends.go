package replies

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// endMark is a token that ends the turn of a model, at the end of a text. Some servers let it through
// (https://github.com/vllm-project/vllm/issues/49955, https://github.com/moltis-org/moltis/issues/306,
// https://github.com/apple/coreai-models/issues/25, https://github.com/vllm-project/vllm/issues/48645).
var endMark = lazily(`(?:<[|｜](?:im_(?:end|start)|eo[stm](?:_id|_token)?|end(?:[_▁]?of[_▁]?(?:text|turn|sentence|message|response)(?:_token)?|_message|_turn)?|return|turn|user|observation)[|｜]>` +
	`|<turn\|>|<(?:end_of_turn|end_of_text|end_of_sentence|eot_id|eos)>|</s>)\s*$`)

// CutEnd returns a reply without the tokens that end a turn, if they follow it directly or are alone on its last lines. It keeps a sentence
// that names such a token.
func CutEnd(text string) string {
	rest := text
	for {
		said := strings.TrimRightFunc(rest, unicode.IsSpace)
		at := endMark().FindStringIndex(lowerLetters(said[max(0, len(said)-64):]))
		if at == nil {
			return rest
		}
		before := said[:max(0, len(said)-64)+at[0]]
		if !endsTurn(before, said[len(before):]) {
			return rest
		}
		rest = strings.TrimRightFunc(before, unicode.IsSpace)
	}
}

// endsTurn reports whether a mark ends the text before it, and is no word of it.
func endsTurn(before, mark string) bool {
	if mark == "</s>" && strings.Contains(before, "<s>") {
		return false // struck through
	}
	line := strings.TrimPrefix(before[strings.LastIndexByte(before, '\n')+1:], "```")
	if strings.TrimSpace(line) == "" { // alone on its line, or behind the edge of a fence
		return !strings.HasSuffix(strings.TrimSpace(before), ":") && (before == "" || !strings.HasSuffix(before, "\n") || !strings.HasSuffix(strings.TrimSpace(before), "```"))
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.Count(line, "`")%2 == 0 && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(".!?…。！？)]}>*_~\"'”»|`:;", last))
}

// holdEnd returns an unfinished reply without text that may become such a token or the call of a tool.
func holdEnd(text string) string {
	if at := findCall(text); at >= 0 {
		text = text[:at]
	}
	if at := strings.LastIndexByte(text, '<'); at >= 0 && len(text)-at <= 32 && !strings.ContainsAny(text[at:], "> \n") {
		text = text[:at]
	}
	return CutEnd(text)
}

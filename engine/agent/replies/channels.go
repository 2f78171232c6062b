package replies

import (
	"strings"
	"unicode"
)

// The channels of gpt-oss.
const (
	finalChannel = "<|channel|>final"
	bareFinal    = "assistantfinal"
)

// finalHeader begins the channel with the answer. It may name the form of that
// (https://github.com/vllm-project/vllm/issues/23567).
var finalHeader = lazily(`<\|channel\|>final ?(?:<\|constrain\|>)?[a-z]*<\|message\|>`)

// measureChannels returns the length of the channels before the one with the answer, at the beginning of a text.
func measureChannels(lower string) int {
	if strings.HasPrefix(strings.TrimPrefix(lower, "<|start|>assistant"), "<|channel|>") {
		if at := finalHeader().FindStringIndex(lower); at != nil {
			return at[1]
		}
	}
	said, isBare := strings.CutPrefix(lower, "analysis")
	if !isBare || !unicode.IsLetter(firstRune(said)) {
		return 0
	}
	if i := strings.Index(lower, bareFinal); i > 0 && !strings.HasSuffix(lower[:i], " ") {
		return i + len(bareFinal)
	}
	return 0
}

// channelHeader begins a channel without an answer: thoughts, a call of a tool or a tool's result. The tool's name may be before the channel
// or in it.
var channelHeader = lazily(`^(?:<\|start\|>[^<>\n]{1,100}| ?to=[^<>\s]{1,100} ?)?<\|channel\|>(?:analysis|commentary)[^<>\n]{0,100}(?:<\|constrain\|>[^<>\n]{0,40})?<\|message\|>`)

// channelEnd closes a channel. A server may cut the last one. What is quoted as code closes nothing.
var channelEnd = lazily("(?:^|[^`])(?:<\\|(?:end|call|return)\\|>\\s*)+")

// hasOnlyChannels reports whether a text is channels from its beginning to its end, without the channel of the answer: the model only
// thought, or called a tool (https://github.com/NVIDIA/TensorRT-LLM/issues/9256). A sentence about the marks does not count.
func hasOnlyChannels(text string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) || IsInvisible(r) })
	lower := lowerLetters(text)
	for at, isFirst := 0, true; ; isFirst = false {
		header := channelHeader().FindStringIndex(lower[at:])
		if header == nil {
			return at == len(text) && !isFirst
		}
		at += header[1]
		end := channelEnd().FindStringIndex(lower[at:])
		if end == nil {
			return !goesOn(text[at:])
		}
		at += end[1]
	}
}

package replies

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Thoughts that a model writes before its answer are not part of the answer. These marks tell them, and mean nothing else there:
//
//   - a pair of tags, each alone on its line, or the opening one at the reply's start;
//   - a closing tag without an opening one, once, on a line of its own or right behind a sentence, with
//     text behind it: some templates put the opening one into the prompt
//     (https://github.com/deepseek-ai/DeepSeek-R1/issues/506). It may also begin a line or follow a sentence with a word
//     right behind it, or stand between two letters (https://github.com/nbramia/LifeOS/pull/568), where no person would
//     write it;
//   - Thinking... as the first line and the line ...done thinking., as Ollama prints it
//     (https://github.com/ollama/ollama/issues/11545);
//   - a sentence of Granite at the reply's start, and another one that begins a line
//     (https://docs.vllm.ai/en/v0.10.0/api/vllm/reasoning/granite_reasoning_parser.html);
//   - the channels of gpt-oss at the reply's start (https://cookbook.openai.com/articles/openai-harmony), also
//     without their special tokens (https://github.com/oobabooga/textgen/issues/7374).
//
// Marks in code, and in the JSON with the answers, are text: an answer may be about them.

// pair is what opens a thought and what closes it, in lower case.
type pair struct {
	start, end string
	form       form
}

// form says where a pair counts.
type form int

const (
	tag     form = iota // at the reply's start, and alone on lines
	mixed               // a tag that models close by each other's, and give attributes
	printed             // whole lines at the reply's start, as Ollama prints them to people
	folded              // at the reply's start alone: a person folds text so, too
	spoken              // sentences, at the reply's start and at the beginning of a line
	wrapper             // around the whole answer, behind a thought
)

// pairs of all forms. Tags are mixed by https://github.com/QwenLM/qwen-code/issues/11988, have attributes by
// https://github.com/openclaw/openclaw/issues/6678, and folded is what Open WebUI keeps
// (https://github.com/open-webui/open-webui/issues/11259). The tags are in the order of
// https://docs.openwebui.com/features/chat-conversations/chat-features/reasoning-models, then those of Mistral, Cohere, Seed and LongCat (https://github.com/ggml-org/llama.cpp/blob/master/common/chat.cpp), of Gemma
// (https://github.com/NousResearch/hermes-agent/pull/67632), MedGemma (https://github.com/ollama/ollama/issues/15754), MiniMax
// (https://github.com/NousResearch/hermes-agent/pull/45222), Claude (https://github.com/openclaw/openclaw/pull/90051) and of
// others (https://github.com/NousResearch/hermes-agent/pull/6149, https://github.com/vectorize-io/hindsight/pull/2195).
var pairs = []pair{
	{"<think>", "</think>", mixed}, {"<thinking>", "</thinking>", mixed}, {"<reason>", "</reason>", mixed}, {"<reasoning>", "</reasoning>", mixed},
	{"<thought>", "</thought>", mixed}, {"<thoughts>", "</thoughts>", mixed}, {"<|begin_of_thought|>", "<|end_of_thought|>", tag},
	{"◁think▷", "◁/think▷", tag}, {"[think]", "[/think]", tag}, {"<|start_thinking|>", "<|end_thinking|>", tag},
	{"<seed:think>", "</seed:think>", tag}, {"<longcat_think>", "</longcat_think>", tag}, {"<antthinking>", "</antthinking>", tag},
	{"<|channel>thought", "<channel|>", tag}, {"<reasoning_scratchpad>", "</reasoning_scratchpad>", tag}, {"|startthink|", "|endthink|", tag},
	{"<unused94>thought", "<unused95>", tag}, {"<mm:think>", "</mm:think>", tag}, {"<antml:thinking>", "</antml:thinking>", tag},
	{"thinking...", "...done thinking.", printed}, {`<details type="reasoning"`, "</details>", folded},
	{"here is my thought process:", "here is my response:", spoken}, {"here's my thought process:", "here's my response:", spoken},
	{"<answer>", "</answer>", wrapper}, {"<|begin_of_solution|>", "<|end_of_solution|>", wrapper}, {"<|start_response|>", "<|end_response|>", wrapper}, {"<|start_text|>", "<|end_text|>", wrapper},
}

// The pairs by their forms.
var tags, leads, sentences, wrappers = pairsOf(tag, mixed), pairsOf(printed, spoken), pairsOf(spoken, spoken), pairsOf(wrapper, wrapper)

// pairsOf returns the pairs of some forms, from the first to the last.
func pairsOf(first, last form) []pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool { return p.form < first || p.form > last })
}

// attributes are those of a mixed tag.
var attributes = lazily(`<(?:think|thinking|reason|reasoning|thought|thoughts)((?: [a-z_:-]+="[^"<>\n]{0,200}"){1,4} ?>)`)

// blankAttributes returns a text in lower case, of the same length, whose opening tags have no attributes.
func blankAttributes(lower string) string {
	found := attributes().FindAllStringSubmatchIndex(lower, -1)
	if found == nil {
		return lower
	}
	text := []byte(lower)
	for _, at := range found {
		text[at[2]] = '>'
		for i := at[2] + 1; i < at[3]; i++ {
			text[i] = ' '
		}
	}
	return string(text)
}

// CutThoughts returns a reply without what the model says to itself, and that. Where nothing would be left the
// reply is whole, and where there are no thoughts it is the same to the byte.
func CutThoughts(text string) (rest, cut string) {
	t := newThinker(text)
	rest = t.cutThoughts()
	if len(t.cut) == 0 {
		return text, ""
	}
	if rest = unwrapAnswer(rest); Blank(rest) {
		return text, ""
	}
	return rest, strings.Join(t.cut, "\n\n")
}

// cutThoughts returns the text without what is cut.
func (t *thinker) cutThoughts() string {
	if !t.mayThink() {
		return t.text
	}
	t.documents = readableDocuments(t.text)
	at, _ := t.cutLead()
	return t.cutLines(at)
}

// readableDocuments returns the documents of a reply that are whole.
func readableDocuments(text string) []document {
	return slices.DeleteFunc(findDocuments(text), func(d document) bool { return d.err != nil })
}

// mostCuts is how often a reply may have thoughts behind thoughts. One that has more of them says nothing else, and to look on would
// cost as the square of its length.
const mostCuts = 16

// IsThought reports whether a reply consists of thoughts alone: thoughts with nothing behind them, a tag that opens a thought without an end,
// or channels without the one of the answer. A sentence that begins with such a tag, and JSON with answers, do not count.
func IsThought(text string) bool {
	text = trimReply(strings.ToValidUTF8(text, "\uFFFD"))
	for range mostCuts {
		t := newThinker(text)
		rest := t.cutThoughts()
		if len(t.cut) == 0 {
			return (t.endOfLead(0) < 0 && t.isOpened() || t.isClosed() || hasOnlyChannels(rest)) && len(readableDocuments(rest)) == 0
		}
		if text = unwrapAnswer(rest); Blank(text) {
			return true
		}
	}
	return true
}

// isOpened reports whether the text begins with the tag of a thought, and not with a sentence about the tag.
func (t *thinker) isOpened() bool {
	rest := trimBlank(t.lower)
	for _, p := range tags {
		if said, ok := strings.CutPrefix(rest, p.start); ok {
			return !goesOn(t.text[len(t.text)-len(said):])
		}
	}
	return false
}

// goesOn reports whether text continues a sentence that has the mark before it as a word.
func goesOn(text string) bool {
	word, isApart := strings.CutPrefix(text, " ")
	first := firstRune(word)
	return strings.ContainsRune("/,.;:)!?'\"-…`", first) || isApart && unicode.IsLower(first)
}

// isClosed reports whether a closing tag ends all of the text. Its opening tag is in the prompt.
func (t *thinker) isClosed() bool {
	text := strings.TrimRight(t.lower, " \t\r\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return !mentionsOpen(text) && measureEnd(last) > 0
}

// closesBehind reports whether the closing tag of a pair is behind a place. It searches for the tag's last place once: a reply may consist of
// opening tags.
func (t *thinker) closesBehind(from int, p pair) bool {
	last, known := t.closings[p.end]
	if !known {
		last = strings.LastIndex(t.lower, p.end)
		t.closings[p.end] = last
	}
	return last >= from
}

// isMention reports whether a sentence begins with a pair of tags and continues behind it: <think> and </think> are tags.
func isMention(inside, after string) bool {
	first := firstRune(strings.TrimLeft(inside, " "))
	opened := strings.HasPrefix(inside, " ") && (unicode.IsLower(first) || strings.ContainsRune("/,…", first)) ||
		strings.Trim(inside, ".… ") == "" && inside != ""
	if !opened {
		return false
	}
	bare := strings.TrimLeft(after, " ")
	next := firstRune(bare)
	return len(bare) < len(after) && unicode.IsLower(next) || len(bare) == len(after) && strings.ContainsRune(",.;:)!?'\"-", next)
}

// measureEnd returns the length of the part of a line that belongs to a thought from before it. It is the whole line if the closing tag is
// alone on it or ends it right behind a sentence. It reaches up to the answer if the answer follows the tag directly. It is 0 for any other
// line.
func measureEnd(line string) int {
	for _, p := range tags {
		if isAlone(line, p.end) || endsSentence(line, p.end) {
			return len(line)
		}
		i := strings.Index(line, p.end)
		if i < 0 {
			continue
		}
		end := i + len(p.end)
		next := firstRune(line[end:])
		last, _ := utf8.DecodeLastRuneInString(line[:i])
		begins := i < 4 && strings.Trim(line[:i], " ") == "" || endsSentence(line[:end], p.end) || unicode.IsLetter(last) && unicode.IsLetter(next) && !strings.Contains(line[:i], "`")
		if begins && (unicode.IsLetter(next) || unicode.IsDigit(next) || strings.ContainsRune("*#{", next)) {
			return end
		}
	}
	return 0
}

// endsSentence reports whether a line ends with a mark right behind the end of a sentence.
func endsSentence(line, mark string) bool {
	said, ok := strings.CutSuffix(strings.TrimRight(line, " \t\r\n"), mark)
	last, _ := utf8.DecodeLastRuneInString(said)
	return ok && strings.ContainsRune(".!?…。！？", last) && !strings.Contains(said, "`")
}

// mentionsOpen reports whether a line has an opening tag: a closing one below belongs to it.
func mentionsOpen(line string) bool {
	for _, p := range tags {
		if findMark(line, p.start) >= 0 {
			return true
		}
	}
	return false
}

// isAlone reports whether a line is nothing but a mark. With four spaces before it it is code.
func isAlone(line, mark string) bool {
	said := strings.TrimLeft(line, " ")
	return len(line)-len(said) < 4 && strings.TrimRight(said, " \t\r\n") == mark
}

// findMark returns the place of a mark that is not quoted as code in a line, or -1.
func findMark(line, mark string) int {
	lastTick := strings.LastIndexByte(line, '`')
	for from, ticks := 0, 0; ; {
		i := strings.Index(line[from:], mark)
		if i < 0 {
			return -1
		}
		ticks += strings.Count(line[from:from+i], "`")
		if from += i; ticks%2 == 0 || lastTick < from {
			return from
		}
		from += len(mark)
	}
}

// unwrapAnswer removes the tags around the whole answer.
func unwrapAnswer(text string) string {
	for _, end := range []string{"<|return|>", "<|end|>"} {
		text = strings.TrimSuffix(strings.TrimRight(text, " \t\r\n"), end)
	}
	said := strings.TrimSpace(text)
	lower := lowerLetters(said)
	for _, p := range wrappers {
		if strings.HasPrefix(lower, p.start) && strings.HasSuffix(lower, p.end) && len(said) >= len(p.start)+len(p.end) {
			if inner := said[len(p.start) : len(said)-len(p.end)]; !Blank(inner) && !strings.Contains(lower[len(p.start):], p.start) {
				return strings.Trim(inner, "\r\n")
			}
		}
	}
	return text
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// lineLength is the length of the line that text begins with, and of its end.
func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// blankLength is the length of the space before what text says first, without the indentation of a line of its own.
func blankLength(text string) int {
	space := text[:len(text)-len(strings.TrimLeft(text, " \t\r\n"))]
	if i := strings.LastIndexByte(space, '\n'); i >= 0 {
		return i + 1
	}
	return len(space)
}

// lowerLetters is text with A to Z in lower case, of the same length.
func lowerLetters(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}

package replies

import "strings"

// A Seal is drawn for one run of an agent whose end tells nothing of its answer: it prints an error as it prints an answer. The agent
// is asked to write its answer between two words. A text with the second word is whole, and was written by a model that has read the
// task. What a program says by itself has none, whatever its words. It is drawn at random; "" = nothing is asked for.
type Seal string

func (s Seal) open() string  { return "BEGIN" + string(s) }
func (s Seal) close() string { return "END" + string(s) }

// In reports whether a text has the second word anywhere.
func (s Seal) In(text string) bool { return s != "" && strings.Contains(text, s.close()) }

// Ask returns the prompt that asks for the seal too. The second word ends no line of it: a program that shows its prompt seals nothing.
func (s Seal) Ask(prompt string) string {
	if s == "" {
		return prompt
	}
	return prompt + "\n\nBegin the reply with a line that holds only " + s.open() + " and end it with a line that holds only " + s.close() + " to show that it is whole."
}

// lineEnd is what may stand behind a word of a seal on its line.
var lineEnd = lazily("^[*_`.]*[ \\t]*(?:\\n|$)")

// Cut returns the answer without the words and without what a program prints around them, and whether it is sealed. A text that is not
// is returned as it is.
func (s Seal) Cut(text string) (answer string, isSealed bool) {
	if s == "" {
		return text, false
	}
	if answers, err := Parse(text, 1); err == nil && strings.Contains(text, `"responses"`) && !strings.Contains(answers[0], `"responses"`) {
		return strings.NewReplacer(s.open()+"\n", "", "\n"+s.close(), "").Replace(answers[0]), true // it came as JSON
	}
	at := strings.LastIndex(text, s.close())
	if at < 0 || !lineEnd().MatchString(text[at+len(s.close()):]) {
		return text, false
	}
	before, rest := "", strings.TrimSpace(lineEnd().ReplaceAllString(text[at+len(s.close()):], ""))
	answer = strings.TrimRight(text[:at], " \t")
	if line := strings.LastIndexByte(answer, '\n') + 1; strings.Trim(answer[line:], "*_`") == "" {
		answer = answer[:line]
	}
	if begin := strings.LastIndex(answer, s.open()); begin >= 0 {
		before, answer = strings.TrimSpace(answer[:begin]), strings.TrimLeft(lineEnd().ReplaceAllString(answer[begin+len(s.open()):], ""), " \t")
	}
	if fence := before[strings.LastIndexByte(before, '\n')+1:]; strings.HasPrefix(rest, "```") && strings.HasPrefix(fence, "```") { // it is code
		answer = fence + "\n" + answer + rest
	}
	return strings.TrimSuffix(strings.ReplaceAll(answer, s.close(), ""), "\n"), true
}

// Show returns what may be shown of an answer that is being made.
func (s Seal) Show(text string) string {
	if s == "" {
		return text
	}
	if begin := strings.LastIndex(text, s.open()); begin >= 0 {
		text = lineEnd().ReplaceAllString(text[begin+len(s.open()):], "")
	}
	text, _, _ = strings.Cut(text, s.close())
	for n := len(s.open()) - 1; n > 0; n-- { // as much of a word as has come
		for _, word := range []string{s.open(), s.close()} {
			if rest, found := strings.CutSuffix(text, word[:min(n, len(word))]); found {
				return rest
			}
		}
	}
	return text
}

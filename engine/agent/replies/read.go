package replies

import (
	"fmt"
	"strings"
)

// Read is [Parse] for the reply of a model to these instructions: what it says to itself is cut, and so is a
// fence around a whole answer that calls it Markdown. cut is what was said. What has neither comes through
// byte for byte. Thoughts alone are no answer.
func Read(text string, instructions []string) (answers []string, cut string, err error) {
	n := len(instructions)
	rest, cut := text, ""
	if len(text) <= maxReply {
		rest, cut = CutThoughts(strings.ToValidUTF8(text, "\uFFFD"))
	}
	if answers, err = Parse(rest, n); err != nil && cut != "" {
		if whole, problem := Parse(text, n); problem == nil {
			answers, cut, err = whole, "", nil
		}
	}
	if err != nil {
		return nil, "", err
	}
	said := []string{cut}
	for i, answer := range answers {
		if answer != trimReply(rest) { // text in JSON is not checked yet
			answer, cut = CutThoughts(answer)
			said = append(said, cut)
		}
		if IsThought(answer) {
			return nil, "", fmt.Errorf("what is said of request %d is only thoughts, and no answer", i+1)
		}
		if IsCall(answer) {
			return nil, "", fmt.Errorf("what is said of request %d is the call of a tool, and no answer", i+1)
		}
		answers[i] = unwrapMarkdown(answer, instructions[i])
	}
	return answers, strings.TrimSpace(strings.Join(said, "\n\n")), nil
}

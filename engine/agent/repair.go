package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/wording"
)

// maxBadReply is how much of an unusable reply is shown to the agent again:
// enough to see its form, small beside any prompt.
const maxBadReply = 16 << 10

// RepairTask returns the task to send when the reply to t was unusable: the same
// prompt, the reply as quoted text, and the problem [replies.Parse] found. It is
// meant for one attempt; a repair of a repair quotes both replies.
func RepairTask(t Task, bad string, problem error) Task {
	again := "Reply to this task again. "
	if n := len(t.Requests); n > 0 {
		again += replyForm(n)
	}
	return t.appendQuoted(
		fmt.Sprintf("An earlier reply to this task could not be used: %s. It is shown for reference only.",
			strings.TrimRight(wording.Shorten(cleanLine(fmt.Sprint(problem)), 300), ".")),
		cutMiddle(bad, maxBadReply),
		strings.TrimSpace(again))
}

// cutMiddle returns text, or its two ends around a line that says how much was
// left out between them.
func cutMiddle(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head, tail := limit/2, len(text)-limit/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", text[:head], tail-head, text[tail:])
}

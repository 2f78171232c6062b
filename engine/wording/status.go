package wording

import "strings"

// Outcome is the word that people read for the status of a dispatch and its result.
func Outcome(status, result string) string {
	switch {
	case status == "done" && result == "none":
		return NoResult
	case status == "done" && result == "some":
		return "partly no result"
	case status == "cancelled" && result == "undone":
		return Undone
	}
	return Status(status)
}

// Answerer is who answers, for people: the model behind a server with OpenAI's interface, which is mostly another's or
// this machine's own; what is part of this program; else the runner.
func Answerer(runner, model string) string {
	switch {
	case runner == "builtin" || runner == "broadcast":
		return "built-in"
	case runner != "openai":
		return runner
	case model == "":
		return "a model"
	}
	return model
}

// Status is the word that people read for the status of a dispatch. The status itself is the word that programs
// read: in JSON and in the journal.
func Status(status string) string {
	switch status {
	case "processing":
		return "at work"
	case "failed":
		return "unanswered"
	case "held":
		return "waiting for you"
	case "proposed":
		return "for you to approve"
	case "parked":
		return "kept"
	case "scheduled":
		return "on a schedule"
	}
	return status
}

// NoResult is the word for what is done with an answer that says that nothing was found or made, and Undone for what is
// cancelled since its answer was taken back.
const NoResult, Undone = "no result", "undone"

// StatusOf is the status of what has a word of its own; any other word is returned.
func StatusOf(word string) string {
	switch word {
	case NoResult:
		return "done"
	case Undone:
		return "cancelled"
	}
	return word
}

// StatusWords are the words for some statuses, and for what has a word of its own.
func StatusWords(statuses []string) (words []string) {
	for _, status := range statuses {
		words = append(words, Status(status))
	}
	return append(words, NoResult, Undone)
}

// FindStatus returns the one of some statuses that a word means, a person's or a program's, in any case and with hyphens for
// its spaces; "" = none.
func FindStatus(word string, statuses []string) string {
	word = strings.ReplaceAll(strings.TrimSpace(word), "-", " ")
	for _, status := range statuses {
		if strings.EqualFold(word, status) || strings.EqualFold(word, Status(status)) {
			return status
		}
	}
	return ""
}

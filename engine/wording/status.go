package wording

// Outcome is the word that people read for the status of a dispatch and its result.
func Outcome(status, result string) string {
	switch {
	case status == "done" && result == "none":
		return "no result"
	case status == "done" && result == "some":
		return "partly no result"
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
// read: in JSON, in the journal and behind --status.
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

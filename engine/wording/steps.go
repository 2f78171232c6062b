package wording

// triggers say how a question came to be asked.
var triggers = map[string]string{
	"watch": "when the note was saved", "scan": "when a program reported the note", "reconcile": "when the vault was scanned",
	"ask": "on the dashboard or by a program", "retry": "again, by hand", "proof": "by setup, which keeps nothing of it",
	"schedule": "because it comes again", "agent": "by another agent, of notes that are not private",
}

// Trigger says how a question came to be asked.
func Trigger(trigger string) string {
	if words, known := triggers[trigger]; known {
		return words
	}
	return trigger
}

// steps are those of a dispatch that have other words than its status has.
var steps = map[string]string{
	"accepted": "asked", "started": "given to the agent", "called": "the agent is asked once more", "answered": "the agent has answered",
	"held": "waits", "limited": "waits", "scheduled": "comes again", "requeued": "waits for another attempt", "retried": "tried again",
	"recovered": "taken up again after the engine had ended", "moved": "goes along with its note", "withheld": "cancelled",
	"approved": "accepted", "renewed": "asked anew", "swapping": "is being written into", "written": "is in the note",
	"replaced": "is in the note, in place of the answer before it", "told": "shown to whoever asked",
	"undoing": "is being taken out of the note", "undone": "taken out of the note", "kept": "stays in the note",
	"overwritten": "written over", "reverted": "gone from the note", "restored": "is in the note again",
	"merging": "merged with another save in", "showing": "its state is shown in", "found": "its place is in the note again", "dismissed": "taken off the list",
}

// Step is the line that people read for a step of a dispatch and what the step says of itself.
func Step(name, detail string) string {
	switch name {
	case "accepted":
		detail = Trigger(detail)
	case "started":
		detail = Answerer(detail, "")
	case "written":
		if detail != "" {
			detail += Choose(detail == "1", " answer", " answers")
		}
	}
	line, known := steps[name]
	if !known {
		line = Status(name)
	}
	if detail != "" {
		line += ": " + detail
	}
	return line
}

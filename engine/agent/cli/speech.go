package cli

import (
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
)

// speech is what one line of a program's output tells of an answer that is still being made.
// The end of the run is read from the other lines alone, with or without a listener.
type speech struct {
	piece     string // more of its text
	anew      bool   // another message begins
	exclusive bool   // the line tells nothing else
}

// isHeard reports whether a task has a listener that this program can feed. The answer to a request in a note is
// written when it is whole, and a reply to several requests is not a text to show.
func (p preset) isHeard(task agent.Task) bool {
	return p.hear != nil && task.Listener != nil && len(task.Requests) < 2
}

// manner are the arguments that make a program tell of its answer, or not.
func (p preset) manner(task agent.Task) []string {
	if p.isHeard(task) {
		return p.aloud
	}
	return p.quiet
}

// hearer returns the function that takes the lines of a program, with or without a listener.
func (p preset) hearer(task agent.Task) func(line []byte) bool {
	if hear := p.listen(task); hear != nil {
		return hear
	}
	return p.skips
}

// listen returns the function that takes the lines of a program and tells the listener the answer so far; nil without
// a listener.
func (p preset) listen(task agent.Task) func(line []byte) bool {
	if !p.isHeard(task) {
		return nil
	}
	text := new(strings.Builder)
	return func(line []byte) bool {
		s := p.hear(line)
		if s.anew {
			text = new(strings.Builder)
		}
		if s.piece != "" && text.Len() <= replies.MaxBegun {
			text.WriteString(s.piece)
			task.Listener(text.String())
		}
		return s.exclusive
	}
}

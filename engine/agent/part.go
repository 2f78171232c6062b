package agent

import (
	"fmt"
	"strings"
)

// Part is a part of the note that the answer to a request takes the place of.
type Part struct {
	Name string // behind "the": "paragraph above"
	Text string // with a number such as ⟦1⟧ for each piece that must not change
}

// WithParts returns the task with the parts of the note that its answers take the place of, one for each request.
func (t Task) WithParts(parts []Part) Task {
	for i, p := range parts {
		after := "The answer is the whole text as it is to be, or a unified diff of it, and nothing else."
		if strings.Contains(p.Text, "⟦") {
			after += " A number such as ⟦1⟧ is something that stays: keep each once, in its order, and on its line."
		}
		t = t.appendQuoted(fmt.Sprintf("The answer to request %d takes the place of the %s: of exactly this text, and of nothing else in the note.", i+1, p.Name), p.Text, after)
	}
	return t
}
